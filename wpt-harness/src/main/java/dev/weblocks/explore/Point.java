package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where there is a choice in a run.
 *
 * @param choice which one, from 0
 * @param step which step is to be taken, from 0; steps without a choice count too
 * @param ready at least two
 * @param previous the name of the actor of the step before; null if there is none
 */
record Point(int choice, int step, List<Schedule.Actor> ready, @Nullable String previous) {

  /** The index of an actor; -1 if it has no work. */
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
   * What is chosen where nobody has a reason to choose: to go on with the actor of the step before,
   * or else the first one.
   */
  int onward() {
    int same = previous == null || previous.equals(Schedule.CLOCK) ? -1 : indexOf(previous);
    return Math.max(same, 0); // the clock is never first: it is not alone here, and comes last
  }

  /** A number for what there is to choose from. */
  int print() {
    int hash = 1;
    for (Schedule.Actor actor : ready) {
      hash = 31 * (31 * hash + actor.name().hashCode()) + actor.nextStep().hashCode();
    }
    return hash ^ hash >>> 16;
  }
}
