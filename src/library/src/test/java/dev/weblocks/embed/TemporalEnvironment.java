package dev.weblocks.embed;

import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Engine;

/**
 * An environment whose windows have {@code Temporal} on each engine: newer engines have it by
 * default, older ones with an option.
 */
final class TemporalEnvironment implements AutoCloseable {

  private final Environment environment =
      new Environment(
          Engine.newBuilder("js")
              .allowExperimentalOptions(true)
              .option("engine.WarnInterpreterOnly", "false")
              .option("js.temporal", "true")
              .build(),
          /* warmUp= */ false,
          /* webAssembly= */ false);

  Environment environment() {
    return environment;
  }

  /** Returns the console messages of a window that logs the values of expressions. */
  List<String> log(String... expressions) {
    List<String> code = new ArrayList<>();
    for (String expression : expressions) {
      code.add(
          "try { console.log(%s) } catch (e) { console.log(e.name, e.message) }"
              .formatted(expression));
    }
    return run(String.join("\n", code));
  }

  /** Returns the console messages of a window that runs a script. */
  List<String> run(String script) {
    try (Scenario scenario = new Scenario(1, environment)) {
      return scenario.window(script).run();
    }
  }

  @Override
  public void close() {
    environment.close();
  }
}
