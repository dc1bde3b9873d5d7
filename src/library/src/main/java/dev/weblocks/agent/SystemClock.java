package dev.weblocks.agent;

/** The clock of real time. */
public final class SystemClock implements Clock {

  private final long zero = System.nanoTime();
  private final double epochMillisAtZero = System.currentTimeMillis();

  @Override
  public long nanoTime() {
    return System.nanoTime() - zero;
  }

  @Override
  public double epochMillisAtZero() {
    return epochMillisAtZero;
  }
}
