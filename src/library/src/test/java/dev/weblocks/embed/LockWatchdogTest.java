package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.model.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports about requests that wait for too long. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockWatchdogTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<DeadlockReport> reports = new ArrayList<>();
  private final List<Duration> times = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final UserAgent userAgent =
      builder(driver)
          .lockWatchdog(
              LIMIT,
              report -> {
                reports.add(report);
                times.add(driver.elapsed());
              })
          .build();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private UserAgent.Builder builder(Driver of) {
    return UserAgent.newBuilder()
        .driver(of)
        .environment(SharedEnvironment.ENVIRONMENT)
        .lockPositions(true)
        .errorListener(error -> errors.add(error.message()))
        .consoleListener(message -> log.add(message.text()))
        .resourceLoader(request ->
            CompletableFuture.completedFuture(
                ResourceResponse.of(
                    request.url(),
                    "text/html",
                    "<script>" + scriptOf(request.url()) + "</script>")));
  }

  private static String scriptOf(String url) {
    return java.net.URLDecoder.decode(
        url.substring(url.indexOf('?') + 1).replace("+", "%2B"),
        java.nio.charset.StandardCharsets.UTF_8);
  }

  private static Window open(UserAgent in, String script) {
    return in.open(
        "https://one.test/?"
            + java.net.URLEncoder.encode(script, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20"));
  }

  private static List<Long> seconds(List<Duration> times) {
    return times.stream().map(Duration::toSeconds).toList();
  }

  @Test
  void each_request_is_reported_once_when_its_wait_reaches_the_limit() {
    open(userAgent, "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 60_000)));");
    open(
        userAgent,
        """
        setTimeout(() => navigator.locks.request('a', () => {}), 1000);
        setTimeout(() => navigator.locks.request('a', {mode: 'shared'}, () => {}), 3000);
        setInterval(() => navigator.locks.query(), 700);
        """);
    assertTrue(runFor(59));
    assertEquals(List.of(6L, 8L), seconds(times));
    DeadlockReport first = reports.getFirst();
    assertEquals(1, first.late().size());
    assertEquals(2, first.locks().stream().filter(entry -> !entry.isHeld()).count());
    assertEquals(5, first.late().getFirst().age().toSeconds());
    assertEquals(LockMode.EXCLUSIVE, first.late().getFirst().mode());
    assertTrue(first.late().getFirst().position().startsWith("https://one.test/"));
    assertFalse(first.hasCycle());
    assertEquals(LockMode.SHARED, reports.getLast().late().getFirst().mode());
    assertEquals(List.of(), errors);
  }

  /** Runs for some seconds of virtual time; returns whether work is left. */
  private boolean runFor(long seconds) {
    Duration until = driver.elapsed().plusSeconds(seconds);
    while (driver.runOneUntil(until)) {
      // each call is one step
    }
    return driver.runOne();
  }

  @Test
  void requests_that_end_or_are_granted_within_the_limit_are_not_reported() {
    open(
        userAgent,
        """
        const held = ms => () => new Promise(r => setTimeout(r, ms));
        navigator.locks.request('a', held(4900));
        navigator.locks.request('a', held(4900));
        navigator.locks.request('b', held(60_000));
        navigator.locks.request('b', {signal: AbortSignal.timeout(4000)}, () => {}).catch(() => {});
        navigator.locks.request('b', {ifAvailable: true}, () => {});
        """);
    driver.runUntilIdle(100_000);
    assertEquals(List.of(), reports);
    assertEquals(List.of(), userAgent.locks());
  }

  @Test
  void watchdog_reports_again_when_a_later_request_waits_too_long() {
    open(
        userAgent,
        """
        const held = ms => () => new Promise(r => setTimeout(r, ms));
        navigator.locks.request('a', held(10_000));
        navigator.locks.request('a', held(1));
        setTimeout(() => {
          navigator.locks.request('b', held(30_000));
          navigator.locks.request('b', () => {});
        }, 20_000);
        """);
    driver.runUntilIdle(100_000);
    assertEquals(List.of(5L, 25L), seconds(times));
    assertEquals(
        List.of("a", "b"),
        reports.stream().map(report -> report.late().getFirst().name()).toList());
  }

  @Test
  void cycle_is_reported_while_its_agents_run_other_tasks() {
    String nested =
        """
        setInterval(() => {}, 1000);
        navigator.locks.request('%s', async () => {
          await new Promise(r => setTimeout(r, 10));
          await navigator.locks.request('%s', () => {});
        });
        """;
    Window one = open(userAgent, nested.formatted("a", "b"));
    Window two = open(userAgent, nested.formatted("b", "a"));
    assertTrue(runFor(30));
    assertTrue(reports.getLast().hasCycle());
    List<WaitForGraph.Wait> cycle = reports.getLast().graph().cycles().getFirst();
    assertEquals(2, cycle.size());
    assertEquals(
        List.of(one.name(), two.name()),
        cycle.stream().map(wait -> wait.request().agent()).sorted().toList());
    assertEquals(2, reports.stream().mapToInt(report -> report.late().size()).sum());
  }

  @Test
  void request_with_an_inline_lock_step_is_reported() {
    try (UserAgent other =
        builder(driver)
            .variants(Set.of(Variant.CALLBACK_INSIDE_REQUEST))
            .lockWatchdog(LIMIT, reports::add)
            .build()) {
      open(
          other,
          """
          navigator.locks.request('a', () => new Promise(() => {}));
          navigator.locks.request('a', () => {});
          """);
      driver.runUntilIdle(100_000);
    }
    assertEquals(1, reports.size());
    assertEquals(1, reports.getFirst().late().size());
    assertEquals(List.of(), errors);
  }

  @Test
  void reentrant_request_is_reported_as_waiting_only_for_other_clients() {
    try (UserAgent other =
        builder(driver)
            .variants(Set.of(Variant.REENTRANT))
            .lockWatchdog(LIMIT, reports::add)
            .build()) {
      open(
          other,
          """
          navigator.locks.request('a', {mode: 'shared', reentrant: true}, async () => {
            await new Promise(r => setTimeout(r, 100));
            await navigator.locks.request('a', () => {});
          });
          """);
      open(other, "navigator.locks.request('a', {mode: 'shared'}, () => new Promise(() => {}));");
      driver.runUntilIdle(100_000);
    }
    assertEquals(1, reports.size());
    DeadlockReport report = reports.getFirst();
    assertEquals(1, report.late().size());
    assertFalse(report.hasCycle());
    assertEquals(1, report.graph().waits().size());
    assertFalse(report.graph().waits().getFirst().isForItself());
    assertEquals(List.of(), errors);
  }

  private UserAgent earlyDraft() {
    return builder(driver)
        .variants(Set.of(Variant.EARLY_DRAFT))
        .lockWatchdog(LIMIT, reports::add)
        .build();
  }

  @Test
  void early_draft_request_is_reported_once_with_an_entry_per_name() {
    try (UserAgent other = earlyDraft()) {
      open(other, "navigator.locks.acquire(['a', 'b'], () => new Promise(() => {}));");
      open(
          other,
          """
          setTimeout(() => navigator.locks.acquire(['b', 'c'], () => {}), 1000);
          setInterval(() => navigator.locks.queryState(), 700);
          """);
      assertTrue(runFor(60));
    }
    assertEquals(1, reports.size());
    DeadlockReport report = reports.getFirst();
    assertEquals(List.of("b", "c"), report.late().stream().map(LockEntry::name).toList());
    assertEquals(5, report.late().getFirst().age().toSeconds());
    assertTrue(report.late().getFirst().position().startsWith("https://one.test/"));
    assertEquals(1, report.graph().waits().size());
    assertFalse(report.hasCycle());
    assertEquals(List.of(), errors);
  }

  @Test
  void early_draft_cycle_through_several_names_is_reported() {
    try (UserAgent other = earlyDraft()) {
      Window one =
          open(
              other,
              """
              navigator.locks.acquire('a', async () => {
                await new Promise(r => setTimeout(r, 1000));
                await navigator.locks.acquire('b', () => {});
              });
              """);
      Window two =
          open(
              other,
              "setTimeout(() => navigator.locks.acquire(['a', 'b'], () => {}), 100);"
                  + " setInterval(() => {}, 1000);");
      assertTrue(runFor(30));
      List<WaitForGraph.Wait> cycle = reports.getLast().graph().cycles().getFirst();
      assertEquals(
          List.of(one.name(), two.name()),
          cycle.stream().map(wait -> wait.request().agent()).sorted().toList());
      assertEquals(List.of("a", "b"), cycle.stream().map(wait -> wait.request().name()).toList());
    }
    assertEquals(3, reports.stream().mapToInt(report -> report.late().size()).sum());
  }

  @Test
  void early_draft_requests_granted_in_time_are_not_reported() {
    try (UserAgent other = earlyDraft()) {
      open(
          other,
          """
          const held = ms => () => new Promise(r => setTimeout(r, ms));
          navigator.locks.acquire(['a', 'b'], held(4900));
          navigator.locks.acquire(['b', 'c'], held(4900));
          navigator.locks.acquire('a', {ifAvailable: true}, () => {});
          """);
      driver.runUntilIdle(100_000);
      assertEquals(List.of(), other.locks());
    }
    assertEquals(List.of(), reports);
  }

  @Test
  void early_draft_request_for_a_free_lock_starts_no_timer() {
    try (UserAgent other = earlyDraft()) {
      open(other, "navigator.locks.acquire('a', () => { console.log('granted'); });");
      driver.runUntilIdle(100_000);
    }
    assertEquals(List.of("granted"), log);
    assertTrue(driver.elapsed().compareTo(LIMIT) < 0, () -> "at rest " + driver.elapsed());
  }

  @Test
  void exception_of_a_listener_is_reported_and_the_run_continues() {
    try (UserAgent other =
        builder(driver)
            .lockWatchdog(
                LIMIT,
                report -> {
                  throw new IllegalStateException("no time");
                })
            .build()) {
      open(
          other,
          """
          navigator.locks.request('a', () => new Promise(r => setTimeout(r, 10_000)));
          navigator.locks.request('a', () => { console.log('granted'); });
          """);
      driver.runUntilIdle(100_000);
    }
    assertEquals(List.of("granted"), log);
    assertEquals(1, errors.size());
    assertTrue(errors.getFirst().contains("no time"), errors.getFirst());
  }

  @Test
  void out_of_memory_flag_is_set_if_a_listener_throws_that_error() {
    List<UncaughtError> uncaught = new ArrayList<>();
    for (Error thrown :
        List.of(new OutOfMemoryError("Java heap space"), new StackOverflowError("deep"))) {
      try (UserAgent other =
          builder(driver)
              .errorListener(uncaught::add)
              .lockWatchdog(
                  LIMIT,
                  report -> {
                    throw thrown;
                  })
              .build()) {
        open(
            other,
            "navigator.locks.request('a', () => new Promise(() => {}));"
                + "navigator.locks.request('a', () => {});");
        driver.runUntilIdle(100_000);
      }
    }
    assertEquals(List.of(true, false), uncaught.stream().map(UncaughtError::outOfMemory).toList());
    assertEquals(
        Set.of(UncaughtError.Kind.DEFECT),
        uncaught.stream().map(UncaughtError::kind).collect(Collectors.toSet()));
    assertTrue(uncaught.getFirst().message().contains("Java heap space"));
  }

  @Test
  void user_agent_becomes_quiescent_while_its_watchdog_waits() {
    open(
        userAgent,
        "navigator.locks.request('a', () => new Promise(() => {}));"
            + "navigator.locks.request('a', () => {});");
    CompletableFuture<Void> rest = null;
    while (driver.elapsed().compareTo(LIMIT) < 0 && driver.runOne()) {
      if (rest == null && userAgent.locks().size() == 2) {
        rest = userAgent.quiescent();
      }
      if (rest != null && rest.isDone()) {
        break;
      }
    }
    assertTrue(
        driver.elapsed().compareTo(Duration.ofSeconds(1)) < 0, "at rest " + driver.elapsed());
    driver.runUntilIdle(10);
    assertEquals(1, reports.size());
  }

  @Test
  void watchdog_uses_real_time_on_a_pool() {
    CompletableFuture<DeadlockReport> told = new CompletableFuture<>();
    try (Driver pool = Driver.threadPool(2);
        UserAgent other =
            builder(pool).lockWatchdog(Duration.ofMillis(1), told::complete).build()) {
      open(
          other,
          "navigator.locks.request('a', () => new Promise(() => {}));"
              + "navigator.locks.request('a', () => {}); setInterval(() => {}, 1);");
      DeadlockReport report = told.join();
      assertEquals("a", report.late().getFirst().name());
      assertTrue(report.late().getFirst().age().compareTo(Duration.ofMillis(1)) >= 0);
    }
  }

  @Test
  void invalid_limits_are_refused() {
    for (Duration bad :
        List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(1_000_000))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> UserAgent.newBuilder().lockWatchdog(bad, report -> {}));
    }
  }
}
