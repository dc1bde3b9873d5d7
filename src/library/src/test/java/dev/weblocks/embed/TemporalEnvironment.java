package dev.weblocks.embed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An environment whose windows have {@code Temporal} on each engine: newer engines have it by
 * default, older ones with an option. The engine reads the option from a system property, so tests
 * that use this run alone in their JVM.
 */
final class TemporalEnvironment implements AutoCloseable {

  private static final Map<String, String> OPTIONS =
      Map.of("polyglot.js.temporal", "true", "polyglot.engine.AllowExperimentalOptions", "true");

  private final Environment environment;

  TemporalEnvironment() {
    OPTIONS.forEach(System::setProperty);
    try {
      environment = Environment.newBuilder().warmUp(false).build();
    } finally {
      OPTIONS.keySet().forEach(System::clearProperty);
    }
  }

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
