package dev.weblocks.wpt;

import java.time.Duration;

/** The port through which the runner waits; tests pass one that they advance by hand. */
@FunctionalInterface
public interface Timers {

  /** A timer that has been set. */
  @FunctionalInterface
  interface Timer {
    /** From now on the action does not start; no effect once it has started. */
    void cancel();
  }

  /** Runs the action once after the delay, on any thread. The action returns quickly. */
  Timer schedule(Duration delay, Runnable action);
}
