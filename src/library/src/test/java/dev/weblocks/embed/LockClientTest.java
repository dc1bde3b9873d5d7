package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Java code that shares locks with script. */
class LockClientTest {

  private static final String HOLD =
      "navigator.locks.request('a', () => {"
          + " console.log('script holds'); return new Promise(() => {});"
          + "}).catch(e => console.log(e.name));";

  private final Scenario scenario = new Scenario(7);
  private final UserAgent userAgent = scenario.userAgent();
  private final LockClient java = userAgent.openLockClient(Scenario.ORIGIN);

  @AfterEach
  void close() {
    scenario.close();
  }

  private static <T> T now(CompletableFuture<T> future) {
    assertTrue(future.isDone(), "not complete yet");
    return future.join();
  }

  private static <T> Throwable failure(CompletableFuture<T> future) {
    assertTrue(future.isCompletedExceptionally(), "did not fail: " + future);
    try {
      future.join();
    } catch (CompletionException wrapped) {
      return wrapped.getCause();
    } catch (CancellationException cancelled) {
      return cancelled;
    }
    throw new AssertionError("no failure");
  }

  private HeldLock held(String name) {
    CompletableFuture<HeldLock> request = java.request(name);
    scenario.run();
    return now(request);
  }

  @Test
  void script_waits_for_a_lock_that_java_holds() {
    HeldLock lock = held("a");
    scenario.window("navigator.locks.request('a', () => console.log('script holds'));").run();
    assertEquals(List.of(), scenario.log());
    lock.close();
    assertEquals(List.of("script holds"), scenario.run());
    assertFalse(lock.isHeld());
  }

  @Test
  void java_waits_for_a_lock_that_script_holds() {
    scenario
        .window(
            "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 1000)))"
                + ".then(() => console.log('released'));")
        .runFor(500);
    CompletableFuture<HeldLock> request = java.request("a");
    scenario.runFor(100);
    assertFalse(request.isDone());
    scenario.run();
    assertTrue(now(request).isHeld());
    assertEquals(List.of("released"), scenario.log());
  }

  @Test
  void java_and_script_share_one_queue_in_order_of_arrival() {
    List<String> order = new ArrayList<>();
    HeldLock first = held("a");
    java.withLock("a", lock -> done(order, "java 1"));
    scenario.runFor(1);
    scenario.window("navigator.locks.request('a', () => console.log('script'));").runFor(1000);
    java.withLock(
        "a",
        lock -> {
          order.addAll(scenario.log());
          return done(order, "java 2");
        });
    scenario.run();
    first.close();
    scenario.run();
    assertEquals(List.of("java 1", "script", "java 2"), order);
  }

  private static CompletionStage<String> done(List<String> log, String text) {
    log.add(text);
    return CompletableFuture.completedFuture(text);
  }

  @Test
  void shared_locks_are_held_by_java_and_script_together() {
    CompletableFuture<HeldLock> request = java.request("a", LockMode.SHARED);
    scenario
        .window("navigator.locks.request('a', {mode: 'shared'}, l => console.log(l.mode));")
        .run();
    assertEquals(LockMode.SHARED, now(request).mode());
    assertEquals(List.of("shared"), scenario.log());
  }

  @Test
  void java_steals_from_script() {
    scenario.window(HOLD).run();
    CompletableFuture<HeldLock> request = java.steal("a");
    assertEquals(List.of("script holds", "AbortError"), scenario.run());
    assertTrue(now(request).isHeld());
  }

  @Test
  void script_steals_from_java() {
    HeldLock lock = held("a");
    List<LockLoss> losses = new ArrayList<>();
    lock.lost().thenAccept(losses::add);
    scenario
        .window("navigator.locks.request('a', {steal: true}, () => console.log('mine'));")
        .run();
    assertEquals(List.of("mine"), scenario.log());
    assertEquals(List.of(LockLoss.STOLEN), losses);
    assertFalse(lock.isHeld());
    assertTrue(lock.release().toCompletableFuture().isDone());
    lock.close();
    assertEquals(1, userAgent.metrics().releases(), "that of the thief alone");
  }

