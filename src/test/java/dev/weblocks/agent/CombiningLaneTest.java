package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombiningLaneTest {

  @Test
  void a_wake_up_out_of_a_turn_is_answered_after_the_turn_not_inside_it() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor);
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
  void a_step_that_throws_reaches_the_waker_and_the_steps_behind_it_run_all_the_same() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor);
    actor.then(() -> {
      throw new IllegalArgumentException("first failure");
    });
    actor.then(() -> order.add("between"));
    actor.then(() -> {
      throw new IllegalArgumentException("second failure");
    });
    actor.then(() -> order.add("last"));
    IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, lane::wake);
    assertEquals("first failure", thrown.getMessage());
    assertEquals("second failure", thrown.getSuppressed()[0].getMessage());
    assertEquals(List.of("between", "last"), order);
    actor.then(() -> order.add("later"));
    lane.wake();
    assertEquals(List.of("between", "last", "later"), order);
  }

  @Test
  void detaching_out_of_a_turn_leaves_the_rest_undone() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor);
    actor.then(lane::detach).then(() -> order.add("too late"));
    lane.wake();
    lane.wake();
    assertEquals(List.of(), order);
  }
}
