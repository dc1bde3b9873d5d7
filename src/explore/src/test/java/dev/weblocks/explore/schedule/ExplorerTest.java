package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Results of an exploration, which must not depend on the number of concurrent schedules. */
class ExplorerTest {

  private static final int SCHEDULES = 200;

  private static Explorer explorer(
      Scenario scenario, Strategy strategy, boolean keepGoing, int jobs) {
    return new Explorer(
        scenario,
        () -> Toy.footprints(),
        strategy,
        new Explorer.Settings(SCHEDULES, null, 1_000, keepGoing, false, 50, jobs),
        () -> Instant.EPOCH,
        () -> false);
  }

  /** Creates two actors whose outcome depends on their order; some orders are wrong. */
  private static Toy toy() {
    return new Toy(state ->
        state.order().subList(0, 4).equals(List.of("a", "b", "b", "a"))
            ? "wrong"
            : state.order().subList(0, 3).equals(List.of("b", "b", "b")) ? "wrong, too" : null)
        .with("a", Toy.write("x", 1), Toy.write("x", 2), Toy.send("b"), Toy.read("y"))
        .with("b", Toy.write("x", 3), Toy.write("y", 4), Toy.write("x", 5), Toy.receive());
  }

  private static final Map<String, Supplier<Strategy>> STRATEGIES =
      Map.of(
          "random", () -> Strategy.random(3),
          "pct", () -> Strategy.pct(3, 2),
          "dfs", () -> Strategy.depthFirst(-1));

  @Test
  void findings_do_not_depend_on_the_number_of_jobs() {
    STRATEGIES.forEach((name, strategy) -> {
      for (boolean keepGoing : new boolean[] {false, true}) {
        Explorer.Report alone = explorer(toy(), strategy.get(), keepGoing, 1).explore(r -> {});
        assertFalse(alone.found().isEmpty(), name);
        for (int jobs : new int[] {2, 5}) {
          assertEquals(
              alone,
              explorer(toy(), strategy.get(), keepGoing, jobs).explore(r -> {}),
              name + " with " + jobs);
        }
      }
    });
  }

  @Test
  void progress_is_reported_once_per_schedule_in_order() {
    Toy fine = new Toy().with("a", Toy.write("x", 1)).with("b", Toy.write("x", 2));
    long[] last = new long[1];
    Explorer.Report report =
        explorer(fine, Strategy.random(1), false, 4)
            .explore(now -> assertEquals(++last[0], now.schedules()));
    assertEquals(SCHEDULES, report.schedules());
    assertEquals(SCHEDULES, last[0]);
    assertEquals(Explorer.End.SCHEDULES, report.end());
    assertTrue(report.found().isEmpty());
    assertEquals(SCHEDULES, fine.orders.size(), "runs beyond the limit");
  }

  @Test
  void as_many_schedules_run_concurrently_as_there_are_jobs() {
    Toy fine = new Toy().with("a", Toy.write("x", 1)).with("b", Toy.write("x", 2));
    CountDownLatch all = new CountDownLatch(3);
    Set<String> threads = ConcurrentHashMap.newKeySet();
    Scenario meeting =
        (schedule, trace) -> {
          threads.add(Thread.currentThread().getName());
          all.countDown();
          try {
            all.await(); // hangs if fewer than three run concurrently
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return fine.begin(schedule, trace);
        };
    Explorer.Report report = explorer(meeting, Strategy.random(1), false, 3).explore(r -> {});
    assertEquals(SCHEDULES, report.schedules());
    assertEquals(
        Set.of("weblocks-explore-1", "weblocks-explore-2", "weblocks-explore-3"),
        new TreeSet<>(threads));
  }

  @Test
  void earlier_findings_are_kept_when_a_later_run_fails() {
    Toy toy = toy();
    IllegalStateException defect = new IllegalStateException("a defect");
    boolean[] broken = new boolean[1];
    Scenario breaking =
        (schedule, trace) -> {
          if (broken[0]) {
            throw defect;
          }
          return toy.begin(schedule, trace);
        };
    Explorer explorer = explorer(breaking, Strategy.random(3), true, 1);
    assertSame(
        defect,
        assertThrows(
            IllegalStateException.class,
            () -> explorer.explore(now -> broken[0] = !now.found().isEmpty())));
    assertEquals(1, explorer.report().found().size());
  }

  @Test
  void exception_of_a_run_reaches_the_caller() {
    IllegalStateException defect = new IllegalStateException("a defect");
    Scenario broken =
        (schedule, trace) -> {
          throw defect;
        };
    Explorer explorer = explorer(broken, Strategy.random(1), false, 2);
    assertSame(defect, assertThrows(IllegalStateException.class, () -> explorer.explore(r -> {})));
  }
}
