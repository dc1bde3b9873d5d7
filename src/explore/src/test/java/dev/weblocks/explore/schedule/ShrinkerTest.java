package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

  private static ScheduleRunner runner(Toy toy, Supplier<Footprints> footprints) {
    return new ScheduleRunner(toy, footprints, false, 1_000, () -> false);
  }

  /** Returns the first failing run of random schedules. */
  private static Execution failing(ScheduleRunner runner, long seed) {
    Strategy strategy = Strategy.random(seed);
    for (int i = 0; i < 10_000; i++) {
      Execution execution = runner.run(strategy.next());
      if (execution.finding() != null) {
        return execution;
      }
    }
    throw new AssertionError("nothing was found");
  }

  private static List<String> order(Execution execution) {
    return execution.steps().stream().map(Step::actor).toList();
  }

  /** Creates two actors that read and then write; wrong if both read before either writes. */
  private static Toy bothReadFirst() {
    return new Toy(state -> isWrong(state.order()) ? "both have read" : null)
        .with("a", Toy.read("sum"), Toy.write("sum", 1))
        .with("noise", Toy.write("n", 1), Toy.write("n", 2), Toy.write("n", 3))
        .with("b", Toy.read("sum"), Toy.write("sum", 2));
  }

  @Test
  void race_is_shrunk_to_its_one_necessary_preemption() {
    for (long seed = 1; seed <= 30; seed++) {
      Toy toy = bothReadFirst();
      ScheduleRunner runner = runner(toy, Toy::footprints);
      Execution failing = failing(runner, seed);
      Execution simple = new Shrinker(runner::run, 200).shrink(failing);
      assertEquals("both have read", simple.finding().key());
      assertEquals(1, simple.cost().preemptions(), () -> order(simple).toString());
      int fewest =
          toy.all().stream()
              .map(Toy.State::order)
              .filter(ShrinkerTest::isWrong)
              .filter(order -> toy.preemptions(order) == 1)
              .map(Toy::switches)
              .min(Comparator.naturalOrder())
              .orElseThrow();
      assertEquals(fewest, simple.cost().switches(), () -> order(simple).toString());
    }
  }

  private static boolean isWrong(List<String> order) {
    List<String> own = order.stream().filter(actor -> actor.length() == 1).toList();
    return !own.get(0).equals(own.get(1));
  }

  @Test
  void shrinking_works_without_footprints() {
    for (long seed = 1; seed <= 10; seed++) {
      ScheduleRunner runner = runner(bothReadFirst(), () -> turn -> Footprint.EVERYTHING);
      Execution simple = new Shrinker(runner::run, 500).shrink(failing(runner, seed));
      assertEquals(1, simple.cost().preemptions(), () -> order(simple).toString());
    }
  }

  @Test
  void failure_that_occurs_in_every_order_is_shrunk_to_no_choices() {
    Toy toy =
        new Toy(state -> "always")
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4));
    ScheduleRunner runner = runner(toy, Toy::footprints);
    Execution simple = new Shrinker(runner::run, 50).shrink(failing(runner, 3));
    assertEquals(new Cost(0, 1, 0, 4), simple.cost());
  }

  @Test
  void shrinking_keeps_the_same_finding() {
    Toy toy =
        new Toy(state -> state.order().getFirst().equals("a") ? "a first" : "b first")
            .with("a", Toy.write("x", 1))
            .with("b", Toy.write("x", 3));
    ScheduleRunner runner = runner(toy, Toy::footprints);
    for (long seed = 1; seed <= 10; seed++) {
      Execution failing = failing(runner, seed);
      Execution simple = new Shrinker(runner::run, 50).shrink(failing);
      assertEquals(failing.finding().key(), simple.finding().key());
      assertEquals(failing.finding().key().equals("a first") ? 0 : 1, simple.cost().choices());
    }
  }

  @Test
  void shrinking_respects_the_limit_of_runs() {
    Toy toy = bothReadFirst();
    ScheduleRunner runner = runner(toy, Toy::footprints);
    Execution failing = failing(runner, 1);
    int before = toy.orders.size();
    Shrinker shrinker = new Shrinker(runner::run, 5);
    Execution simple = shrinker.shrink(failing);
    assertTrue(shrinker.runs() <= 5);
    assertEquals(shrinker.runs(), toy.orders.size() - before);
    assertTrue(simple.cost().compareTo(failing.cost()) <= 0);
  }
}
