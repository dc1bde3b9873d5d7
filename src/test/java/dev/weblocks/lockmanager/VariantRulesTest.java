package dev.weblocks.lockmanager;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BEN;
import static dev.weblocks.lockmanager.Bench.BUCKET;
import static dev.weblocks.lockmanager.Bench.CAT;
import static dev.weblocks.lockmanager.Bench.granted;
import static dev.weblocks.lockmanager.Bench.info;
import static dev.weblocks.lockmanager.Bench.released;
import static dev.weblocks.lockmanager.Bench.stolen;
import static dev.weblocks.lockmanager.Bench.unavailable;
import static dev.weblocks.lockmanager.message.LockMode.EXCLUSIVE;
import static dev.weblocks.lockmanager.message.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Effects of the lock managers under the variants that concern them, compared with the draft under
 * the same commands.
 */
class VariantRulesTest {

  private final Bench draft = new Bench();

  @Test
  void settle_before_grant_delivers_the_release_before_the_grants() {
    Bench variant = new Bench(Variant.SETTLE_BEFORE_GRANT);
    for (Bench each : List.of(draft, variant)) {
      long held = each.exclusive(ANN, "a");
      long second = each.shared(BEN, "a");
      long third = each.shared(CAT, "a");
      List<LockEffect> grants = List.of(granted(second, BEN), granted(third, CAT));
      List<LockEffect> expected = new ArrayList<>(grants);
      expected.add(each == draft ? 2 : 0, released(held, ANN));
      assertEquals(expected, each.release(held));
    }
  }

