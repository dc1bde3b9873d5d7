package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts that the engine cannot stop, and turns that exceed their limit. */
@Tag("alone")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnstoppableScriptTest {

  /**
   * A multiplication takes a few tenths of a second, without a cancellation point. What follows it
   * would be seen outside: a message, a stored item, a lock, a line.
   */
  private static final String MULTIPLIES =
      """
      const channel = new BroadcastChannel('seen');
      navigator.locks.request('shared', { mode: 'shared' }, () => {
        let x = 3n ** 2000000n;
        console.log('multiplies');
        for (;;) {
          try { x * x; } finally {
            console.log('goes on');
            channel.postMessage('goes on');
            localStorage.setItem('seen', 'goes on');
            navigator.locks.request('other', () => {});
          }
        }
      });
      """;

  private static final String LISTENS =
      """
      new BroadcastChannel('seen').onmessage = e => console.log('message: ' + e.data);
      navigator.locks.request('shared', () => console.log('the lock passes on'));
      """;

  private final BlockingQueue<String> console = new LinkedBlockingQueue<>();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();

  private UserAgent newUserAgent(Driver driver, Limits limits, String script) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .limits(limits)
        .resourceLoader(request ->
            CompletableFuture.completedFuture(
                ResourceResponse.of(
                    request.url(),
                    "text/html",
                    "<script>"
                        + (request.url().endsWith("/listens") ? LISTENS : script)
                        + "</script>")))
        .consoleListener(message -> console.add(message.text()))
        .errorListener(error -> errors.add(error.message()))
        .build();
  }

  private void expect(String line) throws InterruptedException {
    assertEquals(line, console.poll(60, TimeUnit.SECONDS), () -> "errors: " + errors);
  }

  @Test
  void ten_windows_that_multiply_forever_pass_on_their_locks_and_threads() throws Exception {
    Limits limits = Limits.newBuilder().endLimit(Duration.ofMillis(10)).build();
    try (Driver driver = Driver.threadPool(2);
        UserAgent userAgent = newUserAgent(driver, limits, MULTIPLIES)) {
      List<Ending> endings = new ArrayList<>();
      List<Window> windows = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Window window = userAgent.open("https://one.test/multiplies");
        windows.add(window);
        expect("multiplies");
        window.close();
        endings.add(window.ended().get(60, TimeUnit.SECONDS));
      }
      Window listens = userAgent.open("https://one.test/listens");
      expect("the lock passes on");
      assertTrue(endings.contains(Ending.CUT_OFF), endings::toString);
      // all of them return from their multiplication, and each return is refused
      while (userAgent.metrics().abandonedAgents() > 0) {
        Thread.onSpinWait();
      }
      EvaluatedValue item = listens.evaluate("localStorage.getItem('seen')").get();
      assertEquals("null", item.text());
      assertEquals(List.of(), List.copyOf(console));
      assertEquals(
          endings.stream().filter(Ending.CUT_OFF::equals).count(),
          errors.stream().filter(error -> error.contains("did not stop within 10 ms")).count());
    }
  }

  @Test
  void no_window_opens_while_too_many_ended_ones_still_run() throws Exception {
    Limits limits = Limits.newBuilder().endLimit(Duration.ofMillis(20)).abandonedAgents(1).build();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Driver driver = Driver.threadPool(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(limits)
                .preloadScript("stuck.js", "console.log('stuck')")
                .consoleListener(message -> {
                  console.add(message.text());
                  awaitUninterruptibly(goOn);
                })
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      Window stuck = userAgent.open("about:blank");
      expect("stuck");
      stuck.close();
      assertEquals(Ending.CUT_OFF, stuck.ended().get(60, TimeUnit.SECONDS));
      assertEquals(1, userAgent.metrics().abandonedAgents());

      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> userAgent.open("about:blank"));
      assertTrue(refused.getMessage().contains("Limits.abandonedAgents"), refused.getMessage());

      goOn.countDown();
      while (userAgent.metrics().abandonedAgents() > 0) {
        Thread.onSpinWait();
      }
      userAgent.open("about:blank").close();
      assertTrue(
          errors.stream().anyMatch(error -> error.contains("Java code called by script")),
          errors::toString);
    }
  }

  @Test
  void abandoned_agents_of_one_origin_keep_no_other_from_opening_windows() throws Exception {
    Limits limits =
        Limits.newBuilder()
            .endLimit(Duration.ofMillis(20))
            .abandonedAgents(2)
            .abandonedAgentsPerOrigin(1)
            .build();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Driver driver = Driver.threadPool(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(limits)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(), "text/html", "<script>console.log(origin)</script>")))
                .consoleListener(message -> {
                  console.add(message.text());
                  if (message.text().contains("evil")) {
                    awaitUninterruptibly(goOn);
                  }
                })
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      Window stuck = userAgent.open("https://evil.test/");
      expect("https://evil.test");
      stuck.close();
      assertEquals(Ending.CUT_OFF, stuck.ended().get(60, TimeUnit.SECONDS));

      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> userAgent.open("https://evil.test/"));
      assertTrue(
          refused.getMessage().contains("Limits.abandonedAgentsPerOrigin"), refused.getMessage());
      Window other = userAgent.open("https://bank.test/");
      expect("https://bank.test");
      other.close();

      goOn.countDown();
      while (userAgent.metrics().abandonedAgents() > 0) {
        Thread.onSpinWait();
      }
      userAgent.open("https://evil.test/").close();
    }
  }

  @Test
  void installation_ends_although_script_outside_of_turns_stays_in_a_listener() throws Exception {
    Limits limits = Limits.newBuilder().endLimit(Duration.ofMillis(20)).build();
    CountDownLatch goOn = new CountDownLatch(1);
    try (Driver driver = Driver.threadPool(1);
        Context context = Context.create("js");
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(limits)
                .consoleListener(message -> {
                  console.add(message.text());
                  awaitUninterruptibly(goOn);
                })
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      Installation installation = userAgent.installInto(context).replace("console").install();
      CompletableFuture<Void> evaluated =
          CompletableFuture.runAsync(() -> context.eval("js", "console.log('stuck')"));
      expect("stuck");

      installation.close();

      assertEquals(Ending.CUT_OFF, installation.ended().get(60, TimeUnit.SECONDS));
      assertEquals(1, userAgent.metrics().abandonedAgents());
      goOn.countDown();
      evaluated.get(60, TimeUnit.SECONDS);
      assertEquals(0, userAgent.metrics().abandonedAgents());
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean done = false;
    while (!done) {
      try {
        latch.await();
        done = true;
      } catch (InterruptedException again) {
        // the engine interrupts Java code that script has called
      }
    }
  }

  @Test
  void turn_that_exceeds_its_limit_ends_its_window() throws Exception {
    Limits limits = Limits.newBuilder().turnLimit(Duration.ofMillis(100)).build();
    String loops = "navigator.locks.request('shared', () => { for (;;) {} });";
    try (Driver driver = Driver.threadPool(2);
        UserAgent userAgent = newUserAgent(driver, limits, loops)) {
      Window first = userAgent.open("https://one.test/loops");
      Window second = userAgent.open("https://two.test/loops");
      LockClient client = userAgent.openLockClient("https://one.test");

      client.acquire("shared").close(); // although the windows occupy all threads

      assertEquals(Ending.STOPPED, first.ended().get(60, TimeUnit.SECONDS));
      assertEquals(Ending.STOPPED, second.ended().get(60, TimeUnit.SECONDS));
      assertEquals(2, errors.stream().filter(error -> error.contains("limit of 100 ms")).count());
    }
  }

  @Test
  void turn_that_exceeds_its_limit_ends_its_window_under_a_deterministic_driver() {
    Limits limits = Limits.newBuilder().turnLimit(Duration.ofMillis(100)).build();
    try (DeterministicDriver driver =
            DeterministicDriver.newBuilder().seed(1).onForeignStep(step -> {}).build();
        UserAgent userAgent = newUserAgent(driver, limits, "for (;;) {}")) {
      Window loops = userAgent.open("https://one.test/loops");
      driver.runUntilIdle(1_000);
      assertTrue(loops.ended().isDone());
    }
  }

  @Test
  void turn_that_exceeds_its_limit_ends_its_installation_but_not_the_context() throws Exception {
    Limits limits =
        Limits.newBuilder()
            .turnLimit(Duration.ofMillis(50))
            .endLimit(Duration.ofMillis(50))
            .build();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (Driver driver = Driver.threadPool(1);
        UserAgent userAgent = newUserAgent(driver, limits, "");
        Context context = Context.create("js")) {
      Installation installation = userAgent.installInto(context).install(executor);
      CompletableFuture<String> refused =
          installation.submit(() ->
              context
                  .eval(
                      "js",
                      """
                      var refused = '';
                      const end = Date.now() + 60000;
                      while (Date.now() < end && !refused) {
                        try { performance.now(); } catch (e) { refused = e.name; }
                      }
                      """)
                  .asString());

      assertEquals(Ending.CUT_OFF, installation.ended().get(60, TimeUnit.SECONDS));

      executor.shutdown(); // the turn continues until its script returns
      assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
      assertEquals("InvalidStateError", context.eval("js", "refused").asString());
    } finally {
      executor.shutdownNow();
    }
  }
}
