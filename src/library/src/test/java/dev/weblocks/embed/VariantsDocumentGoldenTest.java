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

      After reading this you can select a named deviation from the [Web Locks API, W3C Working Draft of 24 September
      2025](https://www.w3.org/TR/2025/WD-web-locks-20250924/), and predict its effect. Variants are other answers to open
      issues of the draft, and behaviour observed in other engines. Sections and steps are those of the draft.

      | to | use |
      | --- | --- |
      | run scripts under a variant | `weblocks run --variant NAME` |
      | run web-platform-tests under it | `weblocks wpt --spec-variant NAME` |
      | show its effect on a script | `weblocks variants compare --variants none,NAME SCRIPT` |
      | set it in Java | `UserAgent.Builder.variants(…)` |

      None is active by default. [EXPERIMENTS.md](EXPERIMENTS.md#variants) has sessions. Three kinds of differences are no
      variants:

      - what the draft leaves open, such as the order of names in a snapshot
      - the shape of an interface, which belongs to Web IDL: globals, names of getters, a missing `this`
      - crashes: Node 26.10 crashed in half the runs with a lock stolen from another thread

      `scripts/rebaseline` generates this file from `dev.weblocks.model.Variant`. Paragraphs that begin with WPT come from
      `weblocks variants measure --write docs/VARIANTS.md`. They name the tests and subtests of `/web-locks/` that end
      differently under the variant, in deterministic runs.
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
  void document_describes_each_variant_in_the_words_of_its_enum_constant() throws IOException {
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