  @Test
  void reentrant_grants_a_name_again_to_the_client_that_holds_it() {
    Bench variant = new Bench(Variant.REENTRANT);
    for (Bench each : List.of(draft, variant)) {
      each.reentrant(ANN, "a", EXCLUSIVE);
      each.exclusive(BEN, "a");
      long inner = each.exclusive(ANN, "a");
      assertEquals(each == draft ? List.of() : List.of(granted(inner, ANN)), each.effects);
    }
    assertEquals(
        List.of(info("a", EXCLUSIVE, ANN), info("a", EXCLUSIVE, ANN)), variant.snapshot().held());
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), variant.snapshot().pending());
  }

  @Test
  void reentered_name_is_free_after_its_last_release_in_any_order() {
    Bench variant = new Bench(Variant.REENTRANT);
    long outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    long inner = variant.shared(ANN, "a");
    long waiting = variant.shared(BEN, "a");
    assertEquals(List.of(), variant.effects);
    assertEquals(List.of(granted(waiting, BEN), released(outer, ANN)), variant.release(outer));
    assertEquals(List.of(released(inner, ANN)), variant.release(inner));

    outer = variant.reentrant(CAT, "b", SHARED);
    inner = variant.exclusive(CAT, "b");
    assertEquals(List.of(granted(inner, CAT)), variant.effects);
    waiting = variant.shared(BEN, "b"); // the first lock of the name is shared, the second is not
    assertEquals(List.of(), variant.effects);
    assertEquals(List.of(released(outer, CAT)), variant.release(outer));
    assertEquals(List.of(granted(waiting, BEN), released(inner, CAT)), variant.release(inner));
  }

  @Test
  void only_reentrant_locks_can_be_reentered_and_only_by_their_client() {
    Bench variant = new Bench(Variant.REENTRANT);
    variant.exclusive(ANN, "a");
    variant.reentrant(ANN, "a", EXCLUSIVE);
    assertEquals(List.of(), variant.effects);
    variant.reentrant(BEN, "b", EXCLUSIVE);
    variant.reentrant(ANN, "b", EXCLUSIVE);
    assertEquals(List.of(), variant.effects);
  }

  @Test
  void reentrant_request_waits_only_for_shared_locks_of_other_clients() {
    Bench variant = new Bench(Variant.REENTRANT);
    variant.reentrant(ANN, "a", SHARED);
    long other = variant.shared(BEN, "a");
    long ahead = variant.exclusive(CAT, "a");
    long inner = variant.exclusive(ANN, "a");
    assertEquals(List.of(), variant.effects);
    long beside = variant.shared(ANN, "a");
    assertEquals(List.of(granted(beside, ANN)), variant.effects);
    assertEquals(List.of(granted(inner, ANN), released(other, BEN)), variant.release(other));
    assertEquals(
        List.of(info("a", EXCLUSIVE, CAT)), variant.snapshot().pending(), "still waits: " + ahead);
  }

  @Test
  void reentrant_grant_unblocks_earlier_waiting_requests_of_the_client() {
    Bench variant = new Bench(Variant.REENTRANT);
    long held = variant.exclusive(CAT, "a");
    long outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(BEN, "a");
    long inner = variant.exclusive(ANN, "a");
    assertEquals(
        List.of(granted(outer, ANN), granted(inner, ANN), released(held, CAT)),
        variant.release(held));
  }

  @Test
  void if_available_may_reenter_and_steal_takes_all_reentered_locks() {
    Bench variant = new Bench(Variant.REENTRANT);
    long outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(BEN, "a");
    long inner = variant.ifAvailable(ANN, "a", EXCLUSIVE);
    assertEquals(List.of(granted(inner, ANN)), variant.effects);
    long missed = variant.ifAvailable(CAT, "a", SHARED);
    assertEquals(List.of(unavailable(missed, CAT)), variant.effects);
    long thief = variant.steal(CAT, "a");
    assertEquals(
        List.of(stolen(outer, ANN), stolen(inner, ANN), granted(thief, CAT)), variant.effects);
  }

  @Test
  void end_of_a_client_releases_all_reentered_locks() {
    Bench variant = new Bench(Variant.REENTRANT);
    variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(ANN, "a");
    long waiting = variant.exclusive(BEN, "a");
    assertEquals(List.of(granted(waiting, BEN)), variant.end(ANN));
  }

  @Test
  void aborted_stays_pending_keeps_the_request_queued_and_grants_it() {
    Bench variant = new Bench(Variant.ABORTED_STAYS_PENDING);
    for (Bench each : List.of(draft, variant)) {
      long held = each.shared(ANN, "a");
      long aborted = each.exclusive(BEN, "a");
      long behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind, CAT)) : List.of(), each.abort(aborted));
      assertEquals(each == draft ? 0 : 2, each.snapshot().pending().size());
      assertEquals(
          each == draft
              ? List.of(released(held, ANN))
              : List.of(granted(aborted, BEN), released(held, ANN)),
          each.release(held));
    }
  }

  @Test
  void abort_grants_nothing_until_the_name_is_requested_again() {
    Bench variant = new Bench(Variant.ABORT_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.shared(ANN, "a");
      long aborted = each.exclusive(BEN, "a");
      long behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind, CAT)) : List.of(), each.abort(aborted));
      long next = each.shared(BEN, "a");
      assertEquals(
          each == draft
              ? List.of(granted(next, BEN))
              : List.of(granted(behind, CAT), granted(next, BEN)),
          each.effects);
    }
  }

  @Test
  void abort_grants_nothing_applies_to_requests_of_ending_clients() {
    Bench variant = new Bench(Variant.ABORT_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.shared(ANN, "a");
      each.exclusive(BEN, "a");
      long behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind, CAT)) : List.of(), each.end(BEN));
    }
  }

  @Test
  void end_grants_nothing_until_the_next_request() {
    Bench variant = new Bench(Variant.END_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.exclusive(ANN, "a");
      long waiting = each.exclusive(BEN, "a");
      assertEquals(each == draft ? List.of(granted(waiting, BEN)) : List.of(), each.end(ANN));
      assertEquals(each == draft ? 1 : 0, each.snapshot().held().size());
      assertEquals(each == draft ? 0 : 1, each.snapshot().pending().size());
      each.exclusive(CAT, "a");
      assertEquals(each == draft ? List.of() : List.of(granted(waiting, BEN)), each.effects);
    }
  }

  @Test
  void end_grants_nothing_removes_unused_names() {
    Bench variant = new Bench(Variant.END_GRANTS_NOTHING);
    variant.exclusive(ANN, "a");
    variant.exclusive(ANN, "a");
    variant.end(ANN);
    assertEquals(0, variant.managers.queueCount() + variant.managers.managerCount());
  }

  @Test
  void query_own_locks_lists_only_locks_of_the_asker() {
    Bench variant = new Bench(Variant.QUERY_OWN_LOCKS);
    for (Bench each : List.of(draft, variant)) {
      each.shared(BEN, "a");
      each.shared(ANN, "a"); // the client that queries
      each.exclusive(BEN, "a");
      each.exclusive(ANN, "a");
      boolean all = each == draft;
      assertEquals(all ? 2 : 1, each.snapshot(BUCKET).held().size());
      assertEquals(all ? 2 : 1, each.snapshot(BUCKET).pending().size());
      assertTrue(each.snapshot().held().contains(info("a", SHARED, ANN)));
      assertEquals(all, each.snapshot().held().contains(info("a", SHARED, BEN)));
    }
  }

  @Test
  void if_available_joins_queue_when_no_lock_blocks_it() {
    Bench variant = new Bench(Variant.IF_AVAILABLE_JOINS_QUEUE);
    for (Bench each : List.of(draft, variant)) {
      long held = each.shared(ANN, "a");
      long ahead = each.exclusive(BEN, "a");
      long asked = each.ifAvailable(CAT, "a", SHARED);
      assertEquals(each == draft ? List.of(unavailable(asked, CAT)) : List.of(), each.effects);
      long missed = each.ifAvailable(CAT, "a", EXCLUSIVE);
      assertEquals(List.of(unavailable(missed, CAT)), each.effects);
      each.release(held);
      each.release(ahead);
      assertEquals(each != draft, each.effects.contains(granted(asked, CAT)));
    }
  }

  @Test
  void text_of_a_request_differs_only_if_it_is_reentrant() {
    RequestLock plain = new RequestLock(1, ANN, BUCKET, "a", SHARED, WaitMode.WAIT);
    RequestLock reentrant = new RequestLock(1, ANN, BUCKET, "a", SHARED, WaitMode.WAIT, null, true);
    assertTrue(plain.toString().endsWith("waitMode=WAIT]"), plain.toString());
    assertEquals(plain.toString().replace("WAIT]", "WAIT, reentrant]"), reentrant.toString());
  }

  @Test
  void awaited_step_is_awaited_until_it_has_run() {
    LockTaskQueue variant =
        TestQueues.queue(() -> {}, null, Set.of(Variant.CALLBACK_INSIDE_REQUEST));
    List<LockEffect> effects = new ArrayList<>();
    variant.register(ANN, effects::add);
    RequestLock first = new RequestLock(1, ANN, BUCKET, "a", SHARED, WaitMode.WAIT);
    RequestLock second = new RequestLock(2, ANN, BUCKET, "a", SHARED, WaitMode.WAIT);
    variant.enqueue(first);
    variant.enqueueAwaited(second);
    assertTrue(variant.isAwaited(second));
    variant.runStep();
    assertTrue(variant.isAwaited(second));
    assertFalse(variant.isAwaited(first));
    variant.runStep();
    assertFalse(variant.isAwaited(second));
    assertEquals(List.of(granted(1, ANN), granted(2, ANN)), effects);

    LockTaskQueue plain = TestQueues.queue(() -> {});
    assertThrows(IllegalStateException.class, () -> plain.enqueueAwaited(first));
    assertFalse(plain.isAwaited(first));
  }

  @Test
  void variants_of_the_agent_do_not_affect_lock_managers() {
    Bench variant =
        new Bench(
            Variant.SETTLE_AT_ONCE,
            Variant.SKIP_STOLEN_CALLBACK,
            Variant.STOLEN_ERROR,
            Variant.CALLBACK_LESS,
            Variant.CALLBACK_INSIDE_REQUEST,
            Variant.THROW_KEEPS_LOCK,
            Variant.THENABLE_RELEASES,
            Variant.SIGNAL_BEFORE_OPTIONS,
            Variant.LOCK_STOLEN_MESSAGE,
            Variant.OWN_CLIENT_IDS);
    for (Bench each : List.of(draft, variant)) {
      long victim = each.exclusive(ANN, "a");
      long thief = each.steal(BEN, "a");
      assertEquals(List.of(stolen(victim, ANN), granted(thief, BEN)), each.effects);
      long waiting = each.exclusive(CAT, "a");
      assertEquals(List.of(granted(waiting, CAT), released(thief, BEN)), each.release(thief));
    }
  }
}
