package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.expect.Expectations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TestRunnerTest {

  private static final String A = "/dir/a.any.html";
  private static final String B = "/dir/b.any.html";

  private final MiniatureWpt wpt = new MiniatureWpt();
  private final FakeTimers timers = new FakeTimers();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> events = new ArrayList<>();
  private Predicate<TestResult> enough = result -> false;

  private static WptTest test(String id, TestTimeout timeout) {
    return new WptTest(
        id, id, TestKind.ANY_WINDOW, timeout, "http://web-platform.test:8000" + id, null);
  }

  private static WptTest crashtest(String id) {
    return new WptTest(
        id, id, TestKind.CRASHTEST, TestTimeout.NORMAL, "http://web-platform.test:8000" + id, null);
  }

  private CompletableFuture<List<TestResult>> run(
      FakeBrowser browser, TestRunner.Settings settings, WptTest... tests) {
    return run(browser, settings, events::add, tests);
  }

  private CompletableFuture<List<TestResult>> run(
      FakeBrowser browser,
      TestRunner.Settings settings,
      Consumer<String> listening,
      WptTest... tests) {
    return start(browser, settings, listening, tests).results().toCompletableFuture();
  }

  private TestRunner.Running start(
      FakeBrowser browser,
      TestRunner.Settings settings,
      Consumer<String> listening,
      WptTest... tests) {
    TestRunner runner =
        new TestRunner(
            test -> new Stage.Real(browser, timers, UUID::randomUUID),
            (test, results, stage) ->
                new WptServer(
                    WptHosts.standard(),
                    new WptFiles(wpt.root()),
                    "",
                    results,
                    () -> new UUID(0, 0),
                    timers,
                    null),
            timers,
            timers,
            tasks::add,
            settings);
    RunListener listener =
        new RunListener() {
          @Override
          public void started(WptTest test) {
            listening.accept("started " + test.id());
          }

          @Override
          public void finished(TestResult result) {
            listening.accept("finished " + result.test().id() + " " + result.status());
          }

          @Override
          public boolean isEnough(TestResult result) {
            return enough.test(result);
          }
        };
    TestRunner.Running running = runner.start(List.of(tests), listener);
    runTasks();
    return running;
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private void advance(Duration time) {
    timers.advance(time);
    runTasks();
  }

  private static void nothing(FakeBrowser.Page page) {}

  private TestResult runOne(FakeBrowser browser, Consumer<FakeBrowser.Page> story) {
    CompletableFuture<List<TestResult>> results =
        run(browser, TestRunner.Settings.of(1, 1), test(A, TestTimeout.NORMAL));
    story.accept(browser.page(A));
    runTasks();
    advance(Duration.ofMinutes(2));
    assertTrue(results.isDone());
    assertEquals(0, timers.pending());
    return results.join().getFirst();
  }

  @Test
  void a_complete_page_is_closed_and_gives_its_own_results() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);

    TestResult result =
        runOne(
            browser,
            page -> {
              advance(Duration.ofMillis(1500));
              page.complete(0, FakeBrowser.Page.subtest("one", 0, "fine"));
              assertFalse(page.closed); // closing blocks, so never on the page's own thread
            });

    assertEquals(HarnessStatus.OK, result.status());
    assertEquals(List.of(new SubtestResult("one", SubtestStatus.PASS, "fine")), result.subtests());
    assertEquals(Duration.ofMillis(1500), result.duration());
    assertTrue(browser.page(A).closed);
    assertEquals(List.of("started " + A, "finished " + A + " OK"), events);
  }

  @Test
  void a_page_that_never_completes_times_out_and_keeps_its_partial_results() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.state("known", false);
              page.state("begun", true);
              page.state("over", true);
              page.result("over", 1, "wrong");
            });

    assertEquals(HarnessStatus.TIMEOUT, result.status());
    assertEquals("the page was not complete within 15 s", result.message());
    assertEquals(
        List.of(
            new SubtestResult("over", SubtestStatus.FAIL, "wrong"),
            new SubtestResult("known", SubtestStatus.NOTRUN, null),
            new SubtestResult("begun", SubtestStatus.TIMEOUT, null)),
        result.subtests());
    assertEquals(Duration.ofSeconds(15), result.duration());
  }

  @Test
  void test_that_times_out_reports_its_locks() {
    TestResult result =
        runOne(new FakeBrowser(TestRunnerTest::nothing), page -> page.locks = "one\ntwo");

    assertEquals("the test harness never ran within 15 s; locks:\none\ntwo", result.message());
  }

  @Test
  void locks_of_the_running_tests_are_reported() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);
    TestRunner.Running running =
        start(browser, TestRunner.Settings.of(1, 1), events::add, test(A, TestTimeout.NORMAL));
    assertEquals(Map.of(), running.locks());
    browser.page(A).locks = "one";
    assertEquals(Map.of(A, "one"), running.locks());
    browser.page(A).complete(0);
    runTasks();
    assertEquals(Map.of(), running.locks());
  }

  @Test
  void test_whose_page_reports_a_timeout_reports_its_locks() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.locks = "one";
              page.complete(2, FakeBrowser.Page.subtest("it", 2, "late"));
            });

    assertEquals(HarnessStatus.TIMEOUT, result.status());
    assertTrue(String.valueOf(result.message()).endsWith("locks:\none"), result::message);
  }

  @Test
  void test_that_fails_before_its_timeout_does_not_report_its_locks() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.locks = "one";
              page.complete(0, FakeBrowser.Page.subtest("it", 1, "wrong"));
            });

    assertFalse(String.valueOf(result.message()).contains("locks"), result::message);
  }

  @Test
  void watchdog_limit_is_the_timeout_times_the_factor_plus_the_margin() {
    TestRunner.Settings settings =
        new TestRunner.Settings(
            1,
            1,
            () -> false,
            0.5,
            test -> false,
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            false);
    CompletableFuture<List<TestResult>> results =
        run(new FakeBrowser(TestRunnerTest::nothing), settings, test(A, TestTimeout.LONG));

    advance(Duration.ofMillis(32_999));
    assertFalse(results.isDone());
    advance(Duration.ofMillis(1));
    assertEquals(HarnessStatus.TIMEOUT, results.join().getFirst().status());
  }

  @Test
  void timeout_of_a_test_expected_to_time_out_is_not_multiplied() {
    TestRunner.Settings settings =
        new TestRunner.Settings(
            1,
            1,
            () -> false,
            8,
            test -> test.id().equals(A),
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            false);
    CompletableFuture<List<TestResult>> results =
        run(new FakeBrowser(TestRunnerTest::nothing), settings, test(A, TestTimeout.NORMAL));

    advance(Duration.ofSeconds(13));

    assertEquals(HarnessStatus.TIMEOUT, results.join().getFirst().status());
    assertEquals(8, settings.timeoutFactorOf(test(B, TestTimeout.NORMAL)));
  }

  @Test
  void tests_with_a_long_timeout_start_first_and_results_keep_their_order() {
    List<TestResult> results =
        run(
                new FakeBrowser(page -> page.complete(0)),
                TestRunner.Settings.of(1, 1).withLongFirst(true),
                test(A, TestTimeout.NORMAL),
                test(B, TestTimeout.LONG))
            .join();

    assertEquals("started " + B, events.getFirst());
    assertEquals(List.of(A, B), results.stream().map(result -> result.test().id()).toList());
  }

  @Test
  void run_starts_no_more_tests_once_its_listener_stops_it() {
    enough = result -> result.test().id().equals(A);

    List<TestResult> results =
        run(
                new FakeBrowser(page -> page.complete(0)),
                TestRunner.Settings.of(1, 1),
                test(A, TestTimeout.NORMAL),
                test(B, TestTimeout.NORMAL))
            .join();

    assertEquals(1, results.size());
    assertEquals(List.of("started " + A, "finished " + A + " OK"), events);
  }

  @Test
  void page_without_the_harness_is_an_error_soon_after_it_loads() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.listener.uncaughtError("SyntaxError: strange");
              page.listener.uncaughtError("another");
              page.listener.loaded();
            });

    assertEquals(HarnessStatus.ERROR, result.status());
    assertEquals(
        "the page has loaded, but its test harness never ran; uncaught: SyntaxError: strange",
        result.message());
    assertEquals(Duration.ofSeconds(5), result.duration());
  }

  @Test
  void failure_of_a_preload_script_is_an_error_whatever_the_test_reports() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.listener.preloadFailed("Uncaught Error: mine (preload.js:2:3)");
              page.complete(0);
            });

    assertEquals(HarnessStatus.ERROR, result.status());
    assertEquals(
        "a preload script failed: Uncaught Error: mine (preload.js:2:3)", result.message());
  }

  @Test
  void explanations_of_a_result_are_on_the_first_line_of_its_message() {
    wpt.file("dir/echo.py", "pass");
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.listener.uncaughtError("SyntaxError: strange (u:1:2)\n  let x y\n        ^");
              page.load("/dir/echo.py");
              page.listener.loaded();
            });

    assertEquals(
        """
        the page has loaded, but its test harness never ran; uncaught: SyntaxError: strange \
        (u:1:2); the handler /dir/echo.py has no implementation in Java
          let x y
                ^\
        """,
        result.message());
  }

  @Test
  void a_loaded_page_with_the_harness_has_the_full_timeout() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.post("\"type\":\"loaded\"");
              page.listener.loaded();
              advance(Duration.ofSeconds(9));
              page.complete(0);
            });

    assertEquals(HarnessStatus.OK, result.status());
  }

  @Test
  void page_that_ends_itself_is_an_error_unless_its_results_arrive() {
    TestResult silent = runOne(new FakeBrowser(TestRunnerTest::nothing), p -> p.listener.ended());

    assertEquals(HarnessStatus.ERROR, silent.status());
    assertEquals("the page ended before its tests were complete", silent.message());
    assertEquals(Duration.ofSeconds(5), silent.duration());

    TestResult heard =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.listener.ended();
              page.complete(0);
            });
    assertEquals(HarnessStatus.OK, heard.status());
  }

  @Test
  void a_page_that_cannot_be_loaded_is_an_error() {
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> page.listener.loadFailed(new java.io.IOException("no route")));

    assertEquals(HarnessStatus.ERROR, result.status());
    assertEquals("the page did not load: IOException: no route", result.message());
  }

  @Test
  void failure_of_the_user_agent_is_a_crash_that_keeps_earlier_results() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);
    TestResult result =
        runOne(
            browser,
            page -> {
              page.result("early", 0, "");
              page.listener.crashed(new IllegalStateException("broken"));
            });

    assertEquals(HarnessStatus.CRASH, result.status());
    assertEquals("the user agent failed: IllegalStateException: broken", result.message());
    assertEquals(1, result.subtests().size());
    assertTrue(browser.page(A).closed);
  }

  @Test
  void browser_that_cannot_open_is_a_crash_and_the_run_continues() {
    CompletableFuture<List<TestResult>> results =
        run(
            new FakeBrowser(page -> {
              throw new StackOverflowError();
            }),
            TestRunner.Settings.of(1, 1),
            test(A, TestTimeout.NORMAL),
            test("/dir/b.any.html", TestTimeout.NORMAL));

    assertEquals(
        List.of(HarnessStatus.CRASH, HarnessStatus.CRASH),
        results.join().stream().map(TestResult::status).toList());
  }

  @Test
  void failure_to_close_a_page_is_a_crash_even_after_completion() {
    FakeBrowser browser =
        new FakeBrowser(page ->
            page.onClose =
                () -> {
                  throw new IllegalStateException("stuck");
                });

    TestResult result = runOne(browser, page -> page.complete(0));

    assertEquals(HarnessStatus.CRASH, result.status());
    assertEquals(
        "the user agent failed while closing: IllegalStateException: stuck", result.message());
  }

  @Test
  void user_agent_that_does_not_stop_is_reported_and_abandoned() {
    FakeBrowser browser =
        new FakeBrowser(page -> page.onClose = () -> timers.advance(Duration.ofSeconds(31)));

    TestResult result = runOne(browser, page -> page.complete(0));

    assertEquals(HarnessStatus.CRASH, result.status());
    assertEquals("the user agent has not stopped within PT30S", result.message());
    assertEquals(1, events.stream().filter(event -> event.startsWith("finished")).count());
  }

  @Test
  void missing_server_features_explain_a_missing_result() {
    wpt.file("dir/echo.py", "pass");
    TestResult result =
        runOne(
            new FakeBrowser(TestRunnerTest::nothing),
            page -> {
              page.post("\"type\":\"loaded\"");
              page.load("/dir/echo.py");
            });

    assertEquals(
        "the page was not complete within 15 s; the handler /dir/echo.py has no implementation in"
            + " Java",
        result.message());
  }

  @Test
  void missing_server_features_explain_failing_subtests_but_not_passes() {
    wpt.file("dir/echo.py", "pass");
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);

    TestResult failing =
        runOne(
            browser,
            page -> {
              page.load("/dir/echo.py");
              page.complete(0, FakeBrowser.Page.subtest("a", 1, ""));
            });
    assertEquals("the handler /dir/echo.py has no implementation in Java", failing.message());
    TestResult passing =
        runOne(
            browser,
            page -> {
              page.load("/dir/echo.py");
              page.complete(0, FakeBrowser.Page.subtest("a", 0, ""));
            });
    assertNull(passing.message());
  }

  @Test
  void number_of_jobs_limits_running_tests_and_results_keep_test_order() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);
    CompletableFuture<List<TestResult>> results =
        run(
            browser,
            TestRunner.Settings.of(2, 1),
            test("/1", TestTimeout.NORMAL),
            test("/2", TestTimeout.NORMAL),
            test("/3", TestTimeout.NORMAL));
    assertEquals(List.of("/1", "/2"), browser.opened);

    browser.page("/2").complete(0);
    runTasks();
    assertEquals(List.of("/1", "/2", "/3"), browser.opened);
    browser.page("/3").complete(0);
    browser.page("/1").complete(1);
    runTasks();

    assertEquals(
        List.of("/1", "/2", "/3"), results.join().stream().map(r -> r.test().id()).toList());
    assertEquals(HarnessStatus.ERROR, results.join().getFirst().status());
  }

  @Test
  void more_tests_run_while_the_others_only_wait() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);
    AtomicBoolean idle = new AtomicBoolean();
    CompletableFuture<List<TestResult>> results =
        run(
            browser,
            TestRunner.Settings.of(1, 1).withMoreJobs(2, idle::get),
            test("/1", TestTimeout.NORMAL),
            test("/2", TestTimeout.NORMAL),
            test("/3", TestTimeout.NORMAL),
            test("/4", TestTimeout.NORMAL));
    advance(Duration.ofSeconds(1));
    assertEquals(List.of("/1"), browser.opened);

    idle.set(true);
    advance(Duration.ofSeconds(1));
    assertEquals(List.of("/1", "/2"), browser.opened);

    idle.set(false);
    browser.page("/1").complete(0);
    advance(Duration.ofSeconds(1));
    assertEquals(List.of("/1", "/2"), browser.opened);

    browser.page("/2").complete(0);
    advance(Duration.ofSeconds(1));
    assertEquals(List.of("/1", "/2", "/3"), browser.opened);
    browser.page("/3").complete(0);
    runTasks();
    browser.page("/4").complete(0);
    runTasks();
    assertEquals(4, results.join().size());
    advance(Duration.ofSeconds(1));
    assertEquals(0, timers.pending());
  }

  @Test
  void crashtest_gets_its_report_script_and_passes_when_it_reports() {
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);
    CompletableFuture<List<TestResult>> results =
        run(
            browser,
            TestRunner.Settings.of(2, 1),
            crashtest("/dir/crashtests/a.html"),
            test(A, TestTimeout.NORMAL));
    FakeBrowser.Page page = browser.page("/dir/crashtests/a.html");
    assertEquals(
        List.of("crashtestreport.js"), page.scripts.stream().map(PreloadScript::name).toList());
    assertEquals(List.of(), browser.page(A).scripts);

    page.post("\"type\":\"loaded\"");
    page.listener.uncaughtError("script may fail there");
    page.listener.loaded();
    advance(Duration.ofSeconds(6));
    assertFalse(page.closed);
    page.post("\"type\":\"crashtest\"");
    browser.page(A).complete(0);
    runTasks();

    TestResult result = results.join().getFirst();
    assertEquals(HarnessStatus.PASS, result.status());
    assertEquals(List.of(), result.subtests());
    assertNull(result.message());
    assertEquals(List.of(), Expectations.none().compare(result));
  }

  @Test
  void endless_crashtest_times_out_and_crashing_crashtest_is_a_crash() {
    FakeBrowser browser =
        new FakeBrowser(page -> {
          page.post("\"type\":\"loaded\"");
          page.listener.loaded();
        });
    CompletableFuture<List<TestResult>> results =
        run(browser, TestRunner.Settings.of(2, 1), crashtest("/a-crash.html"), crashtest("/b"));

    browser.page("/b").listener.crashed(new IllegalStateException("broken"));
    advance(Duration.ofMinutes(1));

    assertEquals(
        List.of(HarnessStatus.TIMEOUT, HarnessStatus.CRASH),
        results.join().stream().map(TestResult::status).toList());
    assertEquals("the page was not complete within 15 s", results.join().getFirst().message());
    assertEquals(
        List.of(
            new Expectations.Deviation(
                "/b",
                null,
                "PASS",
                "CRASH",
                "the user agent failed: IllegalStateException: broken")),
        Expectations.none().compare(results.join().getLast()));
  }

  @Test
  void unsupported_tests_are_left_out_and_give_no_results() {
    WptTest unsupported =
        new WptTest("/x", "/x", TestKind.PAGE, TestTimeout.NORMAL, "http://h/x", "not yet");
    FakeBrowser browser = new FakeBrowser(TestRunnerTest::nothing);

    assertEquals(List.of(), run(browser, TestRunner.Settings.of(1, 1), unsupported).join());
    assertEquals(List.of(), browser.opened);
  }

  @Test
  void listener_failure_for_a_page_that_does_not_stop_fails_the_run() {
    IllegalStateException defect = new IllegalStateException("listener");
    FakeBrowser browser =
        new FakeBrowser(page -> page.onClose = () -> timers.advance(Duration.ofSeconds(31)));
    CompletableFuture<List<TestResult>> results =
        run(
            browser,
            TestRunner.Settings.of(1, 1),
            event -> {
              if (event.startsWith("finished")) {
                throw defect;
              }
            },
            test(A, TestTimeout.NORMAL),
            test("/dir/b.any.html", TestTimeout.NORMAL));

    browser.page(A).complete(0);
    runTasks();

    assertTrue(results.isDone());
    CompletionException failure = assertThrows(CompletionException.class, results::join);
    assertEquals(defect, failure.getCause());
    assertEquals(List.of(A), browser.opened);
  }

  @Test
  void a_failing_listener_fails_the_run_instead_of_hanging_it() {
    IllegalStateException defect = new IllegalStateException("listener");
    CompletableFuture<List<TestResult>> results =
        run(
            new FakeBrowser(page -> page.complete(0)),
            TestRunner.Settings.of(1, 1),
            event -> {
              if (event.startsWith("finished")) {
                throw defect;
              }
            },
            test(A, TestTimeout.NORMAL));

    assertEquals(defect, assertThrows(CompletionException.class, results::join).getCause());
  }

  @Test
  void invalid_settings_are_refused_with_their_value() {
    assertEquals(
        "jobs is 0: at least 1 is needed",
        assertThrows(IllegalArgumentException.class, () -> TestRunner.Settings.of(0, 1))
            .getMessage());
    assertEquals(
        "timeoutFactor is NaN: a positive number is needed",
        assertThrows(IllegalArgumentException.class, () -> TestRunner.Settings.of(1, Double.NaN))
            .getMessage());
  }
}
