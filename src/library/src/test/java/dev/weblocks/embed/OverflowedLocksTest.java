package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A page that uses locks where its stack ends gets a RangeError, and leaks no lock. */
@Tag("overflow")
class OverflowedLocksTest {

  private static final long STACK_BYTES = 1 << 20;

  /**
   * Calls each method in each of the last frames of the stack, then counts requests and locks that
   * are in the wrong state. The variant callback-less gives script a method that releases a lock.
   */
  private static final String OVERFLOWING =
      """
      const COUNT = 600;
      const pending = () => new Promise(() => {});
      const controllers = [];
      const rejected = new Set();
      const held = [];
      const released = new Set();
      let next = 0;
      let calls = 0;
      let errors = 0;
      const methods = [
        () => navigator.locks.request('r' + next, pending).catch(() => {}),
        () => controllers[next].abort(),
        () => held[next].release().catch(() => {}),
      ];
      let method;
      function deep() {
        try {
          deep();
        } finally {
          if (calls-- > 0 && next < COUNT) {
            try {
              method();
            } catch (e) {
              errors++;
            }
            next++;
          }
        }
      }
      const frames = [(d) => d(), (d) => [d()], (d) => `${d()}`];
      const later = () => new Promise(resolve => setTimeout(resolve));
      (async () => {
        held.push(...await Promise.all(
          Array.from({ length: COUNT }, (_, i) => navigator.locks.request('h' + i))));
        navigator.locks.request('busy', pending);
        for (let i = 0; i < COUNT; i++) {
          controllers.push(new AbortController());
          navigator.locks.request('busy', { signal: controllers[i].signal }, pending)
            .catch(() => rejected.add(i));
        }
        await later();
        for (method of methods) {
          next = 0;
          errors = 0;
          for (const frame of frames) {
            calls = COUNT / frames.length;
            try {
              frame(deep);
            } catch {}
          }
          console.log('overflowed ' + (errors > 0));
          await later();
        }
        const state = await navigator.locks.query();
        const aborted = controllers.filter(each => each.signal.aborted).length;
        console.log('aborted ' + (aborted > 0) + ' ' + (aborted - rejected.size) + ' '
          + (COUNT - aborted - state.pending.filter(each => each.name === 'busy').length));
        for (let i = 0; i < COUNT; i++) {
          held[i].release();
        }
        const after = await navigator.locks.query();
        console.log('held ' + after.held.filter(each => each.name.startsWith('h')).length);
        await navigator.locks.request('after', () => {});
        console.log('works');
      })();
      """;

  private static final String NEXT =
      """
      (async () => {
        for (let i = 0; i < 600; i++) {
          for (const name of ['r' + i, 'h' + i, 'busy', 'after']) {
            await navigator.locks.request(name, () => {});
          }
        }
        console.log('all are free');
      })();
      """;

  @Test
  void overflow_in_a_lock_method_changes_nothing_and_window_works() throws Exception {
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    Thread script = new Thread(null, () -> run(log), "script", STACK_BYTES);
    script.setUncaughtExceptionHandler((thread, failure) -> log.add(failure.toString()));
    script.start();
    script.join();
    assertEquals(
        List.of(
            "overflowed true",
            "overflowed true",
            "overflowed true",
            "aborted true 0 0",
            "held 0",
            "works",
            "ended true",
            "all are free"),
        log);
  }

  private static void run(List<String> log) {
    try (CallerDrivenDriver driver = Driver.callerDriven(() -> {});
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .variants(Set.of(Variant.CALLBACK_LESS))
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(),
                            "text/html",
                            "<script>"
                                + (request.url().endsWith("next") ? NEXT : OVERFLOWING)
                                + "</script>")))
                .consoleListener(message -> log.add(message.text()))
                .errorListener(error -> log.add(error.message() + " " + error.stack()))
                .build()) {
      Window window = userAgent.open("https://one.test/");
      driver.runUntilIdle();
      window.close();
      driver.runUntilIdle();
      log.add("ended " + window.ended().isDone());
      Window unused = userAgent.open("https://one.test/next");
      driver.runUntilIdle();
    }
  }
}
