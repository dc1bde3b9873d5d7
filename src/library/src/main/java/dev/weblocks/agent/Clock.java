package dev.weblocks.agent;

/** Time as agents see it: monotonic for timers, wall clock for time origins. Thread-safe. */
public interface Clock {

  /** Returns the nanoseconds since an arbitrary fixed moment; never decreases. */
  long nanoTime();

  /**
   * Returns {@link #nanoTime()} for a script that reads the clock. In virtual time each read takes
   * some time, so that a script that busy-waits on the clock makes progress. Called on the event
   * loop of the script.
   */
  default long nanoTimeForScript() {
    return nanoTime();
  }

  /**
   * Records that a script sees a time without reading the clock, such as the time of an event. A
   * virtual clock advances only if this is called very often, as for a script that busy-waits. On
   * the event loop of the script.
   */
  default void timeIsSeen() {}

  /**
   * Returns the {@link #nanoTime()} at the end of a delay, for {@link Actor#nextDeadline()}: {@link
   * Actor#NEVER} if the sum exceeds the 292 years that nanoseconds can count.
   *
   * @param nanos the delay, not negative; {@link Actor#NEVER} for one that never ends
   */
  default long after(long nanos) {
    long now = nanoTime();
    long sum = now + nanos;
    return nanos == Actor.NEVER || sum < now ? Actor.NEVER : sum;
  }

  /**
   * Returns the milliseconds since the Unix epoch, including a fraction, at the moment when {@link
   * #nanoTime()} is zero.
   */
  double epochMillisAtZero();
}
