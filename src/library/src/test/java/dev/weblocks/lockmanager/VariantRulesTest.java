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
import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Effects of the lock managers under the variants that concern them, compared with the draft under
 * the same commands.
 */
class VariantRulesTest {

  private final Bench draft = new Bench();

  @Test
  void variant_settle_before_grant_delivers_the_release_before_the_grants() {
    Bench variant = new Bench(Variant.SETTLE_BEFORE_GRANT);
    for (Bench each : List.of(draft, variant)) {
      RequestId held = each.exclusive(ANN, "a");
      RequestId second = each.shared(BEN, "a");
      RequestId third = each.shared(CAT, "a");
      List<LockEffect> grants = List.of(granted(second), granted(third));
      List<LockEffect> expected = new ArrayList<>(grants);
      expected.add(each == draft ? 2 : 0, released(held));
      assertEquals(expected, each.release(held));
    }
  }

  @Test
  void variant_reentrant_grants_a_name_again_to_the_client_that_holds_it() {
    Bench variant = new Bench(Variant.REENTRANT);
    for (Bench each : List.of(draft, variant)) {
      each.reentrant(ANN, "a", EXCLUSIVE);
      each.exclusive(BEN, "a");
      RequestId inner = each.exclusive(ANN, "a");
      assertEquals(each == draft ? List.of() : List.of(granted(inner)), each.effects);
    }
    assertEquals(
        List.of(info("a", EXCLUSIVE, ANN), info("a", EXCLUSIVE, ANN)), variant.snapshot().held());
    assertEquals(List.of(info("a", EXCLUSIVE, BEN)), variant.snapshot().pending());
  }

  @Test
  void reentered_name_is_free_after_its_last_release_in_any_order() {
    Bench variant = new Bench(Variant.REENTRANT);
    RequestId outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    RequestId inner = variant.shared(ANN, "a");
    RequestId waiting = variant.shared(BEN, "a");
    assertEquals(List.of(), variant.effects);
    assertEquals(List.of(granted(waiting), released(outer)), variant.release(outer));
    assertEquals(List.of(released(inner)), variant.release(inner));

    outer = variant.reentrant(CAT, "b", SHARED);
    inner = variant.exclusive(CAT, "b");
    assertEquals(List.of(granted(inner)), variant.effects);
    waiting = variant.shared(BEN, "b"); // the first lock of the name is shared, the second is not
    assertEquals(List.of(), variant.effects);
    assertEquals(List.of(released(outer)), variant.release(outer));
    assertEquals(List.of(granted(waiting), released(inner)), variant.release(inner));
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
    RequestId other = variant.shared(BEN, "a");
    RequestId ahead = variant.exclusive(CAT, "a");
    RequestId inner = variant.exclusive(ANN, "a");
    assertEquals(List.of(), variant.effects);
    RequestId beside = variant.shared(ANN, "a");
    assertEquals(List.of(granted(beside)), variant.effects);
    assertEquals(List.of(granted(inner), released(other)), variant.release(other));
    assertEquals(
        List.of(info("a", EXCLUSIVE, CAT)), variant.snapshot().pending(), "still waits: " + ahead);
  }

  @Test
  void reentrant_grant_unblocks_earlier_waiting_requests_of_the_client() {
    Bench variant = new Bench(Variant.REENTRANT);
    RequestId held = variant.exclusive(CAT, "a");
    RequestId outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(BEN, "a");
    RequestId inner = variant.exclusive(ANN, "a");
    assertEquals(List.of(granted(outer), granted(inner), released(held)), variant.release(held));
  }

  @Test
  void if_available_can_reenter_a_lock_and_steal_takes_all_reentered_locks() {
    Bench variant = new Bench(Variant.REENTRANT);
    RequestId outer = variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(BEN, "a");
    RequestId inner = variant.ifAvailable(ANN, "a", EXCLUSIVE);
    assertEquals(List.of(granted(inner)), variant.effects);
    RequestId missed = variant.ifAvailable(CAT, "a", SHARED);
    assertEquals(List.of(unavailable(missed)), variant.effects);
    RequestId thief = variant.steal(CAT, "a");
    assertEquals(List.of(stolen(outer), stolen(inner), granted(thief)), variant.effects);
  }

  @Test
  void end_of_a_client_releases_all_reentered_locks() {
    Bench variant = new Bench(Variant.REENTRANT);
    variant.reentrant(ANN, "a", EXCLUSIVE);
    variant.exclusive(ANN, "a");
    RequestId waiting = variant.exclusive(BEN, "a");
    assertEquals(List.of(granted(waiting)), variant.end(ANN));
  }

