package dev.weblocks.lockmanager;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BEN;
import static dev.weblocks.lockmanager.Bench.BUCKET;
import static dev.weblocks.lockmanager.Bench.CAT;
import static dev.weblocks.lockmanager.Bench.granted;
import static dev.weblocks.lockmanager.Bench.info;
import static dev.weblocks.lockmanager.Bench.released;
import static dev.weblocks.lockmanager.Bench.stolen;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LockTaskQueueTest {
  private final List<String> log = new ArrayList<>();
  private final List<LockEffect> delivered = new ArrayList<>();
  private final LockTaskQueue queue = TestQueues.queue(() -> log.add("wake"));

  @Test
  void step_runs_only_when_run_step_is_called() {
    queue.register(ANN, delivered::add);
    assertTrue(queue.isEmpty());
    assertFalse(queue.runStep());
    long id = request(queue, ANN, WaitMode.WAIT);
    assertFalse(queue.isEmpty());
    assertEquals(List.of(), delivered);
    assertTrue(queue.runStep());
    assertEquals(List.of(granted(id, ANN)), delivered);
    assertTrue(queue.isEmpty());
    assertFalse(queue.runStep());
  }

  @Test
  void steps_run_in_the_order_in_which_they_were_enqueued() {
    queue.register(ANN, delivered::add);
    queue.register(BEN, delivered::add);
    long first = request(queue, BEN, WaitMode.WAIT);
    long second = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(new ReleaseLock(first));
    queue.enqueue(new ReleaseLock(second));
    runAll(queue);
    assertEquals(
        List.of(
            granted(first, BEN), granted(second, ANN), released(first, BEN), released(second, ANN)),
        delivered);
  }

  @Test
  void effects_reach_the_sink_of_their_client_on_the_steps_thread() {
    List<LockEffect> bens = new ArrayList<>();
    AtomicReference<Thread> thread = new AtomicReference<>();
    queue.register(ANN, delivered::add);
    queue.register(
        BEN,
        effect -> {
          bens.add(effect);
          thread.set(Thread.currentThread());
        });
    long victim = request(queue, ANN, WaitMode.WAIT);
    long thief = request(queue, BEN, WaitMode.STEAL);
    runAll(queue);
    assertEquals(List.of(granted(victim, ANN), stolen(victim, ANN)), delivered);
    assertEquals(List.of(granted(thief, BEN)), bens);
    assertSame(Thread.currentThread(), thread.get());
  }

  @Test
  void each_enqueue_wakes_the_driver_after_the_step_was_added() {
    List<Boolean> empty = new ArrayList<>();
    AtomicReference<LockTaskQueue> self = new AtomicReference<>();
    LockTaskQueue watched = TestQueues.queue(() -> empty.add(self.get().isEmpty()));
    self.set(watched);
    watched.enqueue(new AbortRequest(1));
    watched.enqueue(new AbortRequest(2));
    assertEquals(List.of(false, false), empty);
  }

  @Test
  void a_driver_may_run_the_step_inside_wake() {
    AtomicReference<LockTaskQueue> self = new AtomicReference<>();
    LockTaskQueue direct = TestQueues.queue(() -> self.get().runStep());
    self.set(direct);
    direct.register(ANN, delivered::add);
    long id = request(direct, ANN, WaitMode.WAIT);
    assertEquals(List.of(granted(id, ANN)), delivered);
  }

  @Test
  void a_sink_may_enqueue_but_not_run_a_step() {
    List<RuntimeException> refusals = new ArrayList<>();
    queue.register(
        ANN,
        effect -> {
          delivered.add(effect);
          if (effect instanceof LockEffect.Granted grant) {
            queue.enqueue(new ReleaseLock(grant.requestId()));
            refusals.add(assertThrows(IllegalStateException.class, queue::runStep));
          }
        });
    long id = request(queue, ANN, WaitMode.WAIT);
    runAll(queue);
    assertEquals(List.of(granted(id, ANN), released(id, ANN)), delivered);
    assertTrue(refusals.get(0).getMessage().contains("runs already"));
  }

  @Test
  void two_threads_never_run_steps_at_once() {
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    queue.register(
        ANN,
        effect -> {
          Thread second =
              new Thread(
                  () -> refusal.set(assertThrows(IllegalStateException.class, queue::runStep)));
          second.start();
          join(second);
        });
    request(queue, ANN, WaitMode.WAIT);
    request(queue, BEN, WaitMode.WAIT);
    assertTrue(queue.runStep());
    assertTrue(refusal.get() instanceof IllegalStateException, () -> "got " + refusal.get());
    assertTrue(queue.runStep(), "the refused call took no step away");
  }

  @Test
  void a_client_is_registered_once() {
    queue.register(ANN, delivered::add);
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> queue.register(ANN, effect -> {}));
    assertTrue(refusal.getMessage().contains("ann"), refusal.getMessage());
    long id = request(queue, ANN, WaitMode.WAIT);
    runAll(queue);
    assertEquals(List.of(granted(id, ANN)), delivered);
  }

  @Test
  void a_client_that_was_never_registered_gets_no_lock() {
    request(queue, CAT, WaitMode.WAIT);
    runAll(queue);
    assertEquals(new LockStats(0, 0), queue.stats());
  }

  @Test
  void a_request_that_arrives_after_the_end_of_its_client_does_nothing() {
    queue.register(ANN, delivered::add);
    queue.register(BEN, delivered::add);
    long held = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(new EndClient(ANN));
    request(queue, ANN, WaitMode.WAIT);
    request(queue, ANN, WaitMode.STEAL);
    queue.enqueue(new TakeSnapshot(queue.nextId(), ANN, BUCKET));
    queue.enqueue(new ReleaseLock(held));
    queue.enqueue(new AbortRequest(held));
    queue.enqueue(new EndClient(ANN));
    runAll(queue);
    assertEquals(List.of(granted(held, ANN)), delivered);
    assertEquals(new LockStats(0, 0), queue.stats());
    long free = request(queue, BEN, WaitMode.IF_AVAILABLE);
    runAll(queue);
    assertEquals(List.of(granted(held, ANN), granted(free, BEN)), delivered);
  }

  @Test
  void end_of_a_client_passes_on_its_locks() {
    queue.register(ANN, delivered::add);
    queue.register(BEN, delivered::add);
    long held = request(queue, ANN, WaitMode.WAIT);
    request(queue, ANN, WaitMode.WAIT);
    long waiting = request(queue, BEN, WaitMode.WAIT);
    queue.enqueue(new EndClient(ANN));
    runAll(queue);
    assertEquals(List.of(granted(held, ANN), granted(waiting, BEN)), delivered);
  }

  @Test
  void query_is_answered_with_the_state_at_its_step() {
    queue.register(ANN, delivered::add);
    queue.register(BEN, effect -> {});
    long query = queue.nextId();
    request(queue, BEN, WaitMode.WAIT);
    queue.enqueue(new TakeSnapshot(query, ANN, BUCKET));
    request(queue, BEN, WaitMode.WAIT);
    runAll(queue);
    SnapshotTaken answer = (SnapshotTaken) delivered.get(0);
    assertEquals(query, answer.queryId());
    assertEquals(List.of(info("a", LockMode.EXCLUSIVE, BEN)), answer.snapshot().held());
    assertEquals(List.of(), answer.snapshot().pending());
  }

  @Test
  void ids_start_at_one_and_never_repeat() {
    assertEquals(1, queue.nextId());
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      assertTrue(ids.add(queue.nextId()));
    }
  }

  @Test
  void a_trace_has_every_step_before_its_effects_are_delivered() {
    LockTaskQueue traced =
        TestQueues.queue(
            () -> {},
            (command, transitions, effects) -> log.add(command + " " + effects),
            Set.of());
    traced.register(ANN, effect -> log.add("to ann: " + effect));
    long id = traced.nextId();
    LockCommand request = request(id, ANN, WaitMode.WAIT);
    LockCommand dropped = request(traced.nextId(), BEN, WaitMode.WAIT);
    traced.enqueue(request);
    traced.enqueue(dropped);
    runAll(traced);
    LockEffect grant = granted(id, ANN);
    assertEquals(List.of(request + " [" + grant + "]", "to ann: " + grant, dropped + " []"), log);
  }

  @Test
  void a_trace_keeps_its_own_copy_of_the_effects() {
    List<List<LockEffect>> kept = new ArrayList<>();
    LockTaskQueue traced =
        TestQueues.queue(() -> {}, (command, transitions, effects) -> kept.add(effects), Set.of());
    traced.register(ANN, effect -> {});
    long id = request(traced, ANN, WaitMode.WAIT);
    traced.enqueue(new ReleaseLock(id));
    runAll(traced);
    assertEquals(List.of(List.of(granted(id, ANN)), List.of(released(id, ANN))), kept);
    assertThrows(UnsupportedOperationException.class, () -> kept.get(0).clear());
  }

  @Test
  void trace_receives_transitions_even_without_a_client_effect() {
    List<List<Kind>> kinds = new ArrayList<>();
    LockTaskQueue traced =
        TestQueues.queue(
            () -> {},
            (command, transitions, effects) ->
                kinds.add(transitions.stream().map(LockTransition::kind).toList()),
            Set.of());
    traced.register(ANN, effect -> {});
    traced.register(BEN, effect -> {});
    request(traced, ANN, WaitMode.WAIT);
    long waits = request(traced, BEN, WaitMode.WAIT);
    traced.enqueue(new AbortRequest(waits));
    request(traced, BEN, WaitMode.IF_AVAILABLE);
    request(traced, BEN, WaitMode.STEAL);
    traced.enqueue(new EndClient(BEN));
    runAll(traced);
    assertEquals(
        List.of(
            List.of(Kind.REQUESTED, Kind.GRANTED),
            List.of(Kind.REQUESTED),
            List.of(Kind.ABORTED),
            List.of(Kind.REQUESTED, Kind.MISSED),
            List.of(Kind.REQUESTED, Kind.STOLEN, Kind.GRANTED),
            List.of(Kind.RELEASED)),
        kinds);
  }

  @Test
  void trace_is_called_before_enqueue_and_before_delivery() {
    LockTraceListener listener =
        new LockTraceListener() {
          @Override
          public void onEnqueue(LockCommand command) {
            log.add("enqueues " + command.getClass().getSimpleName());
          }

          @Override
          public void onStep(
              LockCommand command, List<LockTransition> transitions, List<LockEffect> effects) {
            log.add("runs " + command.getClass().getSimpleName());
          }

          @Override
          public void onDeliver(LockEffect effect) {
            log.add("delivers " + effect.getClass().getSimpleName());
          }

          @Override
          public void onEnd() {
            log.add("over");
          }
        };
    LockTaskQueue traced = TestQueues.queue(() -> log.add("wakes"), listener, Set.of());
    traced.register(ANN, effect -> log.add("ann hears"));
    request(traced, ANN, WaitMode.WAIT);
    runAll(traced);
    assertEquals(
        List.of(
            "enqueues RequestLock",
            "wakes",
            "runs RequestLock",
            "delivers Granted",
            "ann hears",
            "over"),
        log);
  }

  @Test
  void failing_sink_or_trace_does_not_affect_other_clients() {
    RuntimeException fromTrace = new RuntimeException("trace");
    RuntimeException fromSink = new RuntimeException("sink");
    List<RuntimeException> armed = new ArrayList<>();
    LockTaskQueue fragile =
        TestQueues.queue(
            () -> {},
            (command, transitions, effects) -> {
              if (!armed.isEmpty()) {
                throw fromTrace;
              }
            },
            Set.of());
    fragile.register(
        ANN,
        effect -> {
          if (!armed.isEmpty()) {
            throw fromSink;
          }
        });
    fragile.register(BEN, delivered::add);
    long victim = request(fragile, ANN, WaitMode.WAIT);
    runAll(fragile);
    long thief = request(fragile, BEN, WaitMode.STEAL);
    armed.add(fromTrace);
    assertSame(fromTrace, assertThrows(RuntimeException.class, fragile::runStep));
    assertEquals(List.of(fromSink), List.of(fromTrace.getSuppressed()));
    assertEquals(List.of(granted(thief, BEN)), delivered);
    armed.clear();
    fragile.enqueue(new ReleaseLock(victim));
    fragile.enqueue(new ReleaseLock(thief));
    runAll(fragile);
    assertEquals(List.of(granted(thief, BEN), released(thief, BEN)), delivered);
  }

  @Test
  void error_in_a_sink_neither_drops_nor_repeats_an_effect() {
    queue.register(
        ANN,
        effect -> {
          throw new AssertionError("sink");
        });
    queue.register(BEN, delivered::add);
    request(queue, ANN, WaitMode.WAIT);
    assertThrows(AssertionError.class, queue::runStep);
    long thief = request(queue, BEN, WaitMode.STEAL);
    assertThrows(AssertionError.class, queue::runStep);
    assertEquals(List.of(granted(thief, BEN)), delivered);
    queue.enqueue(new ReleaseLock(thief));
    runAll(queue);
    assertEquals(List.of(granted(thief, BEN), released(thief, BEN)), delivered);
  }

  @Test
  void request_with_an_id_in_use_fails_only_its_own_step() {
    queue.register(ANN, delivered::add);
    long id = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(request(id, ANN, WaitMode.WAIT));
    queue.enqueue(new ReleaseLock(id));
    assertTrue(queue.runStep());
    assertThrows(IllegalArgumentException.class, queue::runStep);
    assertTrue(queue.runStep());
    assertEquals(List.of(granted(id, ANN), released(id, ANN)), delivered);
  }

  @Test
  void stats_count_held_locks_and_waiting_requests() {
    queue.register(ANN, effect -> {});
    assertEquals(new LockStats(0, 0), queue.stats());
    request(queue, ANN, WaitMode.WAIT);
    long second = request(queue, ANN, WaitMode.WAIT);
    request(queue, ANN, WaitMode.WAIT);
    assertEquals(new LockStats(0, 0), queue.stats());
    runAll(queue);
    assertEquals(new LockStats(1, 2), queue.stats());
    queue.enqueue(new AbortRequest(second));
    runAll(queue);
    assertEquals(new LockStats(1, 1), queue.stats());
  }

  @Test
  void a_step_may_have_very_many_effects() {
    queue.register(ANN, delivered::add);
    for (int i = 0; i < 5000; i++) {
      queue.enqueue(
          new RequestLock(queue.nextId(), ANN, BUCKET, "a", LockMode.SHARED, WaitMode.WAIT));
    }
    runAll(queue);
    delivered.clear();
    long thief = request(queue, ANN, WaitMode.STEAL);
    queue.enqueue(new ReleaseLock(thief));
    runAll(queue);
    assertEquals(5002, delivered.size());
    assertEquals(released(thief, ANN), delivered.get(5001));
  }

  private static long request(LockTaskQueue queue, ClientId client, WaitMode wait) {
    long id = queue.nextId();
    queue.enqueue(request(id, client, wait));
    return id;
  }

  private static RequestLock request(long id, ClientId client, WaitMode wait) {
    return new RequestLock(id, client, BUCKET, "a", LockMode.EXCLUSIVE, wait);
  }

  private static void runAll(LockTaskQueue queue) {
    while (queue.runStep()) {}
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
