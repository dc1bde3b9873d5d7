package dev.weblocks.lockmanager;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BEN;
import static dev.weblocks.lockmanager.Bench.BUCKET;
import static dev.weblocks.lockmanager.Bench.CAT;
import static dev.weblocks.lockmanager.Bench.granted;
import static dev.weblocks.lockmanager.Bench.info;
import static dev.weblocks.lockmanager.Bench.released;
import static dev.weblocks.lockmanager.Bench.stolen;
import static dev.weblocks.lockmanager.TestQueues.registered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
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
    queue.register(registered(ANN), delivered::add);
    assertTrue(queue.isEmpty());
    assertFalse(queue.runStep());
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    assertFalse(queue.isEmpty());
    assertEquals(List.of(), delivered);
    assertTrue(queue.runStep());
    assertEquals(List.of(granted(id)), delivered);
    assertTrue(queue.isEmpty());
    assertFalse(queue.runStep());
  }

  @Test
  void steps_run_in_the_order_in_which_they_were_enqueued() {
    queue.register(registered(ANN), delivered::add);
    queue.register(registered(BEN), delivered::add);
    RequestId first = request(queue, BEN, WaitMode.WAIT);
    RequestId second = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(new ReleaseLock(first));
    queue.enqueue(new ReleaseLock(second));
    runAll(queue);
    assertEquals(
        List.of(granted(first), granted(second), released(first), released(second)), delivered);
  }

  @Test
  void effects_reach_their_client_on_the_thread_that_runs_the_step() {
    List<LockEffect> bens = new ArrayList<>();
    AtomicReference<Thread> thread = new AtomicReference<>();
    queue.register(registered(ANN), delivered::add);
    queue.register(
        registered(BEN),
        effect -> {
          bens.add(effect);
          thread.set(Thread.currentThread());
        });
    RequestId victim = request(queue, ANN, WaitMode.WAIT);
    RequestId thief = request(queue, BEN, WaitMode.STEAL);
    runAll(queue);
    assertEquals(List.of(granted(victim), stolen(victim)), delivered);
    assertEquals(List.of(granted(thief)), bens);
    assertSame(Thread.currentThread(), thread.get());
  }

  @Test
  void each_enqueue_wakes_the_driver_after_the_step_was_added() {
    List<Boolean> empty = new ArrayList<>();
    AtomicReference<LockTaskQueue> self = new AtomicReference<>();
    LockTaskQueue watched = TestQueues.queue(() -> empty.add(self.get().isEmpty()));
    self.set(watched);
    watched.enqueue(new AbortRequest(watched.nextId(ANN)));
    watched.enqueue(new AbortRequest(watched.nextId(ANN)));
    assertEquals(List.of(false, false), empty);
  }

  @Test
  void driver_may_run_the_step_inside_its_wake_method() {
    AtomicReference<LockTaskQueue> self = new AtomicReference<>();
    LockTaskQueue direct = TestQueues.queue(() -> self.get().runStep());
    self.set(direct);
    direct.register(registered(ANN), delivered::add);
    RequestId id = request(direct, ANN, WaitMode.WAIT);
    assertEquals(List.of(granted(id)), delivered);
  }

  @Test
  void a_sink_may_enqueue_but_not_run_a_step() {
    List<RuntimeException> refusals = new ArrayList<>();
    queue.register(
        registered(ANN),
        effect -> {
          delivered.add(effect);
          if (effect instanceof LockEffect.Granted grant) {
            queue.enqueue(new ReleaseLock(grant.id()));
            refusals.add(assertThrows(IllegalStateException.class, queue::runStep));
          }
        });
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    runAll(queue);
    assertEquals(List.of(granted(id), released(id)), delivered);
    assertTrue(refusals.get(0).getMessage().contains("is already running"));
  }

  @Test
  void two_threads_never_run_steps_at_the_same_time() {
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    queue.register(
        registered(ANN),
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
  void second_registration_of_a_client_is_refused() {
    queue.register(registered(ANN), delivered::add);
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> queue.register(registered(ANN), effect -> {}));
    assertTrue(refusal.getMessage().contains("ann"), refusal.getMessage());
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    runAll(queue);
    assertEquals(List.of(granted(id)), delivered);
  }

  @Test
  void a_client_that_was_never_registered_gets_no_lock() {
    request(queue, CAT, WaitMode.WAIT);
    runAll(queue);
    assertEquals(new LockStats(0, 0), queue.stats());
  }

  @Test
  void enqueue_refuses_a_registration_and_points_to_the_register_method() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> queue.enqueue(registered(CAT)));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("call register()"), refused.getMessage());
  }

  @Test
  void a_request_that_arrives_after_the_end_of_its_client_is_ignored() {
    queue.register(registered(ANN), delivered::add);
    queue.register(registered(BEN), delivered::add);
    RequestId held = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(new EndClient(ANN));
    request(queue, ANN, WaitMode.WAIT);
    request(queue, ANN, WaitMode.STEAL);
    queue.enqueue(new TakeSnapshot(queue.nextId(ANN), BUCKET));
    queue.enqueue(new ReleaseLock(held));
    queue.enqueue(new AbortRequest(held));
    queue.enqueue(new EndClient(ANN));
    runAll(queue);
    assertEquals(List.of(granted(held)), delivered);
    assertEquals(new LockStats(0, 0), queue.stats());
    RequestId free = request(queue, BEN, WaitMode.IF_AVAILABLE);
    runAll(queue);
    assertEquals(List.of(granted(held), granted(free)), delivered);
  }

  @Test
  void end_of_a_client_grants_its_locks_to_waiting_requests() {
    queue.register(registered(ANN), delivered::add);
    queue.register(registered(BEN), delivered::add);
    RequestId held = request(queue, ANN, WaitMode.WAIT);
    request(queue, ANN, WaitMode.WAIT);
    RequestId waiting = request(queue, BEN, WaitMode.WAIT);
    queue.enqueue(new EndClient(ANN));
    runAll(queue);
    assertEquals(List.of(granted(held), granted(waiting)), delivered);
  }

  @Test
  void query_returns_the_state_at_the_time_of_its_step() {
    queue.register(registered(ANN), delivered::add);
    queue.register(registered(BEN), effect -> {});
    RequestId query = queue.nextId(ANN);
    request(queue, BEN, WaitMode.WAIT);
    queue.enqueue(new TakeSnapshot(query, BUCKET));
    request(queue, BEN, WaitMode.WAIT);
    runAll(queue);
    SnapshotTaken answer = (SnapshotTaken) delivered.get(0);
    assertEquals(query, answer.id());
    assertEquals(List.of(info("a", LockMode.EXCLUSIVE, BEN)), answer.snapshot().held());
    assertEquals(List.of(), answer.snapshot().pending());
  }

  @Test
  void ids_start_at_one_and_never_repeat() {
    assertEquals(new RequestId(ANN, 1), queue.nextId(ANN));
    Set<Long> sequences = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      for (ClientId client : List.of(ANN, BEN)) {
        RequestId id = queue.nextId(client);
        assertEquals(client, id.client());
        assertTrue(sequences.add(id.sequence()), () -> "used by both or twice: " + id);
      }
    }
  }

  @Test
  void trace_listener_receives_every_step_before_its_effects_are_delivered() {
    LockTaskQueue traced =
        TestQueues.queue(
            () -> {},
            (command, transitions, effects) -> log.add(command + " " + effects),
            Set.of());
    traced.register(registered(ANN), effect -> log.add("to ann: " + effect));
    RequestId id = traced.nextId(ANN);
    LockCommand request = request(id, WaitMode.WAIT);
    LockCommand dropped = request(traced.nextId(BEN), WaitMode.WAIT);
    traced.enqueue(request);
    traced.enqueue(dropped);
    runAll(traced);
    LockEffect grant = granted(id);
    assertEquals(List.of(request + " [" + grant + "]", "to ann: " + grant, dropped + " []"), log);
  }

  @Test
  void trace_listener_receives_a_copy_of_the_effects() {
    List<List<LockEffect>> kept = new ArrayList<>();
    LockTaskQueue traced =
        TestQueues.queue(() -> {}, (command, transitions, effects) -> kept.add(effects), Set.of());
    traced.register(registered(ANN), effect -> {});
    RequestId id = request(traced, ANN, WaitMode.WAIT);
    traced.enqueue(new ReleaseLock(id));
    runAll(traced);
    assertEquals(List.of(List.of(granted(id)), List.of(released(id))), kept);
    assertThrows(UnsupportedOperationException.class, () -> kept.get(0).clear());
  }

  @Test
  void trace_listener_receives_transitions_even_without_an_effect() {
    List<List<Kind>> kinds = new ArrayList<>();
    LockTaskQueue traced =
        TestQueues.queue(
            () -> {},
            (command, transitions, effects) ->
                kinds.add(transitions.stream().map(LockTransition::kind).toList()),
            Set.of());
    traced.register(registered(ANN), effect -> {});
    traced.register(registered(BEN), effect -> {});
    request(traced, ANN, WaitMode.WAIT);
    RequestId waits = request(traced, BEN, WaitMode.WAIT);
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
  void trace_listener_is_called_at_registration_before_enqueue_and_before_delivery() {
    LockTraceListener listener =
        new LockTraceListener() {
          @Override
          public void onRegister(RegisterClient client) {
            log.add("registers " + client.client().value());
          }

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
    traced.register(registered(ANN), effect -> log.add("ann hears"));
    request(traced, ANN, WaitMode.WAIT);
    runAll(traced);
    assertEquals(
        List.of(
            "registers ann",
            "enqueues RequestLock",
            "wakes",
            "runs RequestLock",
            "delivers Granted",
            "ann hears",
            "over"),
        log);
  }

  @Test
  void failing_sink_or_trace_listener_does_not_affect_other_clients() {
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
        registered(ANN),
        effect -> {
          if (!armed.isEmpty()) {
            throw fromSink;
          }
        });
    fragile.register(registered(BEN), delivered::add);
    RequestId victim = request(fragile, ANN, WaitMode.WAIT);
    runAll(fragile);
    RequestId thief = request(fragile, BEN, WaitMode.STEAL);
    armed.add(fromTrace);
    assertSame(fromTrace, assertThrows(RuntimeException.class, fragile::runStep));
    assertEquals(List.of(fromSink), List.of(fromTrace.getSuppressed()));
    assertEquals(List.of(granted(thief)), delivered);
    armed.clear();
    fragile.enqueue(new ReleaseLock(victim));
    fragile.enqueue(new ReleaseLock(thief));
    runAll(fragile);
    assertEquals(List.of(granted(thief), released(thief)), delivered);
  }

  @Test
  void error_in_a_sink_neither_drops_nor_repeats_an_effect() {
    queue.register(
        registered(ANN),
        effect -> {
          throw new AssertionError("sink");
        });
    queue.register(registered(BEN), delivered::add);
    request(queue, ANN, WaitMode.WAIT);
    assertThrows(AssertionError.class, queue::runStep);
    RequestId thief = request(queue, BEN, WaitMode.STEAL);
    assertThrows(AssertionError.class, queue::runStep);
    assertEquals(List.of(granted(thief)), delivered);
    queue.enqueue(new ReleaseLock(thief));
    runAll(queue);
    assertEquals(List.of(granted(thief), released(thief)), delivered);
  }

  @Test
  void request_with_an_id_in_use_fails_without_affecting_later_steps() {
    queue.register(registered(ANN), delivered::add);
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    queue.enqueue(request(id, WaitMode.WAIT));
    queue.enqueue(new ReleaseLock(id));
    assertTrue(queue.runStep());
    assertThrows(IllegalArgumentException.class, queue::runStep);
    assertTrue(queue.runStep());
    assertEquals(List.of(granted(id), released(id)), delivered);
  }

  @Test
  void stats_count_held_locks_and_waiting_requests() {
    queue.register(registered(ANN), effect -> {});
    assertEquals(new LockStats(0, 0), queue.stats());
    request(queue, ANN, WaitMode.WAIT);
    RequestId second = request(queue, ANN, WaitMode.WAIT);
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
    queue.register(registered(ANN), delivered::add);
    for (int i = 0; i < 5000; i++) {
      queue.enqueue(
          TestQueues.request(queue.nextId(ANN), BUCKET, "a", LockMode.SHARED, WaitMode.WAIT));
    }
    runAll(queue);
    delivered.clear();
    RequestId thief = request(queue, ANN, WaitMode.STEAL);
    queue.enqueue(new ReleaseLock(thief));
    runAll(queue);
    assertEquals(5002, delivered.size());
    assertEquals(released(thief), delivered.get(5001));
  }

  private static RequestId request(LockTaskQueue queue, ClientId client, WaitMode wait) {
    RequestId id = queue.nextId(client);
    queue.enqueue(request(id, wait));
    return id;
  }

  private static RequestLock request(RequestId id, WaitMode wait) {
    return TestQueues.request(id, BUCKET, "a", LockMode.EXCLUSIVE, wait);
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
