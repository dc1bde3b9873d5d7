package dev.weblocks.locks;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BEN;
import static dev.weblocks.lockmanager.Bench.BUCKET;
import static dev.weblocks.lockmanager.Bench.CAT;
import static dev.weblocks.lockmanager.Bench.granted;
import static dev.weblocks.lockmanager.Bench.info;
import static dev.weblocks.lockmanager.Bench.released;
import static dev.weblocks.lockmanager.Bench.stolen;
import static dev.weblocks.lockmanager.TestCommands.registered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.TestCommands;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
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
  void step_runs_only_in_a_turn() {
    queue.register(registered(ANN), delivered::add);
    assertTrue(!queue.hasWork());
    assertFalse(queue.runTurn());
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    assertFalse(!queue.hasWork());
    assertEquals(List.of(), delivered);
    assertTrue(queue.runTurn());
    assertEquals(List.of(granted(id)), delivered);
    assertTrue(!queue.hasWork());
    assertFalse(queue.runTurn());
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
    LockTaskQueue watched = TestQueues.queue(() -> empty.add(!self.get().hasWork()));
    self.set(watched);
    watched.enqueue(new AbortRequest(watched.nextId(ANN)));
    watched.enqueue(new AbortRequest(watched.nextId(ANN)));
    assertEquals(List.of(false, false), empty);
  }

  @Test
  void driver_may_run_the_step_inside_its_wake_method() {
    AtomicReference<LockTaskQueue> self = new AtomicReference<>();
    LockTaskQueue direct = TestQueues.queue(() -> self.get().runTurn());
    self.set(direct);
    direct.register(registered(ANN), delivered::add);
    RequestId id = request(direct, ANN, WaitMode.WAIT);
    assertEquals(List.of(granted(id)), delivered);
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
    assertEquals(List.of(0, 0), TestQueues.heldAndPending(queue));
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
    assertEquals(List.of(0, 0), TestQueues.heldAndPending(queue));
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
  void a_step_may_have_very_many_effects() {
    queue.register(registered(ANN), delivered::add);
    for (int i = 0; i < 5000; i++) {
      queue.enqueue(
          TestCommands.request(queue.nextId(ANN), BUCKET, "a", LockMode.SHARED, WaitMode.WAIT));
    }
    runAll(queue);
    delivered.clear();
    RequestId thief = request(queue, ANN, WaitMode.STEAL);
    queue.enqueue(new ReleaseLock(thief));
    runAll(queue);
    assertEquals(5002, delivered.size());
    assertEquals(released(thief), delivered.get(5001));
  }

  @Test
  void a_sink_may_enqueue_a_step() {
    queue.register(
        registered(ANN),
        effect -> {
          delivered.add(effect);
          if (effect instanceof LockEffect.Granted grant) {
            queue.enqueue(new ReleaseLock(grant.id()));
          }
        });
    RequestId id = request(queue, ANN, WaitMode.WAIT);
    runAll(queue);
    assertEquals(List.of(granted(id), released(id)), delivered);
  }

  @Test
  void a_step_that_fails_is_reported_and_the_last_one() {
    List<Throwable> failures = new ArrayList<>();
    LockTaskQueue fragile = TestQueues.queue(() -> {}, failures::add);
    AssertionError broken = new AssertionError("sink");
    fragile.register(
        registered(ANN),
        effect -> {
          throw broken;
        });
    fragile.register(registered(BEN), delivered::add);
    request(fragile, ANN, WaitMode.WAIT);
    request(fragile, BEN, WaitMode.STEAL);
    fragile.enqueue(new EndClient(ANN));
    runAll(fragile);
    assertEquals(List.of(broken), failures);
    assertEquals(List.of(), delivered);
  }

  @Test
  void request_with_an_id_in_use_is_a_failure() {
    List<Throwable> failures = new ArrayList<>();
    LockTaskQueue fragile = TestQueues.queue(() -> {}, failures::add);
    fragile.register(registered(ANN), delivered::add);
    RequestId id = request(fragile, ANN, WaitMode.WAIT);
    fragile.enqueue(request(id, WaitMode.WAIT));
    runAll(fragile);
    assertInstanceOf(IllegalArgumentException.class, failures.getFirst());
    assertEquals(List.of(granted(id)), delivered);
  }

  private static RequestId request(LockTaskQueue queue, ClientId client, WaitMode wait) {
    RequestId id = queue.nextId(client);
    queue.enqueue(request(id, wait));
    return id;
  }

  private static RequestLock request(RequestId id, WaitMode wait) {
    return TestCommands.request(id, BUCKET, "a", LockMode.EXCLUSIVE, wait);
  }

  private static void runAll(LockTaskQueue queue) {
    while (queue.runTurn()) {}
  }
}
