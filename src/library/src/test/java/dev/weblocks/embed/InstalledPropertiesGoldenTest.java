package dev.weblocks.embed;

import dev.weblocks.binding.Resources;
import dev.weblocks.testing.Golden;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** Every property that the platform puts into a realm, with its descriptor, by kind of global. */
class InstalledPropertiesGoldenTest {

  private static String languageGlobals() {
    try (Context context =
        Context.newBuilder("js").option("js.ecmascript-version", "staging").build()) {
      return context
          .eval(
              "js",
              "JSON.stringify(Reflect.ownKeys(globalThis).filter(k => typeof k === 'string'))")
          .asString();
    }
  }

  private static String script() {
    return Resources.text(InstalledPropertiesGoldenTest.class, "installed-properties.js")
        .replace("LANGUAGE_GLOBALS", languageGlobals());
  }

  private static void check(String kind, List<String> log) {
    Golden.check("dev/weblocks/embed/golden/" + kind + ".txt", String.join("\n", log));
  }

  @Test
  void secure_window_has_the_members_listed_in_its_golden_file() {
    try (Scenario scenario = new Scenario(1)) {
      check("window", scenario.window(script()).run());
    }
  }

  @Test
  void insecure_window_has_the_members_listed_in_its_golden_file() {
    try (Scenario scenario = new Scenario(1)) {
      check("window-insecure", scenario.windowAt("http://one.test", script()).run());
    }
  }

  @Test
  void dedicated_worker_has_the_members_listed_in_its_golden_file() {
    try (Scenario scenario = new Scenario(1)) {
      check(
          "dedicated-worker",
          scenario.resource("/worker.js", script()).window("new Worker('/worker.js')").run());
    }
  }

  @Test
  void shared_worker_has_the_members_listed_in_its_golden_file() {
    try (Scenario scenario = new Scenario(1)) {
      check(
          "shared-worker",
          scenario.resource("/worker.js", script()).window("new SharedWorker('/worker.js')").run());
    }
  }

  @Test
  void service_worker_has_the_members_listed_in_its_golden_file() {
    try (Scenario scenario = new Scenario(1)) {
      check(
          "service-worker",
          scenario
              .resource("/worker.js", script())
              .window("navigator.serviceWorker.register('/worker.js')")
              .run());
    }
  }
}
