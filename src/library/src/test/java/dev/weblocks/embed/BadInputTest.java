package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.binding.Resources;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** Exceptions for invalid arguments of a page; the agent survives them. */
class BadInputTest {

  private static String script() {
    try (Context context =
        Context.newBuilder("js").option("js.ecmascript-version", "staging").build()) {
      return Resources.text(BadInputTest.class, "bad-input.js")
          .replace("SHARE", String.valueOf(TestSize.of(16, 1)))
          .replace(
              "LANGUAGE_GLOBALS",
              context
                  .eval(
                      "js",
                      "JSON.stringify(Reflect.ownKeys(globalThis).filter(k => typeof k === 'string'))")
                  .asString());
    }
  }

  private static void assertFair(Scenario scenario) {
    scenario.runSteps(5_000_000);
    List<String> defects =
        scenario.errors().stream()
            .filter(error -> error.kind() == UncaughtError.Kind.DEFECT)
            .map(error -> error.message() + "\n" + error.stack())
            .distinct()
            .toList();
    assertEquals(List.of(), defects);
    assertEquals(
        List.of("many calls"),
        scenario.log().stream()
            .map(String::strip)
            .filter(line -> line.startsWith("unfair") || line.endsWith("calls"))
            .distinct()
            .toList(),
        () ->
            "uncaught: "
                + scenario.errors().stream().limit(20).map(UncaughtError::message).toList());
  }

  @Test
  void every_member_exposed_in_windows_refuses_bad_input_as_browsers_do() {
    try (Scenario scenario = new Scenario(1)) {
      assertFair(scenario.window(script()));
    }
  }

  @Test
  void every_member_exposed_in_service_workers_refuses_bad_input_as_browsers_do() {
    try (Scenario scenario = new Scenario(1)) {
      assertFair(
          scenario
              .resource("/sw.js", script())
              .window("navigator.serviceWorker.register('/sw.js')"));
    }
  }
}
