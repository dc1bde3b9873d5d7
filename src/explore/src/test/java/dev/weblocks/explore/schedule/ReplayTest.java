package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReplayTest {

  private static ScheduleRunner runner(Toy toy) {
    return new ScheduleRunner(toy, Toy::footprints, false, 1_000, () -> false);
  }

  private static List<String> order(Execution execution) {
    return execution.steps().stream().map(Step::actor).toList();
  }

  @Test
  void replay_string_repeats_its_run() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 100; i++) {
      Toy toy = Toy.random(random, 3, 4);
      Toy failing = new Toy(state -> "always");
      toy.programInto(failing);
      Execution made = runner(failing).run(Strategy.random(i).next());
      String text = Replay.of(made, false).text();
      Execution again = runner(failing).run(Replay.parse(text).chooser());
      assertEquals(order(made), order(again));
      assertEquals(made.finding(), again.finding());
      assertEquals(text, Replay.of(again, false).text());
      Replay.parse(text).requireFit(again.steps().size(), again.choices());
    }
  }

  @Test
  void random_replays_are_unchanged_after_formatting_and_parsing() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 500; i++) {
      List<Replay.Given> given = new ArrayList<>();
      int count = random.nextInt(20);
      for (int k = 0; k < count; k++) {
        given.add(new Replay.Given(random.nextInt(300), random.nextInt(256)));
      }
      Replay replay =
          new Replay(
              random.nextBoolean(),
              Finding.Kind.values()[random.nextInt(Finding.Kind.values().length)],
              random.nextInt(Integer.MAX_VALUE),
              count + random.nextInt(1_000_000),
              random.nextInt(0x10000),
              given);
      String text = replay.text();
      assertEquals(replay, Replay.parse(text));
      assertTrue(text.matches("w1-[A-Za-z0-9_-]+"), text);
    }
  }

  private static void assertRefused(String message, String text) {
    ReplayException refused = assertThrows(ReplayException.class, () -> Replay.parse(text), text);
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
  }

  @Test
  void invalid_string_is_refused_with_the_reason() {
    String good =
        new Replay(false, Finding.Kind.DEADLOCK, 17, 5, 0xabc, List.of(new Replay.Given(1, 2)))
            .text();
    assertNotNull(Replay.parse(good));
    assertRefused(
        "is not a replay string; use one that an exploration prints, which begins with w1-", "");
    assertRefused(
        "is not a replay string; use one that an exploration prints, which begins with w1-",
        "hello");
    assertRefused("has version 2, and only version 1 is supported", "w2-" + good);
    assertRefused("is damaged", "w1-");
    assertRefused("is damaged", "w1-*");
    for (int i = 3; i < good.length(); i++) {
      assertRefused("is damaged", good.substring(0, i));
      char other = good.charAt(i) == 'A' ? 'B' : 'A';
      assertRefused("is damaged", good.substring(0, i) + other + good.substring(i + 1));
    }
    assertRefused("is damaged", good + "A");
  }

  @Test
  void string_that_does_not_fit_the_scenario_is_refused_with_a_reason() {
    Toy first =
        new Toy(state -> state.order().getFirst().equals("b") ? "b first" : null)
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4));
    Execution made = runner(first).run(point -> 1);
    Replay replay = Replay.of(made, false);
    Toy other =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.write("x", 2))
            .with("b", Toy.write("y", 3), Toy.write("x", 4));
    ReplayException different =
        assertThrows(ReplayException.class, () -> runner(other).run(replay.chooser()));
    assertTrue(
        different
            .getMessage()
            .startsWith(
                "does not fit: before step 1, at choice 1 of 2, there is work for a (Write["),
        different.getMessage());
    Toy longer =
        new Toy()
            .with("a", Toy.write("x", 1), Toy.write("x", 2), Toy.write("x", 2))
            .with("b", Toy.write("x", 3), Toy.write("x", 4));
    Execution run = runner(longer).run(replay.chooser());
    ReplayException late =
        assertThrows(
            ReplayException.class, () -> replay.requireFit(run.steps().size(), run.choices()));
    assertTrue(
        late.getMessage().startsWith("does not fit: 5 steps with 2 choices were taken"),
        late.getMessage());
  }
}
