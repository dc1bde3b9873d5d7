package dev.weblocks.url;

import java.util.ArrayList;
import java.util.List;

/**
 * The parser and serializer of {@code application/x-www-form-urlencoded}, in UTF-8.
 *
 * @see <a href="https://url.spec.whatwg.org/#application/x-www-form-urlencoded">URL Standard</a>
 */
public final class FormUrlEncoded {

  /** A name-value tuple, decoded. */
  public record Entry(String name, String value) {}

  private FormUrlEncoded() {}

  /**
   * <a
   * href="https://url.spec.whatwg.org/#concept-urlencoded-string-parser">application/x-www-form-urlencoded
   * string parser</a>
   */
  public static List<Entry> parse(String input) {
    List<Entry> output = new ArrayList<>(); // 2
    for (String sequence : input.split("&", -1)) { // 1 and 3
      if (!sequence.isEmpty()) { // 3.1
        int equals = sequence.indexOf('=');
        output.add(
            new Entry(
                decode(equals < 0 ? sequence : sequence.substring(0, equals)),
                equals < 0 ? "" : decode(sequence.substring(equals + 1))));
      }
    }
    return output;
  }

  /** Runs steps 3.4 and 3.5 of the parser, for a name or a value. */
  private static String decode(String part) {
    return PercentEncoding.decode(part.replace('+', ' '));
  }

  /**
   * <a
   * href="https://url.spec.whatwg.org/#concept-urlencoded-serializer">application/x-www-form-urlencoded
   * serializer</a>
   */
  public static String serialize(List<Entry> tuples) {
    StringBuilder output = new StringBuilder();
    for (Entry tuple : tuples) {
      if (!output.isEmpty()) {
        output.append('&');
      }
      encode(tuple.name(), output);
      output.append('=');
      encode(tuple.value(), output);
    }
    return output.toString();
  }

  private static void encode(String text, StringBuilder output) {
    text.codePoints()
        .forEach(codePoint -> {
          if (codePoint == ' ') {
            output.append('+');
          } else {
            PercentEncoding.utf8PercentEncode(codePoint, PercentEncodeSet.FORM, output);
          }
        });
  }
}
