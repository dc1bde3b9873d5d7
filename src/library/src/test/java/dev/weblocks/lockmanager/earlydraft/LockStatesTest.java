package dev.weblocks.lockmanager.earlydraft;

import static dev.weblocks.lockmanager.earlydraft.StatesBed.ANN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.BEN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.ORIGIN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.told;
import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The algorithms of the early draft, step by step. */
class LockStatesTest {

  private final StatesBed bed = new StatesBed();

  // ---- grantable
  // ---------------------------------------------------------------------------------

  @Test
  void exclusive_request_conflicts_with_exactly_the_intersecting_locks() {
    bed.exclusive("a", "b");
    bed.shared("s", "t");
    assertEquals(List.of(1L, 2L), bed.proceed());

    assertFalse(bed.isAvailable(EXCLUSIVE, "b"));
    assertFalse(bed.isAvailable(EXCLUSIVE, "c", "a"));
    assertFalse(bed.isAvailable(EXCLUSIVE, "t", "c"));
    assertTrue(bed.isAvailable(EXCLUSIVE, "c", "d"));
  }

  @Test
  void exclusive_request_conflicts_with_intersecting_earlier_requests() {
    bed.exclusive("a");
    bed.proceed();
    bed.shared("a", "b");
    bed.exclusive("a", "c");

    assertFalse(bed.isAvailable(EXCLUSIVE, "b"));
    assertFalse(bed.isAvailable(EXCLUSIVE, "d", "c"));
    assertTrue(bed.isAvailable(EXCLUSIVE, "d"));
  }

  @Test
  void shared_request_conflicts_only_with_exclusive_locks() {
    bed.exclusive("a", "b");
    bed.shared("s", "t");
    bed.proceed();

    assertFalse(bed.isAvailable(SHARED, "s", "b"));
    assertTrue(bed.isAvailable(SHARED, "s", "c"));
  }

  @Test
  void shared_request_conflicts_only_with_earlier_exclusive_requests() {
    bed.exclusive("a");
    bed.shared("s");
    bed.proceed();
    bed.shared("a", "b");
    bed.exclusive("s", "c");

    assertTrue(bed.isAvailable(SHARED, "b"));
    assertFalse(bed.isAvailable(SHARED, "c"));
    assertFalse(bed.isAvailable(SHARED, "s"));
  }

  @Test
  void later_requests_block_no_earlier_request() {
    long holder = bed.exclusive("a");
    bed.proceed();
    long first = bed.exclusive("a", "b");
    bed.exclusive("b");
    bed.shared("b");
    bed.settle(holder);

    assertEquals(List.of(first), bed.proceed());
  }

  // ---- request a lock
  // ----------------------------------------------------------------------------

  @Test
  void if_available_request_that_misses_leaves_no_state() {
    bed.exclusive("a");
    bed.proceed();
    assertFalse(bed.isAvailable(EXCLUSIVE, "a", "b"));

    assertEquals(0, bed.states.pendingCount());
    assertEquals(1, bed.states.nameCount());
    assertTrue(bed.isAvailable(EXCLUSIVE, "b"));
  }

  @Test
  void if_available_request_for_free_names_is_granted_like_any_other() {
    assertTrue(bed.isAvailable(EXCLUSIVE, "a", "b"));
    assertEquals(List.of(1L), bed.proceed());
    assertEquals(1, bed.states.heldCount());
  }

  @Test
  void a_request_waits_until_all_names_of_its_scope_are_free() {
    long a = bed.exclusive("a");
    long b = bed.exclusive("b");
    long both = bed.exclusive("a", "b");
    assertEquals(List.of(a, b), bed.proceed());

    bed.settle(b);
    assertEquals(List.of(), bed.proceed());
    bed.settle(a);
    assertEquals(List.of(both), bed.proceed());
  }

  @Test
  void shared_requests_behind_an_exclusive_one_are_granted_together_at_its_release() {
    long writer = bed.exclusive("a", "b");
    long one = bed.shared("a");
    long two = bed.shared("b", "a");
    long next = bed.exclusive("a");
    long last = bed.shared("a");
    assertEquals(List.of(writer), bed.proceed());

    bed.settle(writer);
    assertEquals(List.of(one, two), bed.proceed());
    bed.settle(one);
    assertEquals(List.of(), bed.proceed());
    bed.settle(two);
    assertEquals(List.of(next), bed.proceed());
    bed.settle(next);
    assertEquals(List.of(last), bed.proceed());
  }

