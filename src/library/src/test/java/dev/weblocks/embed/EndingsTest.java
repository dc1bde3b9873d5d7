package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A window that is ended from within each single step of its life, one step per run. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndingsTest {

  private static final String ORIGIN = "https://one.test";

  private static final Map<String, String> RESOURCES =
      Map.of(
          "/victim",
          """
          <!doctype html><script>
          navigator.locks.request('a', async () => {
            console.log('victim holds');
            new Worker('/worker.js');
            await null;
            await new Promise(resolve => setTimeout(resolve));
            console.log('victim goes on');
          });
          navigator.locks.request('a', () => console.log('victim holds again'));
          </script>\
          """,
          "/worker.js",
          """
          console.log('worker begins');
          importScripts('/imported.js');
          navigator.locks.request('b', () => {
            console.log('worker holds');
            return new Promise(() => {});
          });
          """,
          "/imported.js",
          "console.log('imported');",
          "/waiter",
          """
          <!doctype html><script>
          navigator.locks.request('a', () => console.log('waiter holds a'));
          setTimeout(() => navigator.locks.request('b', () => console.log('waiter holds b')), 500);
          </script>\
          """);

  /** The record of one run, whose victim was ended at one step. */
  private static final class Life {
    final List<String> log = new ArrayList<>();
    final List<String> errors = new ArrayList<>();
    final List<String> trace = new ArrayList<>();
    int steps;
    boolean killed;
    boolean victimEnded;
  }

  /** Runs the program and ends the victim at the step with that number, over all kinds of steps. */
  private static Life live(long seed, int lastStep) {
    Life life = new Life();
    Window[] victim = new Window[1];
    Runnable step =
        () -> {
          if (victim[0] != null && life.steps++ == lastStep) {
            victim[0].close();
            life.killed = true;
          }
        };
    try (DeterministicDriver driver = Driver.deterministic(seed);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .random(new SplittableRandom(seed))
                .resourceLoader(request -> {
                  step.run();
                  String path = request.url().substring(ORIGIN.length());
                  return CompletableFuture.completedFuture(
                      ResourceResponse.of(
                          request.url(),
                          path.endsWith(".js") ? "text/javascript" : "text/html",
                          RESOURCES.get(path)));
                })
                .consoleListener(message -> {
                  life.log.add(message.text());
                  life.trace.add(message.text());
                  step.run();
                })
                .errorListener(error -> life.errors.add(error.message() + error.stack()))
                .traceListener(event -> {
                  life.trace.add(event.actor() + ": " + event.detail());
                  step.run();
                })
                .build()) {
      victim[0] = userAgent.open(ORIGIN + "/victim");
      userAgent.open(ORIGIN + "/waiter");
      driver.runUntilIdle(100_000);
      if (!life.killed) {
        victim[0].close();
        driver.runUntilIdle(100_000);
      }
      life.victimEnded = victim[0].ended().isDone();
    }
    return life;
  }

  @Test
  void window_that_ends_at_any_step_releases_its_locks_without_errors() {
    for (long seed = 1; seed <= TestSize.seeds(2); seed++) {
      int step = 0;
      Life life;
      do {
        life = live(seed, step);
        String where = "seed " + seed + ", step " + step + ": " + life.trace;
        assertEquals(List.of(), life.errors, where);
        assertTrue(life.victimEnded, where);
        assertTrue(life.log.contains("waiter holds a"), where);
        assertTrue(life.log.contains("waiter holds b"), where);
        assertNoSignOfLifeAfterTheEnd(life.trace, where);
        step += TestSize.of(5, 1);
      } while (life.killed);
      assertTrue(step > 60, "only " + step + " steps");
    }
  }

  private static void assertNoSignOfLifeAfterTheEnd(List<String> trace, String where) {
    Map<String, Integer> ends = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      String line = trace.get(i);
      if (line.endsWith(": has ended")) {
        ends.put(line.split(":", -1)[0].replaceAll("-.*", ""), i);
      }
      // the victim is the first window; the waiter logs no such line
      if (line.startsWith("victim ") || line.startsWith("window-1: ")) {
        int end = trace.indexOf("window-1: has ended");
        assertTrue(end < 0 || i <= end, line + " after its end; " + where);
      }
      if (line.startsWith("worker ")) {
        assertFalse(ends.containsKey("worker"), line + " after its end; " + where);
      }
    }
  }
}
