package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The document that {@code weblocks variants measure --write} updates. */
class VariantsMeasureTest {

  private static final String DOCUMENT =
      """
      # Variants

      WPT: above all headings.

      ## `one`

      A title.

      WPT: not measured.

      ## `two`

      WPT: 1 of 2.
      """;

  @Test
  void update_replaces_only_the_paragraphs_of_measured_variants() {
    assertEquals(
        DOCUMENT.replace("not measured.", "2 of 2 pass."),
        VariantsMeasureCommand.updated(DOCUMENT, Map.of("one", "2 of 2 pass.")));
    assertEquals(
        DOCUMENT.replace("1 of 2.", "2 of 2."),
        VariantsMeasureCommand.updated(DOCUMENT, Map.of("two", "2 of 2.", "three", "0 of 2.")));
  }
}
