package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;

/**
 * A point in time that somebody waits for who gets no turn meanwhile, and whose own timers
 * therefore do not fire: an actor that has nothing to do but to tell. Any thread.
 */
public final class Deadline implements Actor {

  private final Clock clock;
  private final long nanoTime;
  private final String waiting;
  private final CompletableFuture<Void> reached = new CompletableFuture<>();
  private final Driver.Lane lane;

  /**
   * @param nanos from now
   * @param waiting who waits, for traces
   */
  public Deadline(Driver driver, long nanos, String waiting) {
    this.clock = driver.clock();
    this.nanoTime = clock.nanoTime() + nanos;
    this.waiting = waiting;
    this.lane = driver.attach(this, Driver.Kind.EVENT_LOOP); // the other kind has no deadlines
    lane.wake();
  }

  /** Completes when it is reached. */
  public CompletableFuture<Void> reached() {
    return reached;
  }

  /** Nobody waits any more. */
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
  public boolean hasWork() {
    return false;
  }

  @Override
  public long nextDeadline() {
    return reached.isDone() ? NEVER : nanoTime;
  }
}
