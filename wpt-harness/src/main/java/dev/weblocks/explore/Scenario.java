package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;
import dev.weblocks.embed.TraceListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program whose steps can come in many orders. It can be run any number of times, and on several
 * threads at once.
 */
public interface Scenario {

  /** One run, from its beginning; on the thread that began it. */
  interface Play extends AutoCloseable {

    /** Takes one step; false if nothing is left that could ever happen. */
    boolean step();

    /** What was found so far; null if nothing was. */
    @Nullable Finding finding();

    /** What is wrong, now that nothing is left; null if nothing is. */
    @Nullable Finding findingAtRest();

    /** Whether it is over although something is left. */
    boolean isOver();

    /** A number for the state that is looked at; nearly never the same for two states. */
    long state();

    /** What has happened since this was asked last, for people, a line each. */
    List<String> takeEvents();

    /** How people know an actor. */
    String label(String actor);

    /** What a step did, as people know it. */
    default String described(String step) {
      return step;
    }

    /** Ends the run, wherever it is. */
    @Override
    void close();
  }

  /**
   * Begins a run.
   *
   * @param schedule observes turns
   * @param trace sees all steps; null for nobody
   */
  Play begin(Schedule schedule, @Nullable TraceListener trace);

  /**
   * Whether the next turn of an actor still prepares the scenario. What prepares comes first, in
   * the order of the actors, and is not explored; once nothing of it is left, all is explored.
   */
  default boolean prepares(Schedule.Actor actor) {
    return false;
  }
}
