package dev.weblocks.explore;

import java.util.List;

/** Chooses the schedule of one run. */
@FunctionalInterface
interface Chooser {

  /** Chooses where there is a choice; returns an index into what is ready. */
  int choose(Point point);

  /**
   * A step begins, chosen or without a choice.
   *
   * @param step from 0, without a gap
   * @param ready the names of all that had work
   */
  default void begins(int step, String actor, List<String> ready) {}

  /** A step has ended; those that began inside another one end before it. */
  default void ended(int step, Footprint footprint, int cause) {}

  /** Whether the rest of the run is of no interest. */
  default boolean isDone() {
    return false;
  }
}
