package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;

/**
 * A point in time that a paused agent or a blocked Java caller waits for. The timers of a paused
 * agent do not fire, so this separate actor completes a future. Thread-safe.
 */
public final class Deadline implements Actor {

  private final Clock clock;
  private final long nanoTime;
  private final String waiting;
  private final CompletableFuture<Void> reached = new CompletableFuture<>();
  private final Driver.Lane lane;

  /**
   * Creates a deadline.
   *
   * @param nanos the delay
   * @param waiting the name of the waiting agent or client, for traces
   */
  public Deadline(Driver driver, long nanos, String waiting) {
    this.clock = driver.clock();
    this.nanoTime = clock.after(nanos);
    this.waiting = waiting;
    this.lane = driver.attach(this, Driver.Kind.EVENT_LOOP); // the other kind has no deadlines
    lane.wake();
  }

  /** Returns a future that completes when the deadline is reached. */
  public CompletableFuture<Void> reached() {
    return reached;
  }

  /** Detaches the deadline from the driver. To be called when it is no longer needed. */
  public void forget() {
    lane.detach();
  }

  @Override
  public String name() {
    return "deadline of " + waiting;
  }

  @Override
  public boolean runTurn() {
    if (clock.nanoTime() >= nanoTime) {
      reached.complete(null);
    }
    return false;
  }

  @Override
  public long nextDeadline() {
    return reached.isDone() ? NEVER : nanoTime;
  }
}
