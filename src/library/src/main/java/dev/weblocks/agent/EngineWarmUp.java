package dev.weblocks.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A warm-up that initializes classes while there is room on the stack, once in each JVM.
 *
 * <p>A class whose initialization meets a stack overflow stays broken for the whole JVM. A script
 * that recurses endlessly and first uses a feature there, such as {@code sort()}, would break that
 * feature for every other agent. So the {@link EngineClasses} are initialized before script runs,
 * on one thread: two threads that initialize classes with cyclic dependencies can deadlock.
 *
 * <p>A call site of a string concatenation breaks permanently too, if a stack overflow occurs while
 * the JDK generates a class for it. {@value #CONCATENATION} makes the JDK generate none. In a JVM
 * without this flag, a script calls each built-in function and uses each syntactic construct, which
 * links their call sites. Others remain at risk.
 */
public final class EngineWarmUp {

  private static final String SCRIPT = "engine-warm-up.js";

  /** The JDK's property for the number of operands up to which it generates no class. */
  private static final String CONCATENATION = "java.lang.invoke.StringConcat.highArityThreshold";

  /** The greatest number of operands of a string concatenation that javac compiles to one site. */
  private static final int ALL_OPERANDS = 200;

  /** The stack that initializers need at least. */
  private static final int STACK_BYTES = 128 << 10;

  /** The loader of the modules that the script imports. */
  private static final ModuleLoader MODULES = (importer, specifier, exact) -> new Module(specifier);

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
   * Holds the result of the warm-up. Its initializer is the lock that makes the warm-up run once in
   * each JVM, since what it prevents is a state of the JVM. Nothing can change afterwards.
   */
  private static final class Once {
    static final @Nullable RuntimeException FAILURE = warmUp();

    private static @Nullable RuntimeException warmUp() {
      try {
        initializeClasses();
        if (Integer.getInteger(CONCATENATION, 0) < ALL_OPERANDS) {
          runScript(newContext());
        }
        return null;
      } catch (RuntimeException failed) {
        return failed;
      }
    }
  }

  /**
   * Initializes the classes, unless this has happened in this JVM. Other threads wait.
   *
   * @throws StackOverflowError if too little stack is left for that
   */
  public static void run() {
    StackReserve.require(STACK_BYTES);
    RuntimeException failure = Once.FAILURE;
    if (failure != null) {
      throw new IllegalStateException("the engine cannot be warmed up: " + failure, failure);
    }
  }

  private static void initializeClasses() {
    ClassLoader loader = EngineWarmUp.class.getClassLoader();
    EngineClasses.list()
        .forEach(name -> {
          try {
            Class<?> unused = Class.forName(name, true, loader);
          } catch (ClassNotFoundException | LinkageError absent) {
            // this JDK, or this class path, does not have it: script cannot reach it
          }
        });
  }

  private static Context newContext() {
    return Context.newBuilder("js")
        .allowIO(ModuleFileSystem.access(MODULES))
        .option("engine.WarnInterpreterOnly", "false")
        .option("js.ecmascript-version", "staging")
        .allowExperimentalOptions(true) // for the next one
        .option("js.stack-trace-api", "true")
        .option("js.unhandled-rejections", "handler")
        .build();
  }

  static String resource(String name) {
    try (InputStream in = EngineWarmUp.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar; use a complete jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs the script.
   *
   * @param context fresh; closed when this returns
   */
  private static void runScript(Context context) {
    try {
      Source source = ScriptSource.internal(resource(SCRIPT), "weblocks:" + SCRIPT);
      Value objects = context.eval(source).execute();
      for (long i = 0; i < objects.getArraySize(); i++) {
        look(objects.getArrayElement(i));
      }
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
