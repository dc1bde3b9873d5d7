package dev.weblocks.wpt.expect;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes expectations as JSON, an entry a line, so that a diff shows entries. */
final class ExpectationText {

  private ExpectationText() {}

  /** The text of a file. */
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
              ", \"reason\": "
                  + quote(inline.reason().text())
                  + ", \"link\": "
                  + quote(inline.reason().link());
        };
  }

  private static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text))
        .codePoints()
        .forEach(c -> {
          // What UTF-8 cannot write, JSON can.
          if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            json.append("\\u%04X".formatted(c));
          } else {
            json.appendCodePoint(c);
          }
        });
    return json.append('"').toString();
  }
}
