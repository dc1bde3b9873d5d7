package dev.weblocks.global;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import dev.weblocks.embed.SharedEnvironment;
import dev.weblocks.embed.UserAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Members of {@code navigator} in windows and workers. */
class NavigatorTest {

  private static final String ALL =
      """
      const told = [];
      for (const name in navigator) {
        if (typeof navigator[name] !== 'object' && typeof navigator[name] !== 'function') {
          told.push(`${name}: ${navigator[name]}`);
        }
      }
      told.sort();
      """;

  private static final List<String> SHARED =
      List.of(
          "appCodeName: Mozilla",
          "appName: Netscape",
          "appVersion: 5.0 (compatible; Weblocks)",
          "hardwareConcurrency: 1",
          "language: en-US",
          "onLine: true",
          "platform: Linux x86_64",
          "product: Gecko",
          "userAgent: Mozilla/5.0 (compatible; Weblocks)");

  @Test
  void navigator_of_a_window_has_user_agent_and_vendor() {
    List<String> expected = new ArrayList<>(SHARED);
    expected.addAll(List.of("productSub: 20030107", "vendor: Google Inc.", "vendorSub: "));
    expected.sort(null);
    assertEquals(expected, Scenario.logOf(ALL + "told.forEach(line => console.log(line));"));
  }

  @Test
  void navigator_of_a_worker_lacks_only_vendor_and_product_sub() {
    for (String kind : List.of("new Worker('/w.js')", "new SharedWorker('/w.js')")) {
      try (Scenario scenario = new Scenario(1)) {
        scenario.resource("/w.js", ALL + "told.forEach(line => console.log(line));").window(kind);
        assertEquals(SHARED, scenario.run(), kind);
      }
    }
  }

  @Test
  void languages_returns_the_same_frozen_array_each_time() {
    assertEquals(
        List.of("en-US true true"),
        Scenario.logOf(
            """
            const {languages} = navigator;
            console.log(languages.join(), Object.isFrozen(languages),
                languages === navigator.languages);
            """));
  }

  private static String concurrency(UserAgent.Builder builder, Driver driver) throws Exception {
    CompletableFuture<String> said = new CompletableFuture<>();
    try (driver;
        UserAgent userAgent =
            builder
                .driver(driver)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(),
                            "text/html",
                            "<script>console.log(navigator.hardwareConcurrency)</script>")))
                .consoleListener(message -> said.complete(message.text()))
                .build()) {
      userAgent.open("https://one.test/");
      return said.get();
    }
  }

  @Test
  void hardware_concurrency_is_the_configured_value_or_the_drivers_thread_count() throws Exception {
    assertEquals(
        "3",
        concurrency(
            UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT),
            Driver.threadPool(3)));
    assertEquals(
        "7",
        concurrency(
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .hardwareConcurrency(7),
            Driver.threadPool(2)));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .hardwareConcurrency(0));
  }
}
