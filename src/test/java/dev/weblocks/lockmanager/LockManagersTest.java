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
import static dev.weblocks.lockmanager.message.LockMode.EXCLUSIVE;
import static dev.weblocks.lockmanager.message.LockMode.SHARED;
import static dev.weblocks.lockmanager.message.WaitMode.WAIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockManagerSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockManagersTest {
  private final Bench bench = new Bench();

  @Test
  void a_free_name_is_granted_at_once() {
    long id = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(id, ANN)), bench.effects);
    assertEquals(List.of(info("a", EXCLUSIVE, ANN)), bench.snapshot().held());
  }

  @Test
  void exclusive_requests_are_granted_one_after_the_other_in_order() {
    long first = bench.exclusive(ANN, "a");
    long second = bench.exclusive(BEN, "a");
    long third = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(second, BEN), released(first, ANN)), bench.release(first));
    assertEquals(List.of(granted(third, ANN), released(second, BEN)), bench.release(second));
    assertEquals(List.of(released(third, ANN)), bench.release(third));
  }

  @Test
  void shared_locks_are_held_together() {
    bench.shared(ANN, "a");
    long second = bench.shared(BEN, "a");
    assertEquals(List.of(granted(second, BEN)), bench.effects);
  }

  @Test
  void an_exclusive_request_waits_for_the_last_shared_lock() {
    long first = bench.shared(ANN, "a");
    long second = bench.shared(BEN, "a");
    long exclusive = bench.exclusive(CAT, "a");
    assertEquals(List.of(released(first, ANN)), bench.release(first));
    assertEquals(List.of(granted(exclusive, CAT), released(second, BEN)), bench.release(second));
  }

  @Test
  void a_shared_request_does_not_overtake_a_waiting_exclusive_one() {
    long first = bench.shared(ANN, "a");
    long exclusive = bench.exclusive(BEN, "a");
    long late = bench.shared(CAT, "a");
    assertEquals(List.of(), bench.effects);
    assertEquals(List.of(granted(exclusive, BEN), released(first, ANN)), bench.release(first));
    assertEquals(List.of(granted(late, CAT), released(exclusive, BEN)), bench.release(exclusive));
  }

  @Test
  void if_available_takes_a_free_name() {
    long id = bench.ifAvailable(ANN, "a", EXCLUSIVE);
    assertEquals(List.of(granted(id, ANN)), bench.effects);
  }

  @Test
  void if_available_joins_shared_locks_but_does_not_overtake_waiting_requests() {
    bench.shared(ANN, "a");
    long joined = bench.ifAvailable(BEN, "a", SHARED);
    assertEquals(List.of(granted(joined, BEN)), bench.effects);
    bench.exclusive(CAT, "a");
    long missed = bench.ifAvailable(BEN, "a", SHARED);
    assertEquals(List.of(unavailable(missed, BEN)), bench.effects);
  }

  @Test
  void id_of_a_missed_request_releases_and_aborts_nothing() {
    long held = bench.exclusive(ANN, "a");
    long missed = bench.ifAvailable(BEN, "a", EXCLUSIVE);
    assertEquals(List.of(), bench.abort(missed));
    assertEquals(List.of(), bench.release(missed));
    assertEquals(List.of(released(held, ANN)), bench.release(held));
  }

  @Test
  void a_steal_of_a_free_name_is_a_plain_grant() {
    long id = bench.steal(ANN, "a");
    assertEquals(List.of(granted(id, ANN)), bench.effects);
  }

  @Test
  void steal_overtakes_all_waiting_requests() {
    long victim = bench.exclusive(ANN, "a");
    long waiting = bench.exclusive(BEN, "a");
    long thief = bench.steal(CAT, "a");
    assertEquals(List.of(stolen(victim, ANN), granted(thief, CAT)), bench.effects);
    assertEquals(List.of(granted(waiting, BEN), released(thief, CAT)), bench.release(thief));
  }

  @Test
  void a_client_may_steal_from_itself() {
    long victim = bench.exclusive(ANN, "a");
    long thief = bench.steal(ANN, "a");
    assertEquals(List.of(stolen(victim, ANN), granted(thief, ANN)), bench.effects);
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(0, bench.managers.heldCount());
  }

  @Test
  void an_aborted_request_leaves_the_middle_of_the_queue() {
    long held = bench.exclusive(ANN, "a");
    long second = bench.exclusive(BEN, "a");
    long third = bench.exclusive(CAT, "a");
    long fourth = bench.exclusive(BEN, "a");
    assertEquals(List.of(), bench.abort(third));
    bench.release(held);
    assertEquals(List.of(granted(fourth, BEN), released(second, BEN)), bench.release(second));
    assertEquals(List.of(), bench.abort(third));
  }

  @Test
  void a_release_of_a_request_that_waits_changes_nothing() {
    bench.exclusive(ANN, "a");
    long waiting = bench.exclusive(BEN, "a");
    LockManagerSnapshot before = bench.snapshot();
    assertEquals(List.of(), bench.release(waiting));
    assertEquals(before, bench.snapshot());
  }

  @Test
  void unknown_ids_and_clients_are_ignored() {
    assertEquals(List.of(), bench.release(7));
    assertEquals(List.of(), bench.abort(7));
    assertEquals(List.of(), bench.end(ANN));
  }

  @Test
  void different_names_do_not_conflict() {
    bench.exclusive(ANN, "a");
    long other = bench.exclusive(BEN, "b");
    assertEquals(List.of(granted(other, BEN)), bench.effects);
  }

  @Test
  void empty_name_is_a_valid_name() {
    long first = bench.exclusive(ANN, "");
    long second = bench.exclusive(BEN, "");
    assertEquals(List.of(granted(second, BEN), released(first, ANN)), bench.release(first));
  }

  @Test
  void different_managers_do_not_conflict() {
    bench.exclusive(ANN, "a");
    long other = bench.request(BEN, OTHER_BUCKET, "a", EXCLUSIVE, WAIT);
    assertEquals(List.of(granted(other, BEN)), bench.effects);
    assertEquals(List.of(info("a", EXCLUSIVE, ANN)), bench.snapshot(BUCKET).held());
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), bench.snapshot(OTHER_BUCKET).held());
  }

  @Test
  void the_end_of_a_client_reaches_all_managers() {
    bench.exclusive(ANN, "a");
    bench.request(ANN, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
    long first = bench.exclusive(BEN, "a");
    long second = bench.request(CAT, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
    assertEquals(List.of(granted(first, BEN), granted(second, CAT)), bench.end(ANN));
  }

  @Test
  void end_of_the_last_shared_holder_grants_the_exclusive_request() {
    bench.shared(ANN, "a");
    bench.shared(ANN, "a");
    long other = bench.shared(BEN, "a");
    long exclusive = bench.exclusive(CAT, "a");
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(List.of(granted(exclusive, CAT), released(other, BEN)), bench.release(other));
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
    long first = bench.exclusive(ANN, "a");
    LockManagerSnapshot held = bench.snapshot();
    assertSame(held, bench.snapshot());
    long second = bench.exclusive(BEN, "a");
    LockManagerSnapshot waiting = bench.snapshot();
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), waiting.pending());
    assertSame(waiting, bench.snapshot());
    bench.abort(second);
    assertEquals(held, bench.snapshot());
    bench.release(first);
    assertEquals(new LockManagerSnapshot(List.of(), List.of()), bench.snapshot());
  }

  @Test
  void an_id_in_use_is_refused_and_nothing_changes() {
    long held = bench.exclusive(ANN, "a");
    long waiting = bench.exclusive(BEN, "a");
    LockManagerSnapshot before = bench.snapshot();
    for (long id : new long[] {held, waiting}) {
      RequestLock again = new RequestLock(id, CAT, OTHER_BUCKET, "b", EXCLUSIVE, WAIT);
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> bench.apply(again));
      assertTrue(refusal.getMessage().contains("request id " + id + " "), refusal.getMessage());
    }
    assertEquals(before, bench.snapshot());
    assertEquals(1, bench.managers.managerCount());
  }

  @Test
  void idle_managers_retain_no_memory() {
    long first = bench.exclusive(ANN, "a");
    long second = bench.exclusive(BEN, "a");
    bench.ifAvailable(CAT, "a", SHARED);
    long third = bench.request(CAT, OTHER_BUCKET, "b", SHARED, WAIT);
    assertEquals(2, bench.managers.managerCount());
    assertEquals(2, bench.managers.queueCount());
    assertEquals(3, bench.managers.clientCount());
    assertEquals(2, bench.managers.heldCount());
    assertEquals(1, bench.managers.pendingCount());
    bench.abort(second);
    assertEquals(2, bench.managers.clientCount());
    bench.release(first);
    assertEquals(1, bench.managers.managerCount());
    bench.release(third);
    assertEquals(0, bench.managers.managerCount());
    assertEquals(0, bench.managers.queueCount());
    assertEquals(0, bench.managers.clientCount());
    assertEquals(0, bench.managers.heldCount());
    assertEquals(0, bench.managers.pendingCount());
  }

  @Test
  void snapshot_of_an_unknown_manager_does_not_create_it() {
    assertEquals(new LockManagerSnapshot(List.of(), List.of()), bench.snapshot(OTHER_BUCKET));
    assertEquals(0, bench.managers.managerCount());
  }
}
