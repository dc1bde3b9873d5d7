package dev.weblocks.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Driver;
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

/** What an agent leaves in memory when it has ended, while others hold on to their ends of it. */
@Tag("alone")
class LeftOverTest {

  private static final UserAgent.Environment ENVIRONMENT = new UserAgent.Environment();
  private static final String ORIGIN = "https://one.test";

  @AfterAll
  static void closeEnvironment() {
    ENVIRONMENT.close();
  }

  private final List<String> log = new ArrayList<>();

  /** As a network keeps what it waits for. */
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

  /** Some are gone only after the queues of references have been worked off. */
  private static int realms() {
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      fewest = Math.min(fewest, Vitals.realms());
    }
    return fewest;
  }

  /** Opens a window that stays, and tells how many realms it needs more than an empty one. */
  private void assertRealmsLeft(int count, Map<String, String> resources) {
    int empty = realmsWith(Map.of("/stays", ""));
    assertEquals(empty + count, realmsWith(resources), () -> log.toString());
  }

  private int realmsWith(Map<String, String> resources) {
    try (Driver driver = Driver.deterministic(1);
        UserAgent userAgent = userAgent(driver, resources)) {
      Window stays = userAgent.open(ORIGIN + "/stays");
      driver.runUntilQuiescent(100_000);
      assertTrue(stays.loaded().toCompletableFuture().isDone());
      return realms();
    }
  }

  @Test
  void terminated_worker_is_gone_while_its_object_is_known() {
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
  void worker_that_closed_itself_is_gone_while_its_object_is_known() {
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
  void living_worker_is_counted() {
    assertRealmsLeft(1, Map.of("/stays", "globalThis.worker = new Worker('/w.js');", "/w.js", ""));
  }

  @Test
  void window_that_waited_for_the_network_is_gone_while_the_network_still_works_on_it()
      throws Exception {
    int before = realms();
    // a thread keeps the last exception that went through it, and with that a realm
    try (ExecutorService own = Executors.newSingleThreadExecutor()) {
      own.submit(this::closeWindowThatWaits).get();
    }
    assertEquals(2, hanging.size());
    assertEquals(before, realms());
  }

  private void closeWindowThatWaits() {
    try (Driver driver = Driver.deterministic(1);
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
      driver.runUntilQuiescent(100_000);
      assertEquals(List.of("waits"), log);
      window.close();
      driver.runUntilQuiescent(100_000);
      assertTrue(window.ended().toCompletableFuture().isDone());
    }
  }
}
