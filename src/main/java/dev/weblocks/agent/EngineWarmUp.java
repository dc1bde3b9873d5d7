package dev.weblocks.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * Makes the engine initialize its classes while there is room on the stack.
 *
 * <p>A class whose initialization meets a stack overflow stays broken for the whole JVM. A page
 * that recurses without end and does something new at the bottom, such as its first {@code sort()},
 * would break that for every other agent. So each built-in function is called once, and what the
 * syntax makes is made once, before page script runs. It costs a few hundred milliseconds once per
 * engine, part of which the pages would have cost.
 */
public final class EngineWarmUp {

  private static final String SCRIPT = "engine-warm-up.js";

  /** What the script imports. */
  public static final ModuleLoader MODULES = (importer, specifier, exact) -> new Module(specifier);

  private record Module(String path) implements ModuleFile {
    @Override
    public URI uri() {
      return URI.create("weblocks:warm-up");
    }

    @Override
    public boolean isJson() {
      return path.equals("json");
    }

    @Override
    public String text() {
      return switch (path) {
        case "json" -> "{}";
        case "syntax error" -> "{";
        case "exception" -> "import.meta.url; throw new Error(import.meta.url);";
        case "await" ->
            "import json from 'json' with {type: 'json'}; await null; export default json;";
        default -> "export * from 'await'; export {default as x} from 'await';";
      };
    }
  }

  private EngineWarmUp() {}

  /**
   * Warms up the engine of a context.
   *
   * @param context fresh, of the kind that agents get; closed when this returns
   */
  public static void run(Context context) {
    try (InputStream script = EngineWarmUp.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IllegalStateException(SCRIPT + " is missing; is the jar whole?");
      }
      String code = new String(script.readAllBytes(), StandardCharsets.UTF_8);
      Value objects =
          context
              .eval(
                  Source.newBuilder("js", code, "weblocks:" + SCRIPT).internal(true).buildLiteral())
              .execute();
      for (long i = 0; i < objects.getArraySize(); i++) {
        look(objects.getArrayElement(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      context.close(true);
    }
  }

  /** Asks what the binding asks of values: each kind of object answers by classes of its own. */
  private static void look(Value object) {
    if (object.isNull() || object.isBoolean() || object.isString() || object.fitsInInt()) {
      return;
    }
    boolean unused =
        object.canExecute() || object.isHostObject() || object.isException() || object.hasMembers();
    unused |= object.toString().isEmpty();
  }
}
