package dev.weblocks.harness.wpt.expect;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Map;
import java.util.stream.Collectors;

/** The format of expectations as JSON, one entry per line, so that diffs are readable. */
final class ExpectationText {

  private ExpectationText() {}

  static String of(Map<String, TestEntry> tests) {
    return tests.entrySet().stream()
        .map(test -> "  " + quote(test.getKey()) + ": " + of(test.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }

  private static String of(TestEntry test) {
    if (test.subtests().isEmpty()) {
      return test.whole().map(whole -> "{ " + of(whole) + " }").orElse("{}");
    }
    return test.subtests().entrySet().stream()
        .map(subtest -> "      " + quote(subtest.getKey()) + ": { " + of(subtest.getValue()) + " }")
        .collect(
            Collectors.joining(
                ",\n",
                "{\n"
                    + test.whole().map(whole -> "    " + of(whole) + ",\n").orElse("")
                    + "    \"subtests\": {\n",
                "\n    }\n  }"));
  }

  private static String of(Entry<?> entry) {
    String statuses =
        entry.isFlaky()
            ? entry.statuses().stream()
                .map(status -> quote(status.name()))
                .collect(Collectors.joining(", ", ", \"statuses\": [", "]"))
            : "";
    return "\"status\": "
        + quote(entry.status())
        + statuses
        + switch (entry.because()) {
          case Because.Named named -> ", \"because\": " + quote(named.name());
          case Because.Inline inline ->
              ", \"reason\": %s, \"link\": %s"
                  .formatted(quote(inline.reason().text()), quote(inline.reason().link()));
        };
  }

  private static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text))
        .codePoints()
        .forEach(c -> {
          // Lone surrogates cannot be encoded in UTF-8, but can be escaped in JSON.
          if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            json.append("\\u%04X".formatted(c));
          } else {
            json.appendCodePoint(c);
          }
        });
    return json.append('"').toString();
  }
}
