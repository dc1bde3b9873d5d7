package dev.weblocks.harness.wpt;

import java.time.Duration;

/** A source of timers for the runner. Its unit tests use timers that they advance by hand. */
@FunctionalInterface
public interface Timers {

  /** A timer that has been set. */
  @FunctionalInterface
  interface Timer {
    /** Prevents the action from starting. No effect once it has started. */
    void cancel();
  }

  /** Runs the action once after the delay, on any thread. The action must return quickly. */
  Timer schedule(Duration delay, Runnable action);
}
