package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The clock of a {@link DeterministicDriver}. Turns, timers and reads by script advance it. */
final class VirtualClock implements Clock {

  /** The limit of {@link #looks} and {@link #seen} beyond which each look advances the clock. */
  private static final int MANY_LOOKS = 10_000;

  private static final long LOOK_NANOS = 100_000;

  /** The last moment of this clock, 292 years after its start, at which time stands still. */
  private static final long END = Actor.NEVER - 1;

  private final double epochMillis;
  private final long turnNanos;
  private final @Nullable TurnLog log;
  private final AtomicLong now = new AtomicLong();

  /** The number of clock reads since time last advanced to a timer; large if script busy-waits. */
  private long looks;

  /** The number of times seen without a clock read since time last advanced to a timer. */
  private long seen;

  VirtualClock(double epochMillis, long turnNanos, @Nullable TurnLog log) {
    this.epochMillis = epochMillis;
    this.turnNanos = turnNanos;
    this.log = log;
  }

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public long nanoTimeForScript() {
    if (turnNanos > 0) {
      return advance(turnNanos);
    }
    return ++looks <= MANY_LOOKS ? now.get() : waitByLooking();
  }

  @Override
  public void timeIsSeen() {
    if (++seen > MANY_LOOKS) {
      long unused = waitByLooking();
    }
  }

  private long waitByLooking() {
    if (log != null) {
      log.reaches(DeterministicDriver.TIME); // timers of other actors may be due now
    }
    return advance(LOOK_NANOS);
  }

  @Override
  public double epochMillisAtZero() {
    return epochMillis;
  }

  void moveOn() {
    advance(turnNanos);
  }

  private long advance(long nanos) {
    return now.updateAndGet(moment -> moment > END - nanos ? END : moment + nanos);
  }

  /** Advances to a moment, at most to the end of this clock; never goes back. */
  void moveTo(long moment) {
    looks = 0;
    seen = 0;
    now.accumulateAndGet(Math.min(moment, END), Math::max);
  }
}
