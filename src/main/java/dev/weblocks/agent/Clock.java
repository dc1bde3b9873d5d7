package dev.weblocks.agent;

/** Time as agents see it: monotonic for timers, wall clock for time origins. Thread-safe. */
public interface Clock {

  /** Nanoseconds since an arbitrary fixed moment; never goes back. */
  long nanoTime();

  /**
   * {@link #nanoTime()} for a script that looks at the clock: in virtual time each look takes some,
   * lest one that waits by looking should wait for ever. On the event loop of the script.
   */
  default long nanoTimeForScript() {
    return nanoTime();
  }

  /**
   * Says that a script sees a time that it has not looked up, as that of an event: takes none in
   * virtual time, until there were so many of them that the script must be waiting by them. On the
   * event loop of the script.
   */
  default void timeIsSeen() {}

  /** Milliseconds since the Unix epoch, with fraction, at the moment {@code nanoTime} is zero. */
  double epochMillisAtZero();
}
