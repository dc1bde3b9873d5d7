package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PctStrategyTest {

  private static final int STEPS = 5;

  /** Creates two actors of five steps each; orders with this beginning are wrong. */
  private static Toy wrongWhere(String... beginning) {
    Toy toy =
        new Toy(state ->
            state.order().subList(0, beginning.length).equals(List.of(beginning)) ? "wrong" : null);
    for (String actor : List.of("a", "b")) {
      Toy.Op[] ops = new Toy.Op[STEPS];
      Arrays.fill(ops, Toy.write("x", 1));
      toy.with(actor, ops);
    }
    return toy;
  }

  private static int found(Toy toy, Strategy strategy, int schedules) {
    ScheduleRunner runner = new ScheduleRunner(toy, Toy::footprints, false, 1_000, () -> false);
    int found = 0;
    for (int i = 0; i < schedules; i++) {
      Execution execution = runner.run(strategy.next());
      strategy.ran(execution);
      found += execution.finding() == null ? 0 : 1;
    }
    return found;
  }

  @Test
  void bug_of_depth_three_is_found_with_the_guaranteed_probability() {
    // depth three: a runs first, b's first step precedes a's second, which precedes b's second
    int schedules = 4_000;
    int found = found(wrongWhere("a", "b", "a"), Strategy.pct(1, 3), schedules);
    int promised = schedules / (2 * (2 * STEPS) * (2 * STEPS));
    // the guarantee is a mean, and this bug is as rare as a bug of its depth can be
    assertTrue(found >= promised * 0.6, found + " of " + promised);
  }

  @Test
  void bug_is_not_found_if_the_strategys_depth_is_too_small() {
    assertEquals(0, found(wrongWhere("a", "b", "a"), Strategy.pct(1, 1), 500));
    assertEquals(0, found(wrongWhere("a", "b", "a"), Strategy.pct(1, 2), 500));
    assertEquals(0, found(wrongWhere("a", "b"), Strategy.pct(1, 1), 500));
    assertTrue(found(wrongWhere("a", "b"), Strategy.pct(1, 2), 500) > 0);
  }

  @Test
  void depth_one_runs_the_first_actor_to_its_end() {
    Toy toy = wrongWhere("none");
    int unused = found(toy, Strategy.pct(5, 1), 50);
    assertEquals(
        List.of(List.of("a", "a", "a", "a", "a", "b", "b", "b", "b", "b")),
        toy.orders.stream().filter(order -> order.getFirst().equals("a")).distinct().toList());
  }

  @Test
  void equal_seeds_draw_equal_schedules_and_different_seeds_differ() {
    for (String strategy : List.of("pct", "random")) {
      List<List<String>> orders = orders(strategy, 3);
      assertEquals(orders, orders(strategy, 3));
      assertNotEquals(orders, orders(strategy, 4));
    }
  }

  private static List<List<String>> orders(String strategy, long seed) {
    Toy toy = wrongWhere("none");
    int unused =
        found(toy, strategy.equals("pct") ? Strategy.pct(seed, 3) : Strategy.random(seed), 20);
    return toy.orders;
  }
}
