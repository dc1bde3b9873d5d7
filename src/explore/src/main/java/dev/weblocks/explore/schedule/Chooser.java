package dev.weblocks.explore.schedule;

import java.util.List;

/** The source of the choices of one run, which determine its schedule. */
@FunctionalInterface
interface Chooser {

  /** Chooses one of several ready actors. Returns its index in {@link Point#ready()}. */
  int choose(Point point);

  /**
   * Called when a step begins, with or without a choice.
   *
   * @param step number of the step, from 0, without gaps
   * @param ready names of all actors with work
   */
  default void begins(int step, String actor, List<String> ready) {}

  /** Called when a step has ended. A nested step ends before the enclosing one. */
  default void ended(int step, Footprint footprint, int cause) {}

  /** Returns whether to abort the run, because none of its continuations is to be run. */
  default boolean isDone() {
    return false;
  }
}
