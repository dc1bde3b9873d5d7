package dev.weblocks.global;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import org.graalvm.polyglot.Value;

/**
 * The {@code console} namespace.
 *
 * @see <a href="https://console.spec.whatwg.org/">Console</a>
 */
final class Console {

  private Console() {}

  /** <a href="https://console.spec.whatwg.org/#logger">Logger</a>, without format specifiers */
  private static void logger(String level, Arguments args) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < args.variadicCount(0); i++) {
      Value item = args.variadic(0, i);
      text.append(i == 0 ? "" : " ").append(textOf(item, args));
    }
    Reports.of(args.realm()).consoleMessage(args.realm(), level, text.toString());
  }

  /** Numbers as script shows them: the engine's text of a value has 2.0 for a double. */
  private static String textOf(Value item, Arguments args) {
    if (item.isString()) {
      return item.asString();
    }
    String text = item.toString();
    return item.isNumber() && !text.endsWith("n")
        ? RealmBinding.of(args.realm()).errorText(item)
        : text;
  }

  static void define(Implementations implementations) {
    Implementations.Interface<PlatformObject> console =
        implementations.mixin("console", PlatformObject.class);
    for (String level : new String[] {"debug", "error", "info", "log", "warn"}) {
      console.staticOperation(
          level,
          args -> {
            logger(level, args);
            return null;
          });
    }
  }
}
