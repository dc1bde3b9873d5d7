package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/VARIANTS.md} is generated from {@link Variant}, except for one paragraph per variant
 * on its web-platform-tests results, which {@code weblocks variants measure} writes.
 */
class VariantsDocumentGoldenTest {

  private static final Path DOCUMENT = Path.of("docs/VARIANTS.md");
  private static final String NOT_MEASURED = "WPT: not measured.";

  private static final String HEAD =
      """
      # Variants of the Working Draft

      Named deviations from the [Web Locks API, W3C Working Draft of 24 September
      2025](https://www.w3.org/TR/2025/WD-web-locks-20250924/), for experiments: other answers to what its
      text or its issues leave open, and what engines were seen to do instead. The list is closed. Nothing
      deviates unless somebody asks for it: `weblocks run --variant NAME`, `weblocks wpt --spec-variant NAME`,
      and in Java `UserAgent.Builder.variants(…)`. Sections and steps are those of the draft.

      Not in the list are: what the draft leaves open (the order of names in a snapshot), how an interface looks
      (what is a global, what a getter is called, whether `request` wants its `this`: a matter of Web IDL), and
      crashes (Node 26.10 ended in half the runs in which a lock of another thread was stolen).

      [EXPERIMENTS.md](EXPERIMENTS.md) shows how variants are used. `weblocks variants compare --variants none,NAME SCRIPT`
      shows what one changes for a script.

      This file is written by `scripts/rebaseline` from `dev.weblocks.model.Variant`. The paragraphs that
      begin with WPT are written by `weblocks variants measure --write docs/VARIANTS.md`: they name the tests and
      subtests of `/web-locks/` that end differently under the variant, in deterministic runs.
      """;

  private static String sets() {
    StringBuilder text = new StringBuilder("\n## Sets\n\n| name | variants |\n| --- | --- |\n");
    Variant.sets()
        .forEach((name, all) ->
            text.append("| `").append(name).append("` | ").append(codes(all)).append(" |\n"));
    return text.toString();
  }

  private static String codes(Collection<Variant> variants) {
    return variants.stream().map(each -> "`" + each.id() + "`").collect(Collectors.joining(", "));
  }

  private static String section(Variant variant, String measured) {
    Set<Variant> excluded = variant.excludes();
    return "\n## `"
        + variant.id()
        + "`\n\n"
        + variant.title()
        + ".\n\nChanges: "
        + variant.change()
        + "\n\nComes from: "
        + variant.origin()
        + ".\n\nNot with: "
        + (excluded.size() == Variant.values().length - 1 ? "any other" : codes(excluded))
        + ".\n\n"
        + measured
        + "\n";
  }

  private static Map<String, String> measured(String document) {
    Map<String, String> paragraphs = new HashMap<>();
    for (String section : document.split("\n## ", -1)) {
      String heading = section.lines().findFirst().orElse("").replace("`", "");
      for (String paragraph : section.split("\n\n", -1)) {
        if (paragraph.startsWith("WPT: ")) {
          paragraphs.put(heading, paragraph.strip());
        }
      }
    }
    return paragraphs;
  }

  @Test
  void document_describes_each_variant_as_the_code_does() throws IOException {
    String document = Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "";
    Map<String, String> measured = measured(document);
    StringBuilder expected = new StringBuilder(HEAD).append(sets());
    for (Variant each : Variant.values()) {
      expected.append(section(each, measured.getOrDefault(each.id(), NOT_MEASURED)));
    }
    if (Boolean.getBoolean("golden.rebaseline")) {
      Files.writeString(DOCUMENT, expected);
      return;
    }
    assertEquals(expected.toString(), document, "run scripts/rebaseline and read the diff");
  }
}
