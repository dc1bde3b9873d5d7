package dev.weblocks.cluster.session;

/** The clocks and the timer of a user agent in a cluster. Thread-safe. */
public interface ClusterTime {

  /** Returns the time of a clock that never goes back, and may stop while the machine sleeps. */
  long nanoTime();

  /** Returns the time of day in milliseconds, which may jump. */
  long wallMillis();

  /** Runs an action once, after a delay; it must return soon. */
  void after(long nanos, Runnable action);
}
