package dev.weblocks.console;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;

/** The formatter that embedders use to show script values as the console does. */
public final class ConsoleTexts {

  private ConsoleTexts() {}

  /**
   * Returns the text of a value: a string in quotes, any other value as {@code console.log()} shows
   * it. Runs no page code. Called on the event loop of the realm.
   */
  public static String of(Realm realm, Value value) {
    if (value.isString()) {
      return quoted(value.asString());
    }
    return realm.supplements().require(Inspector.class).texts(List.of(value)).getFirst();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case '\'', '\\' -> quoted.append('\\').append((char) c);
            default -> {
              if (c < ' ' || c >= 0x7f && c < 0xa0 || c >= 0xd800 && c <= 0xdfff) {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            }
          }
        });
    return quoted.append('\'').toString();
  }
}
