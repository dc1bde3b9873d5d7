package dev.weblocks.lockmanager.earlydraft;

import static dev.weblocks.lockmanager.earlydraft.StatesBed.ANN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.BEN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.ORIGIN;
import static dev.weblocks.lockmanager.earlydraft.StatesBed.told;
import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleaseDone;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.message.ManagerId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decisions where the early draft is open; package-info lists them. */
class EarlyDraftDecisionsTest {

  private final StatesBed bed = new StatesBed();

  @Test
  void an_ended_client_loses_locks_and_requests_before_others_proceed() {
    long held = bed.request(ANN, EXCLUSIVE, "a");
    assertEquals(List.of(held), bed.proceed());
    bed.request(ANN, EXCLUSIVE, "a", "b"); // would be granted next
    long other = bed.request(BEN, EXCLUSIVE, "b", "a");

    bed.end(ANN);
    assertEquals(0, bed.states.heldCount());
    assertEquals(1, bed.states.pendingCount());
    assertEquals(List.of(other), bed.proceed());
  }

  @Test
  void an_ended_client_gets_no_effects() {
    bed.request(ANN, EXCLUSIVE, "a");
    bed.proceed();
    bed.request(ANN, EXCLUSIVE, "a");
    assertEquals(List.of(), bed.end(ANN));
    assertEquals(List.of(), bed.proceed());
  }

  @Test
  void only_locks_and_requests_of_the_ended_client_are_removed() {
    long ben = bed.request(BEN, EXCLUSIVE, "a");
    bed.proceed();
    bed.request(ANN, EXCLUSIVE, "a");
    bed.end(ANN);
    assertEquals(1, bed.states.heldCount());
    assertEquals(0, bed.states.pendingCount());
    bed.settle(ben);
    assertEquals(0, bed.states.heldCount());
  }

  @Test
  void origins_share_no_locks() {
    bed.exclusive("a");
    bed.proceed();
    ManagerId elsewhere = new ManagerId("elsewhere", "default");
    assertEquals(
        List.of(),
        bed.apply(
            new RequestLock(
                50, BEN, elsewhere, Scope.of("a"), EXCLUSIVE, true, false, StatesBed.UNKNOWN)));
    assertEquals(List.of(50L), bed.proceed());
    assertEquals(List.of("released 1", "done"), told(bed.forceRelease("a")));
    assertEquals(1, bed.states.heldCount());
  }

  @Test
  void forced_release_has_an_effect_for_every_released_lock() {
    long one = bed.request(ANN, SHARED, "a");
    long two = bed.request(BEN, SHARED, "a", "b");
    bed.proceed();
    assertEquals(
        List.of("released " + one, "released " + two, "done"), told(bed.forceRelease("a")));
  }

  @Test
  void forced_release_reports_its_completion() {
    List<Effect> effects = bed.forceRelease("nothing");
    assertEquals(1, effects.size());
    assertEquals(new ForceReleaseDone(1, BEN, DraftStep.FORCE_ENDS), effects.getFirst());
  }

  @Test
  void forced_release_affects_only_granted_requests() {
    long id = bed.exclusive("a");
    assertEquals(List.of("done"), told(bed.forceRelease("a")));
    assertEquals(List.of(id), bed.proceed());
    assertEquals(List.of("released " + id, "done"), told(bed.forceRelease("a")));
  }

  @Test
  void request_with_an_aborted_signal_is_aborted_unless_its_if_available_fails() {
    RequestLock free =
        new RequestLock(7, ANN, ORIGIN, Scope.of("a"), SHARED, false, true, StatesBed.UNKNOWN);
    assertEquals(List.of("aborted 7"), told(bed.apply(free)));
    assertFalse(bed.states.mayProceed());
    assertEquals(0, bed.states.pendingCount());

    bed.exclusive("a");
    RequestLock held =
        new RequestLock(8, ANN, ORIGIN, Scope.of("a"), SHARED, true, true, StatesBed.UNKNOWN);
    assertEquals(List.of(new Unavailable(8, ANN, DraftStep.REQUEST_MISSES)), bed.apply(held));
  }

  @Test
  void an_abort_that_comes_after_the_grant_changes_nothing() {
    long id = bed.exclusive("a");
    assertEquals(List.of(id), bed.proceed());
    assertEquals(List.of(), bed.abort(id));
    assertEquals(1, bed.states.heldCount());
  }

  @Test
  void requests_proceed_in_the_order_of_the_queue() {
    long held = bed.exclusive("z", "y", "x");
    bed.proceed();
    long z = bed.exclusive("z");
    long x = bed.exclusive("x");
    long y = bed.shared("y");
    bed.settle(held);
    assertEquals(List.of(z, x, y), bed.proceed());
  }

  @Test
  void query_lists_the_names_of_a_scope_in_the_order_given() {
    bed.exclusive("b", "a", "b");
    assertEquals(List.of("b", "a"), bed.query().pending().getFirst().scope().names());
  }

  @Test
  void locks_given_up_by_a_freezing_agent_produce_no_effects() {
    long held = bed.exclusive("a");
    bed.proceed();
    long waiting = bed.exclusive("a");
    assertEquals(List.of(), bed.apply(new GiveUp(waiting)));
    assertEquals(List.of(), bed.apply(new GiveUp(held)));
    assertEquals(List.of(), bed.apply(new GiveUp(held)));
    assertFalse(bed.states.mayProceed());
    assertEquals(0, bed.states.heldCount() + bed.states.pendingCount());
  }
}
