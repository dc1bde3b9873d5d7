package dev.weblocks.harness.wpt;

import java.time.Duration;

/** A source of timers for the runner; unit tests of the runner use timers advanced manually. */
@FunctionalInterface
public interface Timers {

  /** A timer that has been set. */
  @FunctionalInterface
  interface Timer {
    /** Prevents the action from starting. Has no effect once the action has started. */
    void cancel();
  }

  /** Runs the action once after the delay, on any thread. The action must return quickly. */
  Timer schedule(Duration delay, Runnable action);
}