  @Test
  void locks_are_granted_only_when_waiting_steps_proceed() {
    long id = bed.exclusive("a");
    assertTrue(bed.states.mayProceed());
    assertEquals(0, bed.states.heldCount());

    assertEquals(List.of(new Granted(id, ANN, DraftStep.REQUEST_GRANTS)), bed.apply(new Proceed()));
    assertFalse(bed.states.mayProceed());
  }

  @Test
  void abort_removes_a_request_and_unblocks_those_behind_it() {
    bed.shared("a");
    bed.proceed();
    long writer = bed.exclusive("a", "b");
    long reader = bed.shared("a");
    long other = bed.exclusive("b");
    assertEquals(List.of(), bed.proceed());

    assertEquals(List.of("aborted " + writer), told(bed.abort(writer)));
    assertEquals(List.of(reader, other), bed.proceed());
    assertEquals(List.of(), bed.abort(writer));
  }

  @Test
  void abort_behind_an_exclusive_request_unblocks_no_request() {
    bed.shared("a");
    bed.proceed();
    bed.exclusive("a");
    long second = bed.exclusive("a");
    bed.shared("a");

    bed.abort(second);
    assertEquals(List.of(), bed.proceed());
  }

  @Test
  void request_with_an_id_in_use_is_refused() {
    long id = bed.exclusive("a");
    RequestLock again =
        new RequestLock(id, ANN, ORIGIN, Scope.of("b"), SHARED, false, false, StatesBed.UNKNOWN);
    assertThrows(IllegalArgumentException.class, () -> bed.apply(again));
    bed.proceed();
    assertThrows(IllegalArgumentException.class, () -> bed.apply(again));
    bed.settle(id);
    assertEquals(List.of(), bed.apply(again));
  }

