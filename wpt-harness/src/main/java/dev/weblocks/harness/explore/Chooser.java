package dev.weblocks.harness.explore;

import java.util.List;

/** The choice of the schedule of one run. */
@FunctionalInterface
interface Chooser {

  /** Chooses among several ready actors. Returns an index into the ready ones. */
  int choose(Point point);

  /**
   * Called when a step begins, with or without a choice.
   *
   * @param step from 0, without a gap
   * @param ready names of all actors with work
   */
  default void begins(int step, String actor, List<String> ready) {}

  /** Called when a step has ended. A nested step ends before the enclosing one. */
  default void ended(int step, Footprint footprint, int cause) {}

  /** Returns whether the rest of the run is irrelevant. */
  default boolean isDone() {
    return false;
  }
}
