package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Driver;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests in seeded order and virtual time, without real timers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SteppedStageTest {

  /** A page script that posts results as testharnessreport.js does. */
  private static final String REPORT =
      """
      <!doctype html><body><script>
      const post = message => fetch('/weblocks/results', {
        method: 'POST', keepalive: true,
        body: JSON.stringify({page: location.href, ...message}),
      });
      const complete = name => post({
        type: 'completion', status: 0, message: null, subtests: [{name, status: 0, message: null}],
      });
      post({type: 'loaded'});
      """;

  private final MiniatureWpt wpt = new MiniatureWpt();
  private static final Driver UNUSED = Driver.threadPool(1);
  private static final EmbedBrowser BROWSER =
      new EmbedBrowser(
          UNUSED, List.of(), message -> {}, SteppedStageTest::names, new PageLocks(Set.of(), null));
  private final ExecutorService executor = Executors.newCachedThreadPool();

  private volatile boolean hasLoaded;

  /** Actions of timers in real time, which fire only when a test runs them. */
  private final List<Runnable> guards = Collections.synchronizedList(new ArrayList<>());

  private static String names(List<LockEntry> entries) {
    return String.join(",", entries.stream().map(entry -> entry.name() + entry.place()).toList());
  }

  @AfterEach
  void close() {
    executor.shutdown();
  }

  @AfterAll
  static void closeBrowser() {
    BROWSER.close();
    UNUSED.close();
  }

  private Timers.Timer realTime(Duration delay, Runnable action) {
    if (delay.equals(TestRunner.Settings.of(1, 1).stopLimit())) {
      return () -> {}; // no limit for pages to stop
    }
    guards.add(action);
    return () -> guards.remove(action);
  }

  private List<TestResult> run(long seed, int jobs, RunListener listener, String... scripts) {
    List<WptTest> tests = new ArrayList<>();
    for (int i = 0; i < scripts.length; i++) {
      String id = "/dir/test" + i + ".https.html";
      wpt.file(id.substring(1), REPORT + scripts[i] + "</script>");
      tests.add(
          new WptTest(
              id,
              id,
              TestKind.PAGE,
              TestTimeout.NORMAL,
              WptHosts.standard().origin(/* https= */ true, /* www= */ false) + id,
              null));
    }
    WptFiles files = new WptFiles(wpt.root());
    TestRunner runner =
        new TestRunner(
            test -> BROWSER.deterministic(seed),
            (test, collector, stage) -> {
              WptServer server =
                  new WptServer(
                      WptHosts.standard(), files, "", collector, stage.ids(), stage.timers(), null);
              return request -> {
                hasLoaded |= request.url().endsWith(WptServer.RESULTS_PATH);
                return server.load(request);
              };
            },
            this::realTime,
            InstantSource.system(),
            executor,
            TestRunner.Settings.of(jobs, 1));
    return runner.start(tests, listener).results().toCompletableFuture().join();
  }

  private List<TestResult> run(long seed, int jobs, String... scripts) {
    return run(seed, jobs, NOBODY, scripts);
  }

  private static final RunListener NOBODY =
      new RunListener() {
        @Override
        public void started(WptTest test) {}

        @Override
        public void finished(TestResult result) {}
      };

  private static String subtest(TestResult result) {
    assertEquals(HarnessStatus.OK, result.status(), () -> result + "");
    return result.subtests().getFirst().name();
  }

  @Test
  void timers_and_delayed_responses_take_no_real_time() {
    TestResult result =
        run(
                1,
                1,
                """
                const begin = performance.now();
                setTimeout(async () => {
                  await fetch('/common/slow.py?delay=4000');
                  complete(`${Math.round((performance.now() - begin) / 1000)} s`);
                }, 5000);
                """)
            .getFirst();
    assertEquals("9 s", subtest(result));
    assertEquals(List.of(), guards);
  }

  @Test
  void incomplete_test_times_out_in_virtual_time_and_shows_its_locks() {
    TestResult result =
        run(
                1,
                1,
                """
                navigator.locks.request('a', () => new Promise(() => {}));
                navigator.locks.request('a', () => {});
                setInterval(() => {}, 1000);
                """)
            .getFirst();
    assertEquals(HarnessStatus.TIMEOUT, result.status());
    assertEquals("the page was not complete within 15 s; locks:\na0,a1", result.message());
    assertEquals(List.of(), guards);
  }

  private static final String ORDER =
      """
      const log = [Math.random(), crypto.randomUUID(), Date.now()];
      for (const name of ['a', 'b', 'c']) {
        navigator.locks.request(name, () => { log.push(name); });
        fetch('/common/slow.py?delay=1').then(() => log.push('slow ' + name));
      }
      setTimeout(() => complete(log.join()), 1000);
      """;

  @Test
  void results_of_a_seed_do_not_depend_on_the_number_of_jobs() {
    List<String> first = run(5, 1, ORDER, ORDER, ORDER).stream().map(r -> subtest(r)).toList();
    assertEquals(first.get(0), first.get(1), "each test has a world of its own");
    assertEquals(first, run(5, 3, ORDER, ORDER, ORDER).stream().map(r -> subtest(r)).toList());
    assertFalse(first.contains(subtest(run(6, 1, ORDER).getFirst())));
  }

  @Test
  void ids_generated_by_the_server_come_from_the_seed() {
    wpt.file("dir/id.sub.txt", "{{uuid()}}");
    String script = "fetch('/dir/id.sub.txt').then(r => r.text()).then(complete);";
    String id = subtest(run(5, 1, script).getFirst());
    assertTrue(
        id.matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"), id);
    assertEquals(id, subtest(run(5, 1, script).getFirst()));
    assertFalse(id.equals(subtest(run(6, 1, script).getFirst())));
  }

  /** A listener that fires the real-time timers repeatedly once the page has loaded. */
  private final class RealTime implements RunListener {
    private final AtomicBoolean over = new AtomicBoolean();

    @Override
    public void started(WptTest test) {
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            while (!over.get()) {
              Runnable next = hasLoaded && !guards.isEmpty() ? guards.removeFirst() : null;
              if (next == null) {
                Thread.onSpinWait();
              } else {
                next.run();
              }
            }
          });
    }

    @Override
    public void finished(TestResult result) {
      over.set(true);
    }
  }

  @Test
  void endless_step_is_ended_by_the_guard_in_real_time() {
    TestResult result = run(1, 1, new RealTime(), "while (true);").getFirst();
    assertEquals(HarnessStatus.TIMEOUT, result.status());
    assertEquals("a step has not ended within 15 s of real time", result.message());
  }

  @Test
  void endless_test_of_many_steps_is_ended_by_the_guard() {
    TestResult result =
        run(
                1,
                1,
                new RealTime(),
                """
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => port1.postMessage(0);
                port2.onmessage = () => port2.postMessage(0);
                port1.postMessage(0);
                """)
            .getFirst();
    assertEquals(HarnessStatus.TIMEOUT, result.status());
    assertTrue(result.message().endsWith(" of real time"), result.message());
  }
}
