package dev.weblocks.harness.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory of ended agents whose counterparts are still referenced. */
@Tag("alone")
class LeftOverTest {

  private static final Environment ENVIRONMENT = Environment.create();
  private static final String ORIGIN = "https://one.test";

  @AfterAll
  static void closeEnvironment() {
    ENVIRONMENT.close();
  }

  private final List<String> log = new ArrayList<>();

  /** Pending responses, which stay referenced as in a network stack. */
  private final List<CompletableFuture<ResourceResponse>> hanging = new ArrayList<>();

  private UserAgent userAgent(Driver driver, Map<String, String> resources) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(ENVIRONMENT)
        .consoleListener(message -> log.add(message.text()))
        .errorListener(error -> log.add(error.message()))
        .resourceLoader(request -> {
          String path = request.url().substring(ORIGIN.length());
          if (path.startsWith("/never")) {
            CompletableFuture<ResourceResponse> never = new CompletableFuture<>();
            hanging.add(never);
            return never;
          }
          return CompletableFuture.completedFuture(
              ResourceResponse.of(
                  request.url(),
                  path.endsWith(".js") ? "text/javascript" : "text/html",
                  path.endsWith(".js")
                      ? resources.get(path)
                      : "<!doctype html><script>" + resources.get(path) + "</script>"));
        })
        .build();
  }

  /** Returns the number of realms, after several collections for the reference queues. */
  private static int realms() {
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      fewest = Math.min(fewest, Vitals.realms());
    }
    return fewest;
  }

  /** Opens a window and asserts how many realms it retains in addition to an empty one. */
  private void assertRealmsLeft(int count, Map<String, String> resources) {
    int empty = realmsWith(Map.of("/stays", ""));
    assertEquals(empty + count, realmsWith(resources), () -> log.toString());
  }

  private int realmsWith(Map<String, String> resources) {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent = userAgent(driver, resources)) {
      Window stays = userAgent.open(ORIGIN + "/stays");
      driver.runUntilIdle(100_000);
      assertTrue(stays.loaded().isDone());
      return realms();
    }
  }

  @Test
  void realm_of_a_terminated_worker_is_collected_despite_a_reachable_worker_object() {
    assertRealmsLeft(
        0,
        Map.of(
            "/stays",
            """
            globalThis.worker = new Worker('/w.js');
            worker.onmessage = () => { worker.terminate(); worker.postMessage('late'); };
            """,
            "/w.js",
            "postMessage('begins'); onmessage = () => {}; setInterval(() => {}, 1000);"));
    assertEquals(List.of(), log);
  }

  @Test
  void realm_of_a_closed_worker_is_collected_despite_a_reachable_worker_object() {
    assertRealmsLeft(
        0,
        Map.of(
            "/stays",
            "globalThis.worker = new Worker('/w.js');",
            "/w.js",
            "onmessage = () => {}; fetch('/never.txt'); console.log('begins'); close();"));
    assertEquals(List.of("begins"), log);
  }

  @Test
  void running_worker_counts_as_one_realm() {
    assertRealmsLeft(1, Map.of("/stays", "globalThis.worker = new Worker('/w.js');", "/w.js", ""));
  }

  @Test
  void realm_of_a_closed_window_is_collected_while_its_requests_are_pending() throws Exception {
    int before = realms();
    // a new thread, since a thread retains its last exception, and that a realm
    try (ExecutorService own = Executors.newSingleThreadExecutor()) {
      own.submit(this::closeWindowThatWaits).get();
    }
    assertEquals(2, hanging.size());
    assertEquals(before, realms());
  }

  private void closeWindowThatWaits() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            userAgent(
                driver,
                Map.of(
                    "/waits",
                    """
                    fetch('/never.txt').then(r => console.log(r.status));
                    new Worker('/never.js');
                    navigator.locks.request('a', () => new Promise(() => {}));
                    setTimeout(() => {}, 1e9);
                    console.log('waits');
                    """))) {
      Window window = userAgent.open(ORIGIN + "/waits");
      driver.runUntilIdle(100_000);
      assertEquals(List.of("waits"), log);
      window.close();
      driver.runUntilIdle(100_000);
      assertTrue(window.ended().isDone());
    }
  }
}