  @Test
  void released_lock_is_not_reported_as_lost() {
    HeldLock lock = held("a");
    lock.close();
    lock.close();
    java.steal("a");
    scenario.run();
    assertFalse(lock.lost().toCompletableFuture().isDone());
    assertEquals(1, userAgent.metrics().releases());
  }

  @Test
  void request_if_available_returns_a_free_lock_or_nothing() {
    CompletableFuture<Optional<HeldLock>> free = java.requestIfAvailable("a");
    CompletableFuture<Optional<HeldLock>> taken = java.requestIfAvailable("a");
    scenario.window(
        "navigator.locks.request('a', {ifAvailable: true}, l => console.log(String(l)));");
    scenario.run();
    assertTrue(now(free).orElseThrow().isHeld());
    assertTrue(now(taken).isEmpty());
    assertEquals(List.of("null"), scenario.log());
    assertEquals(2, userAgent.metrics().misses());
  }

  @Test
  void cancelled_request_leaves_the_queue_and_unblocks_the_next_one() {
    CompletableFuture<HeldLock> shared = java.request("a", LockMode.SHARED);
    CompletableFuture<HeldLock> waiting = java.request("a");
    CompletableFuture<HeldLock> behind = java.request("a", LockMode.SHARED);
    scenario.run();
    assertFalse(behind.isDone());
    assertTrue(waiting.cancel(false));
    scenario.run();
    assertTrue(now(shared).isHeld());
    assertTrue(now(behind).isHeld());
    assertEquals(1, userAgent.metrics().aborts());
  }

  @Test
  void completing_the_future_of_a_request_aborts_the_request() {
    HeldLock lock = held("a");
    CompletableFuture<HeldLock> waiting = java.request("a");
    scenario.run();
    waiting.completeExceptionally(new TimeoutException()); // as orTimeout() does
    scenario.run();
    assertEquals(1, userAgent.metrics().aborts());
    assertEquals(0, userAgent.metrics().pending());
    assertTrue(lock.isHeld());
  }

  @Test
  void lock_is_released_when_cancelled_between_grant_and_delivery() {
    CompletableFuture<HeldLock> request = java.request("a");
    while (userAgent.metrics().grants() == 0) {
      scenario.runTurn();
    }
    assertFalse(request.isDone());
    assertTrue(request.cancel(false));
    scenario.run();
    assertEquals(0, userAgent.metrics().held());
    assertEquals(1, userAgent.metrics().releases());
    assertEquals(0, userAgent.metrics().aborts());
  }

  @Test
  void client_closed_between_grant_and_delivery_cancels_the_request() {
    CompletableFuture<HeldLock> request = java.request("a");
    while (userAgent.metrics().grants() == 0) {
      scenario.runTurn();
    }
    assertFalse(request.isDone());
    java.close();
    scenario.run();
    assertInstanceOf(CancellationException.class, failure(request));
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void lock_stolen_between_grant_and_delivery_is_delivered_as_lost() {
    CompletableFuture<HeldLock> request = java.request("a");
    java.steal("a");
    while (userAgent.metrics().steals() == 0) {
      scenario.runTurn();
    }
    scenario.run();
    assertFalse(now(request).isHeld());
    assertEquals(LockLoss.STOLEN, now(request).lost().toCompletableFuture().getNow(null));
  }

  @Test
  void request_cancelled_before_its_lock_step_gets_no_lock() {
    CompletableFuture<HeldLock> request = java.request("a");
    assertTrue(request.cancel(false));
    scenario.run();
    assertEquals(0, userAgent.metrics().held());
    assertTrue(held("a").isHeld());
  }

  @Test
  void cancellation_after_the_grant_changes_nothing() {
    CompletableFuture<HeldLock> request = java.request("a");
    scenario.run();
    assertFalse(request.cancel(true));
    assertTrue(now(request).isHeld());
    assertEquals(1, userAgent.metrics().held());
  }

  @Test
  void work_holds_the_lock_until_its_stage_settles() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> result = java.withLock("a", lock -> stage);
    scenario.window("navigator.locks.request('a', () => console.log('script'));").run();
    assertFalse(result.isDone());
    stage.complete("value");
    assertFalse(result.isDone(), "before the lock is released");
    assertEquals(List.of("script"), scenario.run());
    assertEquals("value", now(result));
  }

