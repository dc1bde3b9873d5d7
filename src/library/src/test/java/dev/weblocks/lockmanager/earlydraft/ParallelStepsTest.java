package dev.weblocks.lockmanager.earlydraft;

import static dev.weblocks.lockmanager.earlydraft.StatesBed.ANN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.BEN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.ORIGIN;
import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.earlydraft.Effect.Aborted;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.earlydraft.StepListener.Delivery;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.model.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParallelStepsTest {

  private final List<String> trace = new ArrayList<>();
  private final List<Effect> delivered = new ArrayList<>();
  private final AtomicInteger wakes = new AtomicInteger();
  private final ParallelSteps steps =
      new ParallelSteps(
          wakes::incrementAndGet,
          (command, transitions, effects) -> {
            trace.add(command.getClass().getSimpleName() + " " + effects.size());
            return Delivery.UNWATCHED;
          },
          () -> 0,
          null);

  private long request(LockMode mode, boolean ifAvailable, String... scope) {
    long id = steps.nextId();
    Effect over =
        steps.requestLock(
            new RequestLock(
                id, ANN, ORIGIN, Scope.of(scope), mode, ifAvailable, false, StatesBed.UNKNOWN));
    return over == null ? id : -id;
  }

  private void runAll() {
    while (steps.runStep()) {
      // each call is one step
    }
  }

  @Test
  void a_request_is_checked_and_enqueued_at_once_and_granted_in_parallel() {
    steps.register(ANN, delivered::add);
    long id = request(EXCLUSIVE, true, "a");
    assertTrue(id > 0);
    assertTrue(request(SHARED, true, "a") < 0);
    assertEquals(List.of(), delivered);
    assertEquals(1, steps.counts().pending());
    assertTrue(wakes.get() > 0);

    runAll();
    assertEquals(List.of(new Granted(id, ANN, DraftStep.REQUEST_GRANTS)), delivered);
    assertEquals(List.of("RequestLock 0", "RequestLock 1", "Proceed 1"), trace);
  }

  @Test
  void request_with_an_aborted_signal_delivers_its_abort() {
    steps.register(ANN, delivered::add);
    assertNull(
        steps.requestLock(
            new RequestLock(
                1, ANN, ORIGIN, Scope.of("a"), EXCLUSIVE, false, true, StatesBed.UNKNOWN)));
    assertEquals(List.of(new Aborted(1, ANN, DraftStep.REQUEST_ABORTS)), delivered);
  }

  @Test
  void a_lock_is_removed_at_once_when_its_waiting_promise_settles() {
    steps.register(ANN, delivered::add);
    long id = request(EXCLUSIVE, false, "a");
    runAll();
    steps.waitingPromiseSettles(id);
    assertTrue(request(EXCLUSIVE, true, "a") > 0);
  }

  @Test
  void driver_is_not_woken_when_no_request_can_proceed() {
    steps.register(ANN, delivered::add);
    request(EXCLUSIVE, false, "a");
    runAll();
    int before = wakes.get();
    request(EXCLUSIVE, false, "a");
    assertEquals(before, wakes.get());
    assertTrue(steps.isEmpty());
    assertFalse(steps.runStep());
  }

  @Test
  void parallel_steps_run_in_the_order_in_which_they_began() {
    steps.register(ANN, delivered::add);
    long free = request(EXCLUSIVE, false, "a");
    steps.begin(new AbortRequest(free));
    long behind = request(EXCLUSIVE, false, "a");
    steps.begin(new AbortRequest(behind));
    runAll();
    assertEquals(
        List.of(
            new Granted(free, ANN, DraftStep.REQUEST_GRANTS),
            new Aborted(behind, ANN, DraftStep.REQUEST_ABORTS)),
        delivered);
  }

  @Test
  void begin_refuses_synchronous_commands() {
    assertThrows(IllegalArgumentException.class, () -> steps.begin(new WaitingPromiseSettles(1)));
    RequestLock request =
        new RequestLock(1, ANN, ORIGIN, Scope.of("a"), SHARED, false, false, StatesBed.UNKNOWN);
    assertThrows(IllegalArgumentException.class, () -> steps.begin(request));
  }

  @Test
  void commands_for_unknown_or_ended_clients_do_nothing() {
    request(EXCLUSIVE, false, "a");
    steps.begin(new QueryState(steps.nextId(), ANN, ORIGIN));
    steps.begin(new ForceRelease(steps.nextId(), ANN, ORIGIN, Scope.of("a"), StatesBed.UNKNOWN));
    runAll();
    steps.register(ANN, delivered::add);
    request(EXCLUSIVE, false, "a");
    steps.begin(new EndClient(ANN));
    runAll();
    request(EXCLUSIVE, false, "a");
    runAll();
    assertEquals(0, steps.counts().held() + steps.counts().pending());
    assertEquals(1, delivered.size());
  }

  @Test
  void second_registration_of_a_client_is_refused() {
    steps.register(ANN, delivered::add);
    assertThrows(IllegalStateException.class, () -> steps.register(ANN, effect -> {}));
  }

  @Test
  void failing_sink_does_not_affect_other_sinks() {
    RuntimeException failure = new RuntimeException("sink");
    steps.register(
        ANN,
        effect -> {
          throw failure;
        });
    steps.register(BEN, delivered::add);
    request(SHARED, false, "a");
    long id = steps.nextId();
    steps.requestLock(
        new RequestLock(id, BEN, ORIGIN, Scope.of("a"), SHARED, false, false, StatesBed.UNKNOWN));

    assertSame(failure, assertThrows(RuntimeException.class, steps::runStep));
    assertEquals(List.of(new Granted(id, BEN, DraftStep.REQUEST_GRANTS)), delivered);
  }

  @Test
  void exception_of_a_listener_reaches_the_driver_and_not_the_caller() {
    RuntimeException failure = new RuntimeException("watcher");
    AtomicReference<@Nullable RuntimeException> thrown = new AtomicReference<>(failure);
    LockWatcher watcher =
        new LockWatcher() {
          @Override
          public boolean isWatching() {
            return true;
          }

          @Override
          public void on(LockTransition transition) {
            RuntimeException next = thrown.getAndSet(null);
            if (next != null) {
              throw next;
            }
          }
        };
    ParallelSteps watched = new ParallelSteps(wakes::incrementAndGet, null, () -> 0, watcher);
    watched.register(ANN, delivered::add);
    assertNull(
        watched.requestLock(
            new RequestLock(
                1, ANN, ORIGIN, Scope.of("a", "b"), EXCLUSIVE, false, false, StatesBed.UNKNOWN)));

    assertSame(failure, assertThrows(RuntimeException.class, watched::runStep));
    assertFalse(watched.runStep());
    assertEquals(1, delivered.size());
  }

  @Test
  void listener_follows_each_command_from_its_begin_to_its_last_effect() {
    List<String> heard = new ArrayList<>();
    StepListener listener =
        new StepListener() {
          @Override
          public void onBegin(Command command) {
            heard.add("begins " + command.getClass().getSimpleName());
          }

          @Override
          public Delivery onStep(
              Command command, List<Transition> transitions, List<Effect> effects) {
            heard.add(command.getClass().getSimpleName() + " " + transitions.size());
            return new Delivery() {
              @Override
              public void onProceed(Proceed begun) {
                heard.add("leaves who may go on");
              }

              @Override
              public void onDeliver(Effect effect) {
                heard.add("delivers " + effect.getClass().getSimpleName());
              }

              @Override
              public void onEnd() {
                heard.add("ends");
              }
            };
          }
        };
    ParallelSteps watched = new ParallelSteps(wakes::incrementAndGet, listener, () -> 0, null);
    watched.register(ANN, effect -> heard.add("hears " + effect.getClass().getSimpleName()));
    watched.requestLock(
        new RequestLock(
            1, ANN, ORIGIN, Scope.of("a", "b"), EXCLUSIVE, false, false, StatesBed.UNKNOWN));
    watched.begin(new QueryState(2, ANN, ORIGIN));
    watched.requestLock(
        new RequestLock(3, ANN, ORIGIN, Scope.of("b"), EXCLUSIVE, true, false, StatesBed.UNKNOWN));
    while (watched.runStep()) {
      // each call is one step
    }
    assertEquals(
        List.of(
            "RequestLock 1",
            "leaves who may go on",
            "ends",
            "begins QueryState",
            "RequestLock 2",
            "ends",
            "Proceed 1",
            "delivers Granted",
            "hears Granted",
            "ends",
            "QueryState 0",
            "delivers StateTaken",
            "hears StateTaken",
            "ends"),
        heard);
  }

  /** Holders on many threads release at once; their sets of names overlap. */
  @Test
  void many_threads_exclude_each_other_and_all_requests_are_granted() throws Exception {
    int threads = 4;
    int rounds = 2_000;
    Set<String> inUse = ConcurrentHashMap.newKeySet();
    ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
    CountDownLatch granted = new CountDownLatch(threads * rounds);
    AtomicBoolean stepping = new AtomicBoolean();
    AtomicReference<@Nullable ParallelSteps> made = new AtomicReference<>();
    Runnable drive =
        () -> {
          ParallelSteps all = made.get();
          while (all != null && !all.isEmpty() && stepping.compareAndSet(false, true)) {
            try {
              while (all.runStep()) {
                // each call is one step
              }
            } finally {
              stepping.set(false);
            }
          }
        };
    ParallelSteps shared = new ParallelSteps(drive, null, () -> 0, null);
    made.set(shared);
    ConcurrentLinkedQueue<long[]> toSettle = new ConcurrentLinkedQueue<>();
    ConcurrentHashMap<Long, Scope> scopes = new ConcurrentHashMap<>();
    shared.register(
        ANN,
        effect -> {
          long id = ((Granted) effect).requestId();
          for (String name : scopes.get(id).names()) {
            if (!inUse.add(name)) {
              broken.add("two hold " + name);
            }
          }
          toSettle.add(new long[] {id});
          granted.countDown();
        });
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      all.add(
          new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
              long id = shared.nextId();
              Scope scope = Scope.of("n" + (i + thread) % 5, "n" + (i * 3 + thread) % 7);
              scopes.put(id, scope);
              shared.requestLock(
                  new RequestLock(
                      id, ANN, ORIGIN, scope, EXCLUSIVE, false, false, StatesBed.UNKNOWN));
              settleAll(shared, toSettle, scopes, inUse);
            }
          }));
    }
    all.forEach(Thread::start);
    for (Thread thread : all) {
      thread.join();
    }
    while (granted.getCount() > 0 && !toSettle.isEmpty()) {
      settleAll(shared, toSettle, scopes, inUse);
    }
    settleAll(shared, toSettle, scopes, inUse);
    assertEquals(List.of(), List.copyOf(broken));
    assertEquals(0, granted.getCount());
    long total = (long) threads * rounds;
    assertEquals(new LockCounts(total, total, 0, 0, 0, total, 0, 0), shared.counts());
  }

  private static void settleAll(
      ParallelSteps shared,
      ConcurrentLinkedQueue<long[]> toSettle,
      ConcurrentHashMap<Long, Scope> scopes,
      Set<String> inUse) {
    long[] next;
    while ((next = toSettle.poll()) != null) {
      scopes.get(next[0]).names().forEach(inUse::remove);
      shared.waitingPromiseSettles(next[0]);
    }
  }
}
