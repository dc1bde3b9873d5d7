package dev.weblocks.lockmanager;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BEN;
import static dev.weblocks.lockmanager.Bench.BUCKET;
import static dev.weblocks.lockmanager.Bench.CAT;
import static dev.weblocks.lockmanager.Bench.OTHER_BUCKET;
import static dev.weblocks.lockmanager.Bench.granted;
import static dev.weblocks.lockmanager.Bench.info;
import static dev.weblocks.lockmanager.Bench.released;
import static dev.weblocks.lockmanager.Bench.stolen;
import static dev.weblocks.lockmanager.Bench.unavailable;
import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static dev.weblocks.model.WaitMode.WAIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.WaitMode;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockManagersTest {
  private final Bench bench = new Bench();

  @Test
  void a_free_lock_is_granted_at_once() {
    RequestId id = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(id)), bench.effects);
    assertEquals(List.of(info("a", EXCLUSIVE, ANN)), bench.snapshot().held());
  }

  @Test
  void exclusive_requests_are_granted_one_after_the_other_in_order() {
    RequestId first = bench.exclusive(ANN, "a");
    RequestId second = bench.exclusive(BEN, "a");
    RequestId third = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(second), released(first)), bench.release(first));
    assertEquals(List.of(granted(third), released(second)), bench.release(second));
    assertEquals(List.of(released(third)), bench.release(third));
  }

  @Test
  void shared_locks_are_held_together() {
    bench.shared(ANN, "a");
    RequestId second = bench.shared(BEN, "a");
    assertEquals(List.of(granted(second)), bench.effects);
  }

  @Test
  void an_exclusive_request_waits_for_the_last_shared_lock() {
    RequestId first = bench.shared(ANN, "a");
    RequestId second = bench.shared(BEN, "a");
    RequestId exclusive = bench.exclusive(CAT, "a");
    assertEquals(List.of(released(first)), bench.release(first));
    assertEquals(List.of(granted(exclusive), released(second)), bench.release(second));
  }

  @Test
  void a_shared_request_does_not_overtake_a_waiting_exclusive_one() {
    RequestId first = bench.shared(ANN, "a");
    RequestId exclusive = bench.exclusive(BEN, "a");
    RequestId late = bench.shared(CAT, "a");
    assertEquals(List.of(), bench.effects);
    assertEquals(List.of(granted(exclusive), released(first)), bench.release(first));
    assertEquals(List.of(granted(late), released(exclusive)), bench.release(exclusive));
  }

  @Test
  void if_available_request_for_a_free_lock_is_granted() {
    RequestId id = bench.ifAvailable(ANN, "a", EXCLUSIVE);
    assertEquals(List.of(granted(id)), bench.effects);
  }

  @Test
  void if_available_request_joins_shared_locks_but_does_not_overtake_waiting_requests() {
    bench.shared(ANN, "a");
    RequestId joined = bench.ifAvailable(BEN, "a", SHARED);
    assertEquals(List.of(granted(joined)), bench.effects);
    bench.exclusive(CAT, "a");
    RequestId missed = bench.ifAvailable(BEN, "a", SHARED);
    assertEquals(List.of(unavailable(missed)), bench.effects);
  }

  @Test
  void releasing_or_aborting_a_failed_if_available_request_does_nothing() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId missed = bench.ifAvailable(BEN, "a", EXCLUSIVE);
    assertEquals(List.of(), bench.abort(missed));
    assertEquals(List.of(), bench.release(missed));
    assertEquals(List.of(released(held)), bench.release(held));
  }

  @Test
  void a_steal_of_a_free_lock_is_a_plain_grant() {
    RequestId id = bench.steal(ANN, "a");
    assertEquals(List.of(granted(id)), bench.effects);
  }

  @Test
  void steal_overtakes_all_waiting_requests() {
    RequestId victim = bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(BEN, "a");
    RequestId thief = bench.steal(CAT, "a");
    assertEquals(List.of(stolen(victim), granted(thief)), bench.effects);
    assertEquals(List.of(granted(waiting), released(thief)), bench.release(thief));
  }

  @Test
  void a_client_may_steal_from_itself() {
    RequestId victim = bench.exclusive(ANN, "a");
    RequestId thief = bench.steal(ANN, "a");
    assertEquals(List.of(stolen(victim), granted(thief)), bench.effects);
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(0, bench.managers.heldCount());
  }

  @Test
  void aborted_request_is_removed_from_the_middle_of_the_queue() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId second = bench.exclusive(BEN, "a");
    RequestId third = bench.exclusive(CAT, "a");
    RequestId fourth = bench.exclusive(BEN, "a");
    assertEquals(List.of(), bench.abort(third));
    bench.release(held);
    assertEquals(List.of(granted(fourth), released(second)), bench.release(second));
    assertEquals(List.of(), bench.abort(third));
  }

  @Test
  void release_of_a_waiting_request_changes_nothing() {
    bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(BEN, "a");
    LockManagerSnapshot before = bench.snapshot();
    assertEquals(List.of(), bench.release(waiting));
    assertEquals(before, bench.snapshot());
  }

  @Test
  void unknown_ids_and_clients_are_ignored() {
    RequestId id = new RequestId(ANN, 7);
    for (boolean registered : new boolean[] {false, true}) {
      if (registered) {
        bench.register(ANN);
      }
      assertEquals(List.of(), bench.release(id));
      assertEquals(List.of(), bench.abort(id));
      assertEquals(List.of(), bench.end(BEN));
    }
    assertEquals(1, bench.managers.clientCount());
  }

  @Test
  void requests_and_queries_of_unregistered_or_ended_clients_do_nothing() {
    bench.exclusive(BEN, "a");
    bench.register(CAT);
    bench.end(CAT);
    LockManagerSnapshot before = bench.snapshot();
    for (ClientId client : List.of(ANN, CAT)) {
      for (WaitMode wait : WaitMode.values()) {
        RequestId id = bench.nextId(client);
        assertEquals(
            List.of(), bench.apply(TestCommands.request(id, OTHER_BUCKET, "b", SHARED, wait)));
        assertEquals(
            List.of(), bench.apply(TestCommands.request(id, BUCKET, "a", EXCLUSIVE, wait)));
      }
      assertEquals(List.of(), bench.apply(new TakeSnapshot(bench.nextId(client), BUCKET)));
    }
    assertEquals(before, bench.snapshot());
    assertEquals(1, bench.managers.managerCount());
    assertEquals(new LockCounts(1, 1, 0, 0, 0, 0, 1, 0), bench.managers.counts());
  }

  @Test
  void a_second_registration_of_a_client_is_ignored() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(ANN, "a");
    List<LockState> before = bench.managers.diagnose();
    LockRequester other = new LockRequester("other agent", "u", "o");
    assertEquals(List.of(), bench.apply(new RegisterClient(ANN, other)));
    assertEquals(before, bench.managers.diagnose());
    assertEquals(1, bench.managers.clientCount());
    assertEquals(List.of(granted(waiting), released(held)), bench.release(held));
  }

  @Test
  void requests_of_different_clients_may_have_the_same_sequence_number() {
    RequestId anns = new RequestId(ANN, 7);
    RequestId bens = new RequestId(BEN, 7);
    bench.register(ANN);
    bench.register(BEN);
    assertEquals(
        List.of(granted(anns)),
        bench.apply(TestCommands.request(anns, BUCKET, "a", EXCLUSIVE, WAIT)));
    assertEquals(List.of(), bench.apply(TestCommands.request(bens, BUCKET, "a", EXCLUSIVE, WAIT)));
    assertEquals(List.of(), bench.abort(anns));
    assertEquals(List.of(), bench.release(bens));
    assertEquals(List.of(granted(bens), released(anns)), bench.release(anns));
  }

  @Test
  void different_names_do_not_conflict() {
    bench.exclusive(ANN, "a");
    RequestId other = bench.exclusive(BEN, "b");
    assertEquals(List.of(granted(other)), bench.effects);
  }

  @Test
  void empty_name_is_a_valid_name() {
    RequestId first = bench.exclusive(ANN, "");
    RequestId second = bench.exclusive(BEN, "");
    assertEquals(List.of(granted(second), released(first)), bench.release(first));
  }

  @Test
  void different_managers_do_not_conflict() {
    bench.exclusive(ANN, "a");
    RequestId other = bench.request(BEN, OTHER_BUCKET, "a", EXCLUSIVE, WAIT);
    assertEquals(List.of(granted(other)), bench.effects);
    assertEquals(List.of(info("a", EXCLUSIVE, ANN)), bench.snapshot(BUCKET).held());
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), bench.snapshot(OTHER_BUCKET).held());
  }

  @Test
  void end_of_a_client_releases_its_locks_in_all_managers() {
    bench.exclusive(ANN, "a");
    bench.request(ANN, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
    RequestId first = bench.exclusive(BEN, "a");
    RequestId second = bench.request(CAT, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
    assertEquals(List.of(granted(first), granted(second)), bench.end(ANN));
  }

  @Test
  void end_of_the_last_shared_holder_grants_the_exclusive_request() {
    bench.shared(ANN, "a");
    bench.shared(ANN, "a");
    RequestId other = bench.shared(BEN, "a");
    RequestId exclusive = bench.exclusive(CAT, "a");
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(List.of(granted(exclusive), released(other)), bench.release(other));
  }

  @Test
  void a_snapshot_lists_requests_in_queue_order() {
    bench.exclusive(ANN, "a");
    bench.shared(BEN, "a");
    bench.exclusive(CAT, "a");
    bench.shared(ANN, "a");
    assertEquals(
        List.of(info("a", SHARED, BEN), info("a", EXCLUSIVE, CAT), info("a", SHARED, ANN)),
        bench.snapshot().pending());
  }

  @Test
  void a_snapshot_is_the_same_object_until_something_changes() {
    RequestId first = bench.exclusive(ANN, "a");
    LockManagerSnapshot held = bench.snapshot();
    assertSame(held, bench.snapshot());
    RequestId second = bench.exclusive(BEN, "a");
    LockManagerSnapshot waiting = bench.snapshot();
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), waiting.pending());
    assertSame(waiting, bench.snapshot());
    bench.abort(second);
    assertEquals(held, bench.snapshot());
    bench.release(first);
    assertEquals(new LockManagerSnapshot(List.of(), List.of()), bench.snapshot());
  }

  @Test
  void request_with_an_id_in_use_is_refused_and_changes_nothing() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(BEN, "a");
    LockManagerSnapshot before = bench.snapshot();
    for (RequestId id : List.of(held, waiting)) {
      RequestLock again = TestCommands.request(id, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> bench.apply(again));
      assertTrue(refusal.getMessage().contains("request id " + id + " "), refusal.getMessage());
    }
    assertEquals(before, bench.snapshot());
    assertEquals(1, bench.managers.managerCount());
  }

  @Test
  void idle_managers_retain_no_memory() {
    RequestId first = bench.exclusive(ANN, "a");
    RequestId second = bench.exclusive(BEN, "a");
    bench.ifAvailable(CAT, "a", SHARED);
    RequestId third = bench.request(CAT, OTHER_BUCKET, "b", SHARED, WAIT);
    assertEquals(2, bench.managers.managerCount());
    assertEquals(2, bench.managers.queueCount());
    assertEquals(3, bench.managers.clientCount());
    assertEquals(2, bench.managers.heldCount());
    assertEquals(1, bench.managers.pendingCount());
    bench.abort(second);
    assertEquals(3, bench.managers.clientCount());
    bench.release(first);
    assertEquals(1, bench.managers.managerCount());
    bench.release(third);
    assertEquals(0, bench.managers.managerCount());
    assertEquals(0, bench.managers.queueCount());
    assertEquals(0, bench.managers.heldCount());
    assertEquals(0, bench.managers.pendingCount());
    assertEquals(3, bench.managers.clientCount(), "registered until they end");
    bench.end(BEN);
    assertEquals(2, bench.managers.clientCount());
    bench.end(ANN);
    bench.end(CAT);
    assertEquals(0, bench.managers.clientCount());
  }

  @Test
  void snapshot_of_an_unknown_manager_does_not_create_it() {
    assertEquals(new LockManagerSnapshot(List.of(), List.of()), bench.snapshot(OTHER_BUCKET));
    assertEquals(0, bench.managers.managerCount());
  }
}