  @Test
  void work_that_fails_or_throws_releases_the_lock() {
    IllegalStateException broken = new IllegalStateException("broken");
    CompletableFuture<String> failed =
        java.withLock("a", lock -> CompletableFuture.failedFuture(broken));
    CompletableFuture<String> threw =
        java.withLock(
            "a",
            lock -> {
              throw broken;
            });
    CompletableFuture<String> returnedNull = java.withLock("a", lock -> null);
    scenario.run();
    assertSame(broken, failure(failed));
    assertSame(broken, failure(threw));
    assertInstanceOf(NullPointerException.class, failure(returnedNull));
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void work_whose_lock_is_stolen_fails_at_once() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> result = java.withLock("a", lock -> stage);
    scenario.run();
    java.steal("a");
    scenario.run();
    assertInstanceOf(LockStolenException.class, failure(result));
    assertEquals("the lock 'a' was stolen by another request", failure(result).getMessage());
    stage.complete("late");
    scenario.run();
    assertEquals(1, userAgent.metrics().held(), "the thief's");
  }

  @Test
  void work_that_is_cancelled_while_it_waits_never_runs() {
    List<String> log = new ArrayList<>();
    HeldLock lock = held("a");
    CompletableFuture<String> result = java.withLock("a", mine -> done(log, "ran"));
    scenario.run();
    assertTrue(result.cancel(false));
    lock.close();
    scenario.run();
    assertEquals(List.of(), log);
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void work_cancelled_while_it_runs_keeps_the_lock_until_it_settles() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> result = java.withLock("a", lock -> stage);
    scenario.run();
    result.cancel(true);
    scenario.run();
    assertEquals(1, userAgent.metrics().held());
    stage.complete("done");
    scenario.run();
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void closed_client_releases_its_locks_and_aborts_its_requests() {
    HeldLock lock = held("a");
    List<LockLoss> losses = new ArrayList<>();
    lock.lost().thenAccept(losses::add);
    CompletableFuture<HeldLock> waiting = java.request("a");
    CompletableFuture<LockManagerSnapshot> query = java.query();
    scenario.window("navigator.locks.request('a', () => console.log('script'));").runFor(100);
    CompletableFuture<LockManagerSnapshot> late = java.query();
    java.close();
    java.close();
    assertEquals(List.of("script"), scenario.run());
    assertEquals(List.of(LockLoss.CLIENT_CLOSED), losses);
    assertInstanceOf(CancellationException.class, failure(waiting));
    assertEquals(1, now(query).held().size());
    assertTrue(late.isCompletedExceptionally());
    assertThrows(IllegalStateException.class, () -> java.request("a"));
    assertThrows(IllegalStateException.class, java::query);
    assertEquals(0, userAgent.metrics().held());
    assertEquals(1, userAgent.metrics().aborts());
  }

  @Test
  void closing_a_client_does_not_affect_other_clients() {
    HeldLock lock = held("a");
    LockClient other = userAgent.openLockClient(Scenario.ORIGIN);
    assertNotEquals(java.clientId(), other.clientId());
    CompletableFuture<HeldLock> waiting = other.request("a");
    scenario.run();
    other.close();
    scenario.run();
    assertTrue(waiting.isCompletedExceptionally());
    assertTrue(lock.isHeld());
  }

  @Test
  void waiting_request_fails_when_the_user_agent_ends() {
    HeldLock lock = held("a");
    CompletableFuture<HeldLock> waiting = java.request("a");
    CompletableFuture<String> work = java.withLock("a", mine -> new CompletableFuture<>());
    scenario.run();
    userAgent.close();
    assertInstanceOf(CancellationException.class, failure(waiting));
    assertInstanceOf(CancellationException.class, failure(work));
    assertEquals(LockLoss.CLIENT_CLOSED, lock.lost().toCompletableFuture().getNow(null));
    assertThrows(IllegalStateException.class, () -> userAgent.openLockClient(Scenario.ORIGIN));
  }

  @Test
  void acquire_runs_a_deterministic_driver_until_the_grant() throws Exception {
    scenario
        .window("navigator.locks.request('a', () => new Promise(r => setTimeout(r, 1000)));")
        .runFor(500);
    try (HeldLock lock = java.acquire("a", Duration.ofSeconds(5))) {
      assertTrue(lock.isHeld());
    }
    scenario.run();
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void try_acquire_returns_the_lock_if_free_and_empty_if_held() throws Exception {
    HeldLock lock = java.tryAcquire("a").orElseThrow();
    assertTrue(java.tryAcquire("a").isEmpty());
    lock.close();
    assertTrue(java.tryAcquire("a", LockMode.SHARED).isPresent());
    assertTrue(java.tryAcquire("a", LockMode.SHARED).isPresent());
  }

  @Test
  void acquire_without_a_timeout_fails_when_no_work_is_left_to_run() throws Exception {
    scenario
        .window("navigator.locks.request('a', () => new Promise(r => setTimeout(r, 1000)));")
        .runFor(500);
    HeldLock lock = java.acquire("a");
    assertThrows(IllegalStateException.class, () -> java.acquire("a"));
    scenario.run();
    assertEquals(0, userAgent.metrics().pending());
    lock.close();
    assertTrue(java.acquire("a", LockMode.SHARED).isHeld());
  }

  @Test
  void acquire_times_out_and_aborts_its_request() throws Exception {
    HeldLock lock = held("a");
    TimeoutException late =
        assertThrows(TimeoutException.class, () -> java.acquire("a", Duration.ofSeconds(5)));
    assertEquals(
        "java-1 waited 5.0 s for lock 'a' (exclusive), held by itself, as locks are not reentrant",
        late.getMessage());
    LockClient other = userAgent.openLockClient(Scenario.ORIGIN);
    assertEquals(
        "java-2 waited 5.0 s for lock 'a' (shared), held by java-1 for 10.0 s",
        assertThrows(
                TimeoutException.class,
                () -> other.acquire("a", LockMode.SHARED, Duration.ofSeconds(5)))
            .getMessage());
    scenario.run();
    assertEquals(0, userAgent.metrics().pending());
    lock.close();
    scenario.run();
    assertEquals(0, userAgent.metrics().held());
    assertThrows(IllegalArgumentException.class, () -> java.acquire("a", Duration.ZERO));
    assertTrue(java.acquire("a", Duration.ofDays(1_000_000)).isHeld());
  }

  @Test
  void acquire_refuses_a_thread_on_which_it_would_deadlock() {
    List<String> refusals = new ArrayList<>();
    CompletableFuture<Object> attempt =
        java.request("a")
            .thenApply(lock -> {
              refusals.add(
                  assertThrows(
                          IllegalStateException.class,
                          () -> java.acquire("b", Duration.ofSeconds(1)))
                      .getMessage());
              return lock;
            });
    scenario.run();
    now(attempt);
    assertTrue(
        refusals.get(0).contains("use request() and continue in its stage"), refusals.get(0));
    assertEquals(0, userAgent.metrics().pending());
  }

  @Test
  void query_returns_the_same_result_to_java_and_script() {
    held("a");
    java.request("a", LockMode.SHARED);
    CompletableFuture<LockManagerSnapshot> query = java.query();
    scenario
        .window(
            "navigator.locks.query().then(({held, pending}) => console.log("
                + "[...held, ...pending].map(l => l.name + l.mode + l.clientId).join()));")
        .run();
    LockInfo entry = new LockInfo("a", LockMode.EXCLUSIVE, java.clientId());
    assertEquals(
        new LockManagerSnapshot(
            List.of(entry), List.of(new LockInfo("a", LockMode.SHARED, java.clientId()))),
        now(query));
    assertEquals(
        List.of("aexclusive" + java.clientId() + ",ashared" + java.clientId()), scenario.log());
  }

  @Test
  void lock_entries_name_the_java_client_of_the_lock() {
    LockClient jobs =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Scenario.ORIGIN).name("jobs").build());
    jobs.request("a");
    java.request("b");
    scenario.run();
    assertEquals(
        List.of("jobs a", "java-1 b"),
        userAgent.locks().stream().map(entry -> entry.agent() + " " + entry.name()).toList());
    assertEquals("default", userAgent.locks().get(0).bucket());
  }

