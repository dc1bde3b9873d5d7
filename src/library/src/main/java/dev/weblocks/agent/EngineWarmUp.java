package dev.weblocks.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * A warm-up that makes the engine initialize its classes while there is room on the stack.
 *
 * <p>A class whose initialization meets a stack overflow stays broken for the whole JVM. A page
 * that recurses endlessly and first uses a feature there, such as {@code sort()}, would break that
 * feature for every other agent. So each built-in function is called once, and each syntactic
 * construct is used once, before page script runs. This takes a few hundred milliseconds per
 * engine; without it, pages would spend a part of that.
 *
 * <p>The launcher records in a file the classes that a warm-up initializes. Initializing them
 * directly, without any call, takes a third of the time. But calls have one more effect: they link
 * the call sites of string concatenation, which a stack overflow would also break permanently. So
 * the launcher passes the file only together with an ahead-of-time cache of the same classes, in
 * which these call sites are linked.
 */
public final class EngineWarmUp {

  /** The system property that names the file of classes, one per line. */
  private static final String CLASSES = "dev.weblocks.engineClasses";

  private static final String SCRIPT = "engine-warm-up.js";

  /** The loader of the modules that the script imports. */
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
   * Warms up an engine.
   *
   * @param newContext makes contexts of the kind that agents get
   */
  public static void run(Supplier<Context> newContext) {
    String classes = System.getProperty(CLASSES);
    if (classes == null || !initialize(Path.of(classes))) {
      runScript(newContext.get());
    }
  }

  /** Initializes the listed classes. Returns false if the file cannot be read. */
  private static boolean initialize(Path classes) {
    ClassLoader loader = EngineWarmUp.class.getClassLoader();
    try (BufferedReader names = Files.newBufferedReader(classes)) {
      for (String name = names.readLine(); name != null; name = names.readLine()) {
        try {
          Class<?> unused = Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError generated) {
          // a class generated at run time by the engine, which then initialized it
        }
      }
      return true;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /**
   * Runs the script.
   *
   * @param context fresh; closed when this returns
   */
  private static void runScript(Context context) {
    try (InputStream script = EngineWarmUp.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IllegalStateException(SCRIPT + " is missing from the jar; use a complete jar");
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

  /**
   * Queries an object as the binding queries values, so that the engine initializes the classes
   * that such queries need.
   */
  private static void look(Value object) {
    if (object.isNull() || object.isBoolean() || object.isString() || object.fitsInInt()) {
      return;
    }
    boolean unused =
        object.canExecute() || object.isHostObject() || object.isException() || object.hasMembers();
    unused |= object.toString().isEmpty();
  }
}
