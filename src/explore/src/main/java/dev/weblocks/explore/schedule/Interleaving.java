package dev.weblocks.explore.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * The order of the steps of a run, in a form for display.
 *
 * @param cost the cost of the run
 * @param steps the steps after the preparation
 */
public record Interleaving(Cost cost, List<Line> steps) {

  /**
   * A step.
   *
   * @param number number of the step, from 1
   * @param actor display name of the actor
   * @param what description of the step
   * @param events events during the step
   */
  public record Line(int number, String actor, String what, List<String> events) {}

  /** Copies the list. */
  public Interleaving {
    steps = List.copyOf(steps);
  }

  static Interleaving of(Execution execution) {
    List<Line> lines = new ArrayList<>();
    for (Step step : execution.steps()) {
      lines.add(
          new Line(
              lines.size() + 1,
              execution.labels().getOrDefault(step.actor(), step.actor()),
              execution.labels().getOrDefault(step.what(), step.what()),
              step.events()));
    }
    return new Interleaving(execution.cost(), lines);
  }

  /**
   * Returns the steps as lines in columns: the number of the step, its actor, its description, and
   * its events, each event on a line.
   */
  public List<String> lines() {
    int numbers = Math.max("STEP".length(), Integer.toString(steps.size()).length());
    int actors = "AGENT".length();
    int whats = "TASK".length();
    for (Line line : steps) {
      actors = Math.max(actors, line.actor.length());
      whats = Math.max(whats, line.what.length());
    }
    List<String> lines = new ArrayList<>();
    lines.add(row("STEP", "AGENT", "TASK", "WHAT HAPPENS", numbers, actors, whats));
    String last = "";
    for (Line line : steps) {
      String actor = line.actor.equals(last) ? "" : line.actor;
      last = line.actor;
      String number = Integer.toString(line.number);
      List<String> events = line.events.isEmpty() ? List.of("") : line.events;
      for (int i = 0; i < events.size(); i++) {
        lines.add(
            i == 0
                ? row(number, actor, line.what, events.get(i), numbers, actors, whats)
                : row("", "", "", events.get(i), numbers, actors, whats));
      }
    }
    return lines;
  }

  private static String row(
      String number, String actor, String what, String event, int numbers, int actors, int whats) {
    return (" ".repeat(numbers - number.length())
            + number
            + "  "
            + actor
            + " ".repeat(actors - actor.length() + 2)
            + what
            + " ".repeat(whats - what.length() + 2)
            + event)
        .stripTrailing();
  }
}