  @Test
  void request_without_names_is_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new RequestLock(1, ANN, ORIGIN, Scope.of(), SHARED, false, false, StatesBed.UNKNOWN));
  }

  // ---- when lock's waiting promise settles
  // -------------------------------------------------------

  @Test
  void settled_waiting_promise_removes_its_lock_from_the_held_set() {
    long id = bed.exclusive("a");
    bed.proceed();
    assertEquals(List.of(), bed.settle(id));
    assertEquals(0, bed.states.heldCount());
    assertTrue(bed.isAvailable(EXCLUSIVE, "a"));
  }

  @Test
  void a_waiting_promise_that_settles_after_a_forced_release_changes_nothing() {
    long id = bed.exclusive("a");
    long next = bed.exclusive("a");
    bed.proceed();
    bed.forceRelease("a");
    assertEquals(List.of(next), bed.proceed());

    bed.settle(id);
    assertEquals(1, bed.states.heldCount());
    assertFalse(bed.isAvailable(SHARED, "a"));
  }

  // ---- forceRelease
  // ------------------------------------------------------------------------------

  @Test
  void forced_release_removes_locks_with_any_given_name_and_keeps_requests() {
    long ab = bed.exclusive("a", "b");
    long c = bed.shared("c");
    long cd = bed.shared("c", "d");
    bed.exclusive("e");
    bed.proceed();
    bed.exclusive("b", "x");

    assertEquals(
        List.of("released " + ab, "released " + c, "released " + cd, "done"),
        told(bed.forceRelease("c", "b", "nothing")));
    assertEquals(1, bed.states.heldCount());
    assertEquals(1, bed.states.pendingCount());
  }

  @Test
  void forced_release_removes_all_locks_before_any_request_proceeds() {
    long a = bed.exclusive("a");
    long b = bed.exclusive("b");
    bed.proceed();
    long onA = bed.exclusive("a");
    long onBoth = bed.exclusive("a", "b");
    long onB = bed.exclusive("b");

    assertEquals(
        List.of("released " + a, "released " + b, "done"), told(bed.forceRelease("a", "b")));
    assertEquals(0, bed.states.heldCount());
    assertEquals(List.of(onA), bed.proceed());
    bed.settle(onA);
    assertEquals(List.of(onBoth), bed.proceed());
    bed.settle(onBoth);
    assertEquals(List.of(onB), bed.proceed());
  }

  // ---- queryState
  // --------------------------------------------------------------------------------

  @Test
  void query_lists_scopes_and_modes_of_held_and_pending_locks() {
    bed.shared("b", "a");
    bed.exclusive("c");
    bed.proceed();
    bed.exclusive("d", "a");

    assertEquals(
        new QueriedState(
            List.of(
                new QueriedState.Entry(Scope.of("b", "a"), SHARED),
                new QueriedState.Entry(Scope.of("c"), EXCLUSIVE)),
            List.of(new QueriedState.Entry(Scope.of("d", "a"), EXCLUSIVE))),
        bed.query());
  }

  @Test
  void query_of_an_origin_without_locks_is_empty() {
    assertEquals(new QueriedState(List.of(), List.of()), bed.query());
  }

  // ---- for observers
  // -----------------------------------------------------------------------------

  @Test
  void diagnosis_lists_each_name_of_a_scope() {
    bed.exclusive("a", "b");
    bed.proceed();
    bed.request(BEN, SHARED, "b", "c");
    bed.request(BEN, EXCLUSIVE, "b");

    List<String> lines = new ArrayList<>();
    for (LockState state : bed.states.diagnose()) {
      lines.add(state.name() + " " + state.client().value() + " " + state.place());
    }
    assertEquals(List.of("a ann 0", "b ann 0", "b ben 1", "b ben 2", "c ben 1"), lines);
  }

  @Test
  void transition_with_several_names_counts_once_and_is_split_by_name() {
    List<String> lines = new ArrayList<>();
    Command request =
        new RequestLock(
            100, ANN, ORIGIN, Scope.of("a", "b"), EXCLUSIVE, false, false, StatesBed.UNKNOWN);
    for (Command command : List.of(request, new Proceed(), new GiveUp(100))) {
      bed.states.apply(
          command,
          effect -> {},
          transition -> {
            lines.add(transition.kind() + " " + transition.scope().names());
            for (LockTransition each : transition.byName()) {
              lines.add(each.kind() + " " + each.name());
            }
          });
    }
    assertEquals(
        List.of(
            "REQUESTED [a, b]",
            "REQUESTED a",
            "REQUESTED b",
            "GRANTED [a, b]",
            "GRANTED a",
            "GRANTED b",
            "RELEASED [a, b]",
            "RELEASED a",
            "RELEASED b"),
        lines);
    assertEquals(new LockCounts(1, 1, 0, 0, 0, 1, 0, 0), bed.states.counts());
  }

  /** Proceeds; returns each granted request with the request whose end unblocked it. */
  private List<String> proceedTold() {
    List<String> told = new ArrayList<>();
    bed.states.apply(
        new Proceed(),
        effect -> {},
        transition -> told.add(transition.requestId() + " by " + transition.roomBy()));
    return told;
  }

  @Test
  void grant_names_the_last_blocking_request_that_ended() {
    long a = bed.exclusive("a");
    long b = bed.exclusive("b");
    assertEquals(List.of(a + " by " + a, b + " by " + b), proceedTold(), "nothing was in the way");
    long both = bed.exclusive("a", "b");
    long behind = bed.exclusive("b", "c");
    bed.settle(b);
    bed.settle(a);
    bed.abort(behind);
    assertEquals(List.of(both + " by " + a), proceedTold());

    long writer = bed.exclusive("b");
    long reader = bed.shared("b", "d");
    long other = bed.shared("d");
    assertEquals(List.of(other + " by " + other), proceedTold());
    bed.settle(both);
    bed.abort(writer);
    bed.settle(other);
    assertEquals(List.of(reader + " by " + writer), proceedTold(), "no shared lock was in its way");
  }

  @Test
  void ended_locks_and_requests_leave_no_state() {
    long held = bed.exclusive("a", "b");
    long waiting = bed.shared("b", "c");
    bed.proceed();
    bed.abort(waiting);
    bed.settle(held);
    assertEquals(0, bed.states.nameCount());
    assertEquals(0, bed.states.originCount());
    assertEquals(0, bed.states.clientCount());
  }
}
