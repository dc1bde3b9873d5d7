package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombiningLaneTest {

  @Test
  void wake_up_inside_a_turn_takes_effect_after_the_turn() {
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
  void exception_of_a_step_reaches_the_caller_and_later_steps_still_run() {
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
  void detach_inside_a_turn_drops_the_remaining_steps() {
    List<String> order = new ArrayList<>();
    ScriptedActor actor = new ScriptedActor("queue");
    CombiningLane lane = new CombiningLane(actor);
    actor.then(lane::detach).then(() -> order.add("too late"));
    lane.wake();
    lane.wake();
    assertEquals(List.of(), order);
  }
}
