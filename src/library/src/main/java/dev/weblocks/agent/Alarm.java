package dev.weblocks.agent;

/** An action that runs once, at a point in time, in a turn of its own. Thread-safe. */
public final class Alarm implements Actor {

  private final Clock clock;
  private final long nanoTime;
  private final String name;
  private final Runnable action;
  private final Driver.Lane lane;
  private volatile boolean done;

  /**
   * Sets an alarm.
   *
   * @param nanos the delay, not negative
   * @param name for traces
   * @param action runs on a thread on which the driver runs turns
   */
  public Alarm(Driver driver, long nanos, String name, Runnable action) {
    this.clock = driver.clock();
    this.nanoTime = clock.after(nanos);
    this.name = name;
    this.action = action;
    this.lane = driver.attach(this, Driver.Kind.EVENT_LOOP); // the other kind has no deadlines
    lane.wake();
  }

  /** Cancels the alarm; no-op if its action has run. */
  public void cancel() {
    if (!done) {
      done = true;
      lane.detach();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean runTurn() {
    if (!done && clock.nanoTime() >= nanoTime) {
      done = true;
      lane.detach();
      action.run();
    }
    return false;
  }

  @Override
  public long nextDeadline() {
    return done ? NEVER : nanoTime;
  }
}
