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
import static dev.weblocks.model.WaitMode.STEAL;
import static dev.weblocks.model.WaitMode.WAIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockManagerSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** At least one test for each text decision in the package's Javadoc. */
class TextDecisionsTest {
  private final Bench bench = new Bench();

  @Test
  void if_available_miss_ends_the_request_and_has_an_effect() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId missed = bench.ifAvailable(BEN, "a", EXCLUSIVE);
    assertEquals(List.of(unavailable(missed)), bench.effects);
    assertEquals(List.of(), bench.snapshot().pending());
    assertEquals(List.of(released(held)), bench.release(held));
    assertEquals(List.of(), bench.release(missed));
  }

  @Test
  void every_effect_goes_to_the_client_that_made_the_request() {
    RequestId first = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(first)), bench.effects);
    RequestId second = bench.exclusive(BEN, "a");
    RequestId missed = bench.ifAvailable(CAT, "a", SHARED);
    assertEquals(List.of(unavailable(missed)), bench.effects);
    assertEquals(List.of(granted(second), released(first)), bench.release(first));
  }

  @Test
  void steal_release_and_query_have_effects_that_settle_promises() {
    RequestId first = bench.exclusive(ANN, "a");
    RequestId thief = bench.steal(BEN, "a");
    assertTrue(bench.effects.contains(stolen(first)));
    assertEquals(List.of(released(thief)), bench.release(thief));
    bench.register(CAT);
    RequestId query = bench.nextId(CAT);
    LockEffect answer = bench.apply(new TakeSnapshot(query, BUCKET)).get(0);
    LockManagerSnapshot nothing = new LockManagerSnapshot(List.of(), List.of());
    assertEquals(new SnapshotTaken(query, nothing, SpecStep.SNAPSHOT_RESOLVES), answer);
  }

  @Test
  void an_abort_that_comes_after_the_grant_changes_nothing() {
    RequestId held = bench.exclusive(ANN, "a");
    bench.exclusive(BEN, "a");
    LockManagerSnapshot before = bench.snapshot();
    assertEquals(List.of(), bench.abort(held));
    assertEquals(before, bench.snapshot());
  }

  @Test
  void abort_after_the_grant_does_not_prevent_a_normal_release() {
    RequestId aborted = bench.exclusive(ANN, "a");
    RequestId next = bench.exclusive(BEN, "a");
    bench.abort(aborted);
    assertEquals(List.of(granted(next), released(aborted)), bench.release(aborted));
  }

  @Test
  void shared_requests_behind_an_aborted_exclusive_request_are_granted_at_once() {
    bench.shared(ANN, "a");
    RequestId exclusive = bench.exclusive(BEN, "a");
    RequestId second = bench.shared(CAT, "a");
    RequestId third = bench.shared(ANN, "a");
    assertEquals(List.of(), bench.effects);
    assertEquals(List.of(granted(second), granted(third)), bench.abort(exclusive));
  }

  @Test
  void released_effect_follows_the_grants_that_the_release_allows() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId second = bench.shared(BEN, "a");
    RequestId third = bench.shared(ANN, "a");
    assertEquals(List.of(granted(second), granted(third), released(held)), bench.release(held));
  }

  @Test
  void release_of_a_stolen_lock_changes_nothing() {
    RequestId victim = bench.exclusive(ANN, "a");
    bench.steal(BEN, "a");
    bench.exclusive(CAT, "a");
    LockManagerSnapshot before = bench.snapshot();
    assertEquals(List.of(), bench.release(victim));
    assertEquals(before, bench.snapshot());
  }

  @Test
  void stolen_lock_is_reported_as_granted_and_then_as_stolen() {
    RequestId victim = bench.exclusive(ANN, "a");
    assertEquals(List.of(granted(victim)), bench.effects);
    RequestId thief = bench.steal(BEN, "a");
    assertEquals(List.of(stolen(victim), granted(thief)), bench.effects);
  }

  @Test
  void a_steal_takes_all_locks_of_the_name_in_grant_order() {
    RequestId first = bench.shared(ANN, "a");
    RequestId elsewhere = bench.shared(ANN, "b");
    RequestId second = bench.shared(BEN, "a");
    RequestId third = bench.shared(ANN, "a");
    RequestId thief = bench.steal(CAT, "a");
    assertEquals(
        List.of(stolen(first), stolen(second), stolen(third), granted(thief)), bench.effects);
    assertEquals(List.of(released(elsewhere)), bench.release(elsewhere));
  }

  @Test
  void shared_steal_grants_the_shared_requests_at_the_queue_head() {
    RequestId victim = bench.exclusive(ANN, "a");
    RequestId waiter = bench.shared(BEN, "a");
    bench.exclusive(CAT, "a");
    bench.shared(BEN, "a");
    RequestId thief = bench.request(CAT, BUCKET, "a", SHARED, STEAL);
    assertEquals(List.of(stolen(victim), granted(thief), granted(waiter)), bench.effects);
  }

  @Test
  void end_of_a_client_ends_only_its_own_locks_and_requests() {
    // A frame and its parent share an agent, but are two clients of the manager.
    bench.shared(ANN, "a");
    bench.shared(BEN, "a");
    bench.exclusive(ANN, "a");
    bench.exclusive(BEN, "a");
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(List.of(info("a", SHARED, BEN)), bench.snapshot().held());
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), bench.snapshot().pending());
  }

  @Test
  void lock_that_is_not_released_is_kept_until_its_client_ends() {
    bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(BEN, "a");
    assertEquals(List.of(), bench.effects);
    assertEquals(List.of(granted(waiting)), bench.end(ANN));
  }

  @Test
  void an_ending_client_is_granted_no_lock() {
    // Taken literally, the abort of the exclusive request grants the shared one behind it.
    bench.shared(BEN, "a");
    bench.exclusive(ANN, "a");
    bench.shared(ANN, "a");
    RequestId alive = bench.shared(CAT, "a");
    assertEquals(List.of(granted(alive)), bench.end(ANN));
    assertEquals(List.of(info("a", SHARED, BEN), info("a", SHARED, CAT)), bench.snapshot().held());
  }

  @Test
  void end_of_client_removes_requests_first_and_then_locks_in_order() {
    bench.exclusive(ANN, "held first");
    bench.request(ANN, OTHER_BUCKET, "held second", EXCLUSIVE, WAIT);
    RequestId afterFirst = bench.exclusive(BEN, "held first");
    RequestId afterSecond = bench.request(BEN, OTHER_BUCKET, "held second", EXCLUSIVE, WAIT);
    bench.shared(BEN, "asked second");
    bench.request(BEN, OTHER_BUCKET, "asked first", SHARED, WAIT);
    bench.request(ANN, OTHER_BUCKET, "asked first", EXCLUSIVE, WAIT);
    bench.exclusive(ANN, "asked second");
    RequestId behindSecond = bench.shared(BEN, "asked second");
    RequestId behindFirst = bench.request(BEN, OTHER_BUCKET, "asked first", SHARED, WAIT);
    assertEquals(
        List.of(
            granted(behindFirst), granted(behindSecond), granted(afterFirst), granted(afterSecond)),
        bench.end(ANN));
  }

  @Test
  void an_ended_client_gets_no_effects() {
    RequestId held = bench.exclusive(ANN, "a");
    RequestId waiting = bench.exclusive(ANN, "a");
    assertEquals(List.of(), bench.end(ANN));
    assertEquals(List.of(), bench.release(held));
    assertEquals(List.of(), bench.abort(waiting));
    assertEquals(List.of(), bench.end(ANN));
  }

  @Test
  void pending_lists_names_in_the_order_of_queue_creation() {
    RequestId first = bench.exclusive(ANN, "a");
    bench.exclusive(ANN, "b");
    bench.exclusive(BEN, "b");
    bench.exclusive(BEN, "b");
    RequestId waiting = bench.exclusive(BEN, "a");
    assertEquals(
        List.of(info("a", EXCLUSIVE, BEN), info("b", EXCLUSIVE, BEN), info("b", EXCLUSIVE, BEN)),
        bench.snapshot().pending());
    bench.release(first);
    bench.release(waiting);
    bench.exclusive(ANN, "a");
    bench.exclusive(CAT, "a");
    assertEquals(
        List.of(info("b", EXCLUSIVE, BEN), info("b", EXCLUSIVE, BEN), info("a", EXCLUSIVE, CAT)),
        bench.snapshot().pending());
  }

  @Test
  void held_lists_locks_of_all_names_in_grant_order() {
    bench.shared(ANN, "b");
    RequestId middle = bench.exclusive(BEN, "a");
    bench.shared(CAT, "b");
    bench.exclusive(CAT, "a");
    assertEquals(
        List.of(info("b", SHARED, ANN), info("a", EXCLUSIVE, BEN), info("b", SHARED, CAT)),
        bench.snapshot().held());
    bench.release(middle);
    assertEquals(
        List.of(info("b", SHARED, ANN), info("b", SHARED, CAT), info("a", EXCLUSIVE, CAT)),
        bench.snapshot().held());
  }

  @Test
  void names_that_differ_only_in_a_lone_surrogate_are_different() {
    String[] names = {"\uD800", "\uDC00", "\uD801", "\uD800\uDC00", "\uDC00\uD800", "\uFFFD", "?"};
    for (String name : names) {
      RequestId id = bench.exclusive(ANN, name);
      assertEquals(List.of(granted(id)), bench.effects);
    }
    for (int i = 0; i < names.length; i++) {
      assertEquals(names[i], bench.snapshot().held().get(i).name());
    }
  }
}
