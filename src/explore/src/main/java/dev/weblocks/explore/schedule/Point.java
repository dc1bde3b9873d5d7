package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A point in a run at which several actors have work.
 *
 * @param choice number of the choice, from 0
 * @param step number of the next step, from 0; steps without a choice count, too
 * @param ready actors with work, at least two
 * @param previous name of the actor of the previous step; null for none
 */
record Point(int choice, int step, List<Schedule.Actor> ready, @Nullable String previous) {

  /** Returns the index of an actor; -1 if it has no work. */
  int indexOf(String actor) {
    for (int i = 0; i < ready.size(); i++) {
      if (ready.get(i).name().equals(actor)) {
        return i;
      }
    }
    return -1;
  }

  List<String> names() {
    return ready.stream().map(Schedule.Actor::name).toList();
  }

  /**
   * Returns the default choice: the actor of the previous step if it has work, otherwise the first.
   */
  int onward() {
    int same = previous == null || previous.equals(Schedule.CLOCK) ? -1 : indexOf(previous);
    return Math.max(same, 0); // the clock is last of at least two, so never first
  }

  int print() {
    int hash = 1;
    for (Schedule.Actor actor : ready) {
      hash = 31 * (31 * hash + actor.name().hashCode()) + actor.nextStep().hashCode();
    }
    return hash ^ hash >>> 16;
  }
}
