package dev.weblocks.lockmanager.earlydraft;

import static dev.weblocks.model.LockMode.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cost of commands, which must not grow with unrelated locks and requests. */
class LockStatesGrowthTest {

  /** Runs steps; returns how often names were checked. */
  private static long looks(StatesBed bed, Runnable steps) {
    long before = bed.states.looks();
    steps.run();
    return bed.states.looks() - before;
  }

  private static List<Long> costsBeside(int crowd) {
    StatesBed bed = new StatesBed();
    bed.exclusive("crowded");
    bed.proceed();
    for (int i = 0; i < crowd; i++) {
      bed.exclusive("crowded", "other " + i);
      bed.request(StatesBed.BEN, SHARED, "own " + i);
    }
    bed.proceed();
    List<Long> costs = new ArrayList<>();
    costs.add(looks(bed, () -> bed.isAvailable(SHARED, "crowded")));
    long[] id = new long[1];
    costs.add(looks(bed, () -> id[0] = bed.exclusive("free", "crowded")));
    costs.add(looks(bed, () -> bed.abort(id[0])));
    costs.add(looks(bed, () -> id[0] = bed.exclusive("free", "and free")));
    costs.add(looks(bed, bed::proceed));
    costs.add(looks(bed, () -> bed.settle(id[0])));
    costs.add(looks(bed, () -> bed.forceRelease("free")));
    return costs;
  }

  @Test
  void cost_of_a_command_is_independent_of_other_locks_and_requests() {
    List<Long> few = costsBeside(10);
    assertEquals(few, costsBeside(20_000));
    assertTrue(few.stream().mapToLong(Long::longValue).sum() > 0, "not counted");
  }

  @Test
  void cost_of_emptying_a_queue_is_proportional_to_its_length() {
    for (LockMode mode : LockMode.values()) {
      long looks = costOfQueue(10_000, mode);
      assertTrue(looks <= 40_000, looks + " looks for 10000 requests of three names");
      assertTrue(looks >= 20_000, "not counted: " + looks);
    }
  }

  private static long costOfQueue(int length, LockMode mode) {
    StatesBed bed = new StatesBed();
    return looks(
        bed,
        () -> {
          for (int i = 0; i < length; i++) {
            bed.request(StatesBed.ANN, mode, "a", "b", "c " + i);
          }
          for (List<Long> granted = bed.proceed(); !granted.isEmpty(); granted = bed.proceed()) {
            granted.forEach(bed::settle);
          }
          assertEquals(0, bed.states.pendingCount());
        });
  }

  @Test
  void shared_requests_blocked_by_another_name_are_not_rechecked() {
    StatesBed bed = new StatesBed();
    long blocker = bed.exclusive("elsewhere");
    bed.proceed();
    int crowd = 5_000;
    for (int i = 0; i < crowd; i++) {
      bed.shared("here", "elsewhere");
    }
    long looks =
        looks(
            bed,
            () -> {
              for (int i = 0; i < 1_000; i++) {
                long reader = bed.shared("here");
                bed.proceed();
                bed.settle(reader);
                bed.proceed();
                long writer = bed.exclusive("here");
                bed.abort(writer);
                bed.proceed();
              }
            });
    assertTrue(looks <= 10_000, looks + " looks for 2000 requests beside " + crowd);

    bed.settle(blocker);
    assertEquals(crowd, bed.proceed().size());
  }
}