  @Test
  void variant_aborted_stays_pending_keeps_an_aborted_request_queued_and_grants_it() {
    Bench variant = new Bench(Variant.ABORTED_STAYS_PENDING);
    for (Bench each : List.of(draft, variant)) {
      RequestId held = each.shared(ANN, "a");
      RequestId aborted = each.exclusive(BEN, "a");
      RequestId behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind)) : List.of(), each.abort(aborted));
      assertEquals(each == draft ? 0 : 2, each.snapshot().pending().size());
      assertEquals(
          each == draft ? List.of(released(held)) : List.of(granted(aborted), released(held)),
          each.release(held));
    }
  }

  @Test
  void variant_abort_grants_nothing_delays_grants_until_the_name_is_requested_again() {
    Bench variant = new Bench(Variant.ABORT_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.shared(ANN, "a");
      RequestId aborted = each.exclusive(BEN, "a");
      RequestId behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind)) : List.of(), each.abort(aborted));
      RequestId next = each.shared(BEN, "a");
      assertEquals(
          each == draft ? List.of(granted(next)) : List.of(granted(behind), granted(next)),
          each.effects);
    }
  }

  @Test
  void variant_abort_grants_nothing_applies_to_requests_of_ending_clients() {
    Bench variant = new Bench(Variant.ABORT_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.shared(ANN, "a");
      each.exclusive(BEN, "a");
      RequestId behind = each.shared(CAT, "a");
      assertEquals(each == draft ? List.of(granted(behind)) : List.of(), each.end(BEN));
    }
  }

  @Test
  void variant_end_grants_nothing_delays_grants_until_the_next_request() {
    Bench variant = new Bench(Variant.END_GRANTS_NOTHING);
    for (Bench each : List.of(draft, variant)) {
      each.exclusive(ANN, "a");
      RequestId waiting = each.exclusive(BEN, "a");
      assertEquals(each == draft ? List.of(granted(waiting)) : List.of(), each.end(ANN));
      assertEquals(each == draft ? 1 : 0, each.snapshot().held().size());
      assertEquals(each == draft ? 0 : 1, each.snapshot().pending().size());
      each.exclusive(CAT, "a");
      assertEquals(each == draft ? List.of() : List.of(granted(waiting)), each.effects);
    }
  }

  @Test
  void variant_end_grants_nothing_removes_unused_names() {
    Bench variant = new Bench(Variant.END_GRANTS_NOTHING);
    variant.exclusive(ANN, "a");
    variant.exclusive(ANN, "a");
    variant.end(ANN);
    assertEquals(0, variant.managers.queueCount() + variant.managers.managerCount());
  }

  @Test
  void variant_query_own_locks_lists_only_locks_of_the_client_that_queries() {
    Bench variant = new Bench(Variant.QUERY_OWN_LOCKS);
    for (Bench each : List.of(draft, variant)) {
      each.shared(BEN, "a");
      each.shared(ANN, "a");
      each.exclusive(BEN, "a");
      each.exclusive(ANN, "a");
      boolean all = each == draft;
      LockManagerSnapshot answer = each.snapshot(ANN, BUCKET);
      assertEquals(all ? 2 : 1, answer.held().size());
      assertEquals(all ? 2 : 1, answer.pending().size());
      assertTrue(answer.held().contains(info("a", SHARED, ANN)));
      assertEquals(all, answer.held().contains(info("a", SHARED, BEN)));
    }
  }

  @Test
  void variant_if_available_joins_queue_enqueues_a_request_that_no_lock_blocks() {
    Bench variant = new Bench(Variant.IF_AVAILABLE_JOINS_QUEUE);
    for (Bench each : List.of(draft, variant)) {
      RequestId held = each.shared(ANN, "a");
      RequestId ahead = each.exclusive(BEN, "a");
      RequestId asked = each.ifAvailable(CAT, "a", SHARED);
      assertEquals(each == draft ? List.of(unavailable(asked)) : List.of(), each.effects);
      RequestId missed = each.ifAvailable(CAT, "a", EXCLUSIVE);
      assertEquals(List.of(unavailable(missed)), each.effects);
      each.release(held);
      each.release(ahead);
      assertEquals(each != draft, each.effects.contains(granted(asked)));
    }
  }

  @Test
  void variants_that_concern_only_agents_do_not_affect_lock_managers() {
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
      RequestId victim = each.exclusive(ANN, "a");
      RequestId thief = each.steal(BEN, "a");
      assertEquals(List.of(stolen(victim), granted(thief)), each.effects);
      RequestId waiting = each.exclusive(CAT, "a");
      assertEquals(List.of(granted(waiting), released(thief)), each.release(thief));
    }
  }
}
