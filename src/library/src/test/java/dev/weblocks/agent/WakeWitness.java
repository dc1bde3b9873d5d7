package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An actor that detects turns that overlap, and wakes after which no turn began. */
final class WakeWitness implements Actor {

  private final String name;
  private final AtomicInteger wakes = new AtomicInteger();
  private final AtomicBoolean inTurn = new AtomicBoolean();
  private volatile boolean overlapped;

  private volatile int handled;
  private volatile boolean isLost;

  private final Runnable onTurn;

  WakeWitness(String name) {
    this(name, () -> {});
  }

  /**
   * @param onTurn runs in each turn
   */
  WakeWitness(String name, Runnable onTurn) {
    this.name = name;
    this.onTurn = onTurn;
  }

  /** Counts a wake, then wakes the lane. Any thread. */
  void wake(Driver.Lane lane) {
    countWake();
    lane.wake();
  }

  /** Counts a wake that the caller is about to report. */
  void countWake() {
    wakes.incrementAndGet();
  }

  @Override
  public String name() {
    return name;
  }

  /** Handles the wakes until now. Returns whether there were any since the previous turn. */
  @Override
  public boolean runTurn() {
    if (!inTurn.compareAndSet(false, true)) {
      overlapped = true;
    }
    int now = wakes.get();
    boolean found = now != handled;
    handled = now;
    if (found) {
      onTurn.run();
    }
    inTurn.set(false);
    return found;
  }

  @Override
  public void isLost(Throwable failure) {
    isLost = true;
  }

  boolean hasUnhandledWake() {
    return wakes.get() != handled;
  }

  /**
   * Checks that turns did not overlap, and that a turn began after each wake, unless the driver has
   * said that the actor is lost. At rest.
   */
  void check() {
    if (overlapped) {
      throw new IllegalStateException("turns of " + name + " overlap");
    }
    if (hasUnhandledWake() && !isLost) {
      throw new IllegalStateException(
          "lost wakeup: " + name + " was woken " + wakes + " times, and handled " + handled);
    }
  }
}
