package dev.weblocks.agent;

/** Time as agents see it: monotonic for timers, wall clock for time origins. Thread-safe. */
public interface Clock {

  /** Nanoseconds since an arbitrary fixed moment; never goes back. */
  long nanoTime();

  /** Milliseconds since the Unix epoch, with fraction, at the moment {@code nanoTime} is zero. */
  double epochMillisAtZero();
}
