package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program whose steps can run in many orders. The program can be run any number of times, and on
 * several threads at once.
 */
public interface Scenario {

  /**
   * An element of {@link Schedule.Turn#reached} that a scenario adds to turns in which script has
   * called Java code that may share state.
   */
  String SHARED_STATE = "scenario: shared state";

  /**
   * The step of turns that only evaluate a script, if a scenario reports all Java code that the
   * script calls.
   */
  String SCRIPT = "scenario: script";

  /** One run, used only on the thread that began it. */
  interface Play extends AutoCloseable {

    /** Takes one step. Returns false if nothing is left to do, now or later. */
    boolean step();

    /** Returns the finding so far; null for none. */
    @Nullable Finding finding();

    /** Returns the finding when nothing is left to do; null for none. */
    @Nullable Finding findingAtRest();

    /** Returns whether the run is over although work is left. */
    default boolean isOver() {
      return false;
    }

    /** Returns a hash of the state, such as the locks, without pending work. */
    long state();

    /** Returns the events since the last call for display, one line each. */
    List<String> takeEvents();

    /** Returns the display name of an actor. */
    default String label(String actor) {
      return actor;
    }

    /** Returns the description of a step for display. */
    default String described(String step) {
      return step;
    }

    /** Ends the run, even if work is left. */
    @Override
    void close();
  }

  /**
   * Begins a run.
   *
   * @param schedule chooses the actors, and observes their turns
   * @param trace receives all steps; null for none
   */
  Play begin(Schedule schedule, @Nullable TraceListener trace);

  /**
   * Returns whether the next turn of an actor is part of the preparation. Preparation comes first,
   * in the order of the actors, and is not explored. All turns after it are explored.
   */
  default boolean prepares(Schedule.Actor actor) {
    return false;
  }
}
