package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The depth-first search, which must find all outcomes with few redundant runs. */
class DfsStrategyTest {

  private static final int MAX_STEPS = 1_000;

  /** Runs a program to the end of the search; returns how many runs were aborted as known. */
  private static int exhaust(Toy toy, Strategy strategy, Footprints footprints) {
    ScheduleRunner runner =
        new ScheduleRunner(toy, () -> footprints, false, MAX_STEPS, () -> false);
    int known = 0;
    Chooser chooser = strategy.next();
    while (chooser != null) {
      int before = toy.orders.size();
      Execution execution = runner.run(chooser);
      known += execution.end() == Execution.End.KNOWN ? 1 : 0;
      strategy.ran(execution);
      if (strategy.isForeign() && toy.orders.size() > before) {
        toy.orders.removeLast();
        toy.outcomes.removeLast();
      }
      chooser = strategy.next();
    }
    assertTrue(strategy.isExhausted());
    return known;
  }

  private static Set<String> outcomesOf(List<Toy.State> states) {
    return states.stream().map(Toy.State::outcome).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void every_order_of_dependent_steps_is_run_once() {
    Toy toy =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4))
            .with("c", Toy.write("x", 5));
    int known = exhaust(toy, Strategy.depthFirst(-1), turn -> Footprint.EVERYTHING);
    assertEquals(30, toy.orders.size()); // 5! / (2! 2! 1!)
    assertEquals(30, new HashSet<>(toy.orders).size());
    assertEquals(0, known);
  }

  @Test
  void independent_steps_are_run_in_only_one_order() {
    Toy toy =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.read("x"))
            .with("b", Toy.write("y", 3), Toy.read("y"))
            .with("c", Toy.read("z"), Toy.read("z"));
    exhaust(toy, Strategy.depthFirst(-1), Toy.footprints());
    assertEquals(1, toy.orders.size());
  }

  @Test
  void order_of_a_send_and_its_receive_is_not_explored() {
    Toy toy =
        new Toy()
            .with("a", Toy.send("b"), Toy.send("b"))
            .with("b", Toy.receive(), Toy.write("x", 1), Toy.receive());
    exhaust(toy, Strategy.depthFirst(-1), Toy.footprints());
    assertEquals(1, toy.orders.size());
  }

  @Test
  void all_outcomes_are_found_without_running_equivalent_orders() {
    SplittableRandom random = new SplittableRandom(20250924);
    int all = 0;
    int run = 0;
    int known = 0;
    for (int i = 0; i < 120; i++) {
      Toy toy = Toy.random(random, 2 + random.nextInt(2), 2 + random.nextInt(2));
      List<Toy.State> states = toy.all();
      known += exhaust(toy, Strategy.depthFirst(-1), Toy.footprints());
      assertEquals(outcomesOf(states), new TreeSet<>(toy.outcomes), () -> "lost of " + toy);
      Set<String> classes =
          states.stream().map(state -> toy.dependencies(state.order())).collect(Collectors.toSet());
      assertEquals(classes.size(), toy.orders.size(), "one run for each class of orders");
      all += states.size();
      run += toy.orders.size();
    }
    assertTrue(run < all / 3, "of " + all + " orders " + run + " were run");
    assertTrue(known < run, known + " runs were broken off beside " + run);
  }

  @Test
  void all_outcomes_within_the_bound_are_found() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 60; i++) {
      Toy toy = Toy.random(random, 2 + random.nextInt(2), 2 + random.nextInt(2));
      List<Toy.State> states = toy.all();
      for (int bound = 0; bound <= 2; bound++) {
        toy.outcomes.clear();
        toy.orders.clear();
        exhaust(toy, Strategy.depthFirst(bound), Toy.footprints());
        int most = bound;
        Set<String> within =
            outcomesOf(
                states.stream().filter(state -> toy.preemptions(state.order()) <= most).toList());
        assertEquals(within, new TreeSet<>(toy.outcomes), "with at most " + bound);
        for (List<String> order : toy.orders) {
          assertTrue(toy.preemptions(order) <= bound, order::toString);
        }
      }
    }
  }

  @Test
  void shards_together_run_one_order_of_each_class() {
    SplittableRandom random = new SplittableRandom(27);
    int below = 0;
    for (int i = 0; i < 60; i++) {
      Toy toy =
          i % 2 == 0 ? Toy.random(random, 3, 2 + random.nextInt(2)) : Toy.random(random, 2, 6);
      List<Toy.State> states = toy.all();
      Set<String> classes =
          states.stream().map(state -> toy.dependencies(state.order())).collect(Collectors.toSet());
      for (int total = 2; total <= 4; total++) {
        toy.outcomes.clear();
        toy.orders.clear();
        for (int number = 1; number <= total; number++) {
          Strategy strategy = Strategy.depthFirst(-1, new Shard(number, total));
          int runs = toy.orders.size();
          exhaust(toy, strategy, Toy.footprints());
          below += toy.orders.size() - runs > 20 ? 1 : 0;
        }
        assertEquals(outcomesOf(states), new TreeSet<>(toy.outcomes), () -> "lost of " + toy);
        assertEquals(classes.size(), toy.orders.size(), "one run for each class of orders");
      }
    }
    assertTrue(below > 10, below + " shards run more than a few orders");
  }

  @Test
  void shards_together_find_all_outcomes_within_the_bound() {
    SplittableRandom random = new SplittableRandom(27);
    for (int i = 0; i < 40; i++) {
      Toy toy = Toy.random(random, 2 + random.nextInt(2), 3);
      List<Toy.State> states = toy.all();
      int bound = random.nextInt(3);
      for (int number = 1; number <= 3; number++) {
        exhaust(toy, Strategy.depthFirst(bound, new Shard(number, 3)), Toy.footprints());
      }
      Set<String> within =
          outcomesOf(
              states.stream().filter(state -> toy.preemptions(state.order()) <= bound).toList());
      assertEquals(within, new TreeSet<>(toy.outcomes), "with at most " + bound);
    }
  }

  @Test
  void bound_of_zero_allows_no_preemption() {
    Toy toy =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4));
    exhaust(toy, Strategy.depthFirst(0), Toy.footprints());
    assertEquals(
        Set.of(List.of("a", "a", "b", "b"), List.of("b", "b", "a", "a")),
        new HashSet<>(toy.orders));
  }

  @Test
  void a_run_that_is_too_long_leaves_the_search_incomplete() {
    Toy toy =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4));
    ScheduleRunner runner = new ScheduleRunner(toy, Toy::footprints, false, 2, () -> false);
    Strategy strategy = Strategy.depthFirst(-1);
    Chooser chooser = strategy.next();
    while (chooser != null) {
      strategy.ran(runner.run(chooser));
      chooser = strategy.next();
    }
    assertFalse(strategy.isExhausted());
  }

  @Test
  void non_repeatable_scenario_is_reported() {
    Toy even = new Toy().with("a", Toy.write("x", 1)).with("b", Toy.write("x", 2));
    Toy odd =
        new Toy()
            .with("a", Toy.write("x", 1))
            .with("b", Toy.write("x", 2))
            .with("c", Toy.write("x", 3));
    int[] runs = new int[1];
    Scenario fickle = (schedule, trace) -> (runs[0]++ % 2 == 0 ? even : odd).begin(schedule, trace);
    ScheduleRunner runner =
        new ScheduleRunner(fickle, Toy::footprints, false, MAX_STEPS, () -> false);
    Strategy strategy = Strategy.depthFirst(-1);
    strategy.ran(runner.run(strategy.next()));
    DfsStrategy.NotRepeatableException told =
        assertThrows(DfsStrategy.NotRepeatableException.class, () -> runner.run(strategy.next()));
    assertTrue(
        told.getMessage().startsWith("the scenario is not deterministic: before step 1 "),
        told.getMessage());
  }
}
