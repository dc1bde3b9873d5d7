package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CombiningLaneTest {

  private final Queue<Runnable> later = new ArrayDeque<>();

  /** Adds turns to an actor, each of which adds the next one. */
  private static void chain(ScriptedActor actor, CombiningLane lane, int turns, List<Integer> ran) {
    actor.then(() -> {
      ran.add(turns);
      if (turns > 1) {
        chain(actor, lane, turns - 1, ran);
        lane.wake();
      }
    });
  }

  @Test
  void wake_runs_a_batch_of_turns_and_hands_on_the_rest() {
    List<Integer> ran = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor, later::add, 3);
    chain(actor, lane, 8, ran);
    lane.wake();
    assertEquals(List.of(8, 7, 6), ran);
    lane.wake();
    assertEquals(List.of(8, 7, 6), ran);
    later.remove().run();
    assertEquals(List.of(8, 7, 6, 5, 4, 3), ran);
    later.remove().run();
    assertEquals(List.of(8, 7, 6, 5, 4, 3, 2, 1), ran);
    while (!later.isEmpty()) { // a last run finds nothing
      later.remove().run();
    }
    actor.then(() -> ran.add(0));
    lane.wake();
    assertEquals(List.of(8, 7, 6, 5, 4, 3, 2, 1, 0), ran);
  }

  @Test
  void all_turns_run_at_once_if_the_executor_refuses() {
    List<Integer> ran = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane =
        new CombiningLane(
            actor,
            work -> {
              later.add(work);
              throw new RejectedExecutionException();
            },
            3);
    chain(actor, lane, 8, ran);
    lane.wake();
    assertEquals(List.of(8, 7, 6, 5, 4, 3, 2, 1), ran);
    later.forEach(Runnable::run);
    assertEquals(8, ran.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void wake_returns_although_work_arrives_without_end(boolean ofPool) throws Exception {
    Thread waking = Thread.currentThread();
    int[] turnsHere = {0};
    AtomicBoolean returned = new AtomicBoolean();
    CountDownLatch rests = new CountDownLatch(1);
    ScriptedActor actor = new ScriptedActor("queue");
    actor.onTurn(() -> {
      boolean isHere = Thread.currentThread() == waking;
      if (returned.get() || (isHere && ++turnsHere[0] > 1_000)) {
        rests.countDown();
      } else {
        actor.then(() -> {});
      }
    });
    try (Driver driver =
        ofPool ? new ThreadPoolDriver(1) : new CallerDriver(new SystemClock(), null)) {
      driver.attach(actor, Driver.Kind.PARALLEL_QUEUE).wake();
      returned.set(true);
      rests.await();
    }
    assertEquals(64, turnsHere[0]);
  }

  @Test
  void wake_up_inside_a_turn_takes_effect_after_the_turn() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor, later::add);
    actor.then(() -> {
      order.add("begin");
      actor.then(() -> order.add("second"));
      lane.wake();
      order.add("end");
    });
    lane.wake();
    assertEquals(List.of("begin", "end", "second"), order);
  }

  @Test
  void actor_gets_the_exception_of_a_turn_and_later_ones_run() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor =
        new ScriptedActor("queue").onLost(failure -> order.add(failure.getMessage()));
    CombiningLane lane = new CombiningLane(actor, later::add);
    actor.then(() -> {
      throw new IllegalArgumentException("first failure");
    });
    actor.then(() -> order.add("between"));
    actor.then(() -> {
      throw new IllegalArgumentException("second failure");
    });
    actor.then(() -> order.add("last"));
    lane.wake();
    List<String> expected =
        new ArrayList<>(List.of("first failure", "between", "second failure", "last"));
    assertEquals(expected, order);
    actor.then(() -> order.add("later"));
    lane.wake();
    expected.add("later");
    assertEquals(expected, order);
  }

  @Test
  void detach_inside_a_turn_drops_the_remaining_steps() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor, later::add);
    actor.then(lane::detach).then(() -> order.add("too late"));
    lane.wake();
    lane.wake();
    assertEquals(List.of(), order);
  }
}
