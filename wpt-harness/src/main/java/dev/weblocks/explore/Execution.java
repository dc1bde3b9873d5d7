package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run that is over.
 *
 * @param steps after the preparation
 * @param choices made in them
 * @param finding null if there is none
 * @param end how it ended
 * @param labels how people know actors and tasks, by their names
 */
record Execution(
    List<Step> steps,
    List<Choice> choices,
    @Nullable Finding finding,
    End end,
    Map<String, String> labels) {

  /** How a run ends. */
  enum End {
    /** Nothing is left, or something was found. */
    COMPLETE,
    /** Its chooser has lost interest: what follows is known from another run. */
    KNOWN,
    /** There are more steps than there may be. */
    TOO_LONG,
    /** The user wants an end. */
    STOPPED
  }

  /**
   * What it takes to tell of a schedule: the less, the easier it is to understand.
   *
   * @param preemptions how often an actor had to wait while it had work, because another one came
   * @param switches how often another actor came
   * @param choices how many choices are given, up to the last one that has a reason
   * @param steps how many there are
   */
  record Cost(int preemptions, int switches, int choices, int steps) implements Comparable<Cost> {
    @Override
    public int compareTo(Cost other) {
      int[] differences = {
        Integer.compare(preemptions, other.preemptions),
        Integer.compare(switches, other.switches),
        Integer.compare(choices, other.choices),
        Integer.compare(steps, other.steps)
      };
      for (int difference : differences) {
        if (difference != 0) {
          return difference;
        }
      }
      return 0;
    }
  }

  /**
   * Whether a step makes an actor wait that has work. That time goes on while anybody has work
   * counts too.
   *
   * @param previous the actor of the step before; null for none
   */
  static boolean isPreemption(@Nullable String previous, String actor, List<String> ready) {
    return actor.equals(Schedule.CLOCK)
        ? ready.size() > 1
        : previous != null
            && !previous.equals(Schedule.CLOCK)
            && !previous.equals(actor)
            && ready.contains(previous);
  }

  Cost cost() {
    int preemptions = 0;
    int switches = 0;
    String previous = null;
    for (Step step : steps) {
      if (isPreemption(previous, step.actor(), step.ready())) {
        preemptions++;
      }
      if (previous != null && !previous.equals(step.actor())) {
        switches++;
      }
      previous = step.actor();
    }
    return new Cost(preemptions, switches, givenChoices().size(), steps.size());
  }

  /** The choices up to the last one that has a reason. */
  List<Choice> givenChoices() {
    int given = 0;
    for (int i = 0; i < choices.size(); i++) {
      if (!choices.get(i).onward()) {
        given = i + 1;
      }
    }
    return choices.subList(0, given);
  }

  /** The actors, one after the other, with how many steps each takes in a row. */
  List<Plan.Segment> segments() {
    List<Plan.Segment> segments = new ArrayList<>();
    for (Step step : steps) {
      Plan.add(segments, step.actor());
    }
    return segments;
  }
}