  @Test
  void java_shares_locks_of_a_named_bucket_with_script() {
    LockClient inBucket =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Scenario.ORIGIN).bucket("b-1").build());
    held("a");
    scenario
        .window(
            "navigator.storageBuckets.open('b-1').then(b => b.locks.request('a', () => {"
                + "console.log('in bucket'); return new Promise(() => {}); }));")
        .run();
    CompletableFuture<Optional<HeldLock>> attempt = inBucket.requestIfAvailable("a");
    scenario.run();
    assertEquals(List.of("in bucket"), scenario.log());
    assertTrue(now(attempt).isEmpty());
    scenario.window("navigator.storageBuckets.delete('b-1');").run();
    assertThrows(IllegalStateException.class, () -> inBucket.request("a"));
  }

  @Test
  void client_with_a_top_level_origin_shares_locks_with_its_frames() {
    LockClient inFrame =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Scenario.ORIGIN)
                .topLevelOrigin("https://other.test")
                .build());
    scenario
        .resource(
            "/frame.html",
            "<script>navigator.locks.request('a', () => new Promise(() => {}));</script>")
        .resourceAt(
            "https://other.test/top.html", "<iframe src='https://one.test/frame.html'></iframe>")
        .windowAtUrl("https://other.test/top.html")
        .run();
    CompletableFuture<Optional<HeldLock>> there = inFrame.requestIfAvailable("a");
    CompletableFuture<Optional<HeldLock>> here = java.requestIfAvailable("a");
    scenario.run();
    assertTrue(now(there).isEmpty());
    assertTrue(now(here).isPresent());
  }

  @Test
  void invalid_arguments_are_refused_with_a_hint() {
    assertEquals(
        "the lock name '-a' is reserved; use one that does not begin with '-'",
        assertThrows(IllegalArgumentException.class, () -> java.request("-a")).getMessage());
    assertThrows(IllegalArgumentException.class, () -> java.steal("-"));
    for (String origin :
        List.of("one.test", "https://one.test/path", "data:text/plain,x", "https://u@one.test")) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> userAgent.openLockClient(origin))
              .getMessage();
      assertTrue(message.startsWith("origin '" + origin + "' is not an origin"), message);
    }
    for (LockClientOptions.Builder insecure :
        List.of(
            LockClientOptions.newBuilder("http://one.test"),
            LockClientOptions.newBuilder(Scenario.ORIGIN).topLevelOrigin("http://one.test"))) {
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> userAgent.openLockClient(insecure.build()))
              .getMessage();
      assertTrue(
          message.endsWith(
              "rigin 'http://one.test': scripts there have no locks, as it is no secure context;"
                  + " use https, or an origin of this machine, such as http://localhost"),
          message);
    }
    userAgent.openLockClient("http://localhost:8080").close();
    assertThrows(
        IllegalArgumentException.class,
        () ->
            userAgent.openLockClient(
                LockClientOptions.newBuilder(Scenario.ORIGIN).bucket("Bad name").build()));
    assertEquals(0, userAgent.metrics().requests());
  }

  @Test
  void stages_run_on_the_driver_if_the_executor_rejects_them() {
    List<Runnable> tasks = new ArrayList<>();
    boolean[] refuses = {false};
    LockClient client =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Scenario.ORIGIN)
                .executor(task -> {
                  if (refuses[0]) {
                    throw new RejectedExecutionException();
                  }
                  tasks.add(task);
                })
                .build());
    tasks.clear(); // of the check for direct executors
    CompletableFuture<HeldLock> request = client.request("a");
    CompletableFuture<Void> rest = userAgent.quiescent();
    scenario.run();
    assertFalse(request.isDone());
    assertFalse(rest.isDone());
    tasks.remove(0).run();
    assertTrue(now(request).isHeld());
    assertTrue(rest.isDone());
    refuses[0] = true;
    CompletableFuture<HeldLock> other = client.request("b");
    scenario.run();
    assertTrue(now(other).isHeld());
  }

  @Test
  void executor_that_runs_tasks_on_the_submitting_thread_is_refused() {
    LockClientOptions.Builder options = LockClientOptions.newBuilder(Scenario.ORIGIN);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> options.executor(Runnable::run));
    assertTrue(refused.getMessage().contains("threads of its own"), refused.getMessage());
  }

  @Test
  void blocking_acquire_is_refused_inside_a_direct_executor() {
    AtomicBoolean direct = new AtomicBoolean();
    LockClient client =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Scenario.ORIGIN)
                .executor(task -> {
                  if (direct.getAndSet(true)) { // as a pool whose rejected tasks run here
                    task.run();
                  }
                })
                .build());
    CompletableFuture<HeldLock> request =
        client
            .request("a")
            .thenApply(lock -> {
              try {
                return client.acquire("b", Duration.ofSeconds(1));
              } catch (InterruptedException | TimeoutException impossible) {
                throw new AssertionError(impossible);
              }
            });
    scenario.run();
    assertInstanceOf(IllegalStateException.class, failure(request));
  }

  @Test
  void stages_run_inside_the_turns_of_a_caller_driven_driver() throws Exception {
    try (CallerDrivenDriver turns = Driver.callerDriven(() -> {});
        UserAgent driven =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(turns)
                .build()) {
      LockClient client = driven.openLockClient(Scenario.ORIGIN);
      CompletableFuture<HeldLock> request = client.request("a");
      assertEquals(1, driven.metrics().held());
      assertFalse(request.isDone());
      assertTrue(turns.runOne());
      assertTrue(now(request).isHeld());
      assertTrue(client.acquire("b", Duration.ofSeconds(60)).isHeld(), "without any turn");
      CompletableFuture<HeldLock> waiting = client.request("a");
      driven.close();
      assertInstanceOf(CancellationException.class, failure(waiting));
    }
  }

  @Test
  void same_seed_gives_the_same_order_with_java_clients() {
    assertEquals(contention(3), contention(3));
    assertEquals(40, contention(3).stream().filter(line -> line.startsWith("java")).count());
    assertNotEquals(contention(3), contention(4));
  }

  @Test
  void nested_delivery_of_an_effect_keeps_the_mark_of_the_thread() {
    LockClients clients = new LockClients();
    clients.inStep(() -> {
      clients.inStep(() -> {});
      assertTrue(clients.isNeededHere());
    });
  }

  private static List<String> contention(long seed) {
    try (Scenario contending = new Scenario(seed)) {
      List<String> log = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        contending.window(
            "for (let i = 0; i < 10; i++) navigator.locks.request('n' + i % 3, () => i);");
        LockClient client = contending.userAgent().openLockClient(Scenario.ORIGIN);
        for (int j = 0; j < 10; j++) {
          String what = client.name() + " " + j;
          client.withLock("n" + j % 3, lock -> done(log, what));
        }
      }
      contending.run();
      List<String> all = new ArrayList<>(log);
      all.addAll(contending.trace());
      return all;
    }
  }
}
