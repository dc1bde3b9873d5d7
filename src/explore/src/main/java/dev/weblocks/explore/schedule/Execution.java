package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run that is over.
 *
 * @param steps the steps after the preparation
 * @param labels display names of actors and tasks, by their internal names
 */
record Execution(
    List<Step> steps,
    List<Choice> choices,
    @Nullable Finding finding,
    End end,
    Map<String, String> labels) {

  enum End {
    /** Nothing is left to do, the scenario is over, or there is a finding. */
    COMPLETE,
    /** The chooser aborted the run: each continuation is known or beyond the preemption bound. */
    KNOWN,
    TOO_LONG,
    STOPPED
  }

  /**
   * Returns whether a step is a preemption: another actor takes over while the previous one has
   * work, or the clock advances while any other actor has work.
   *
   * @param previous actor of the previous step; null for none
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

  /** Returns the choices up to the last one that is not the default. */
  List<Choice> givenChoices() {
    int given = 0;
    for (int i = 0; i < choices.size(); i++) {
      if (!choices.get(i).onward()) {
        given = i + 1;
      }
    }
    return choices.subList(0, given);
  }

  /** Returns the actors in order, each with its number of consecutive steps. */
  List<Plan.Segment> segments() {
    List<Plan.Segment> segments = new ArrayList<>();
    for (Step step : steps) {
      Plan.add(segments, step.actor());
    }
    return segments;
  }
}
