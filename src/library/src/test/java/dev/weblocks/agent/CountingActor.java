package dev.weblocks.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** An actor that counts its pieces of work and detects overlapping turns. */
final class CountingActor implements Actor {

  private final String name;
  private final CountDownLatch allDone;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicBoolean inside = new AtomicBoolean();
  private volatile boolean overlapped;

  // Written in turns only; not volatile, so that counts are lost if turns lack happens-before.
  private long done;

  /**
   * @param allDone counted down once for each piece of work
   */
  CountingActor(String name, CountDownLatch allDone) {
    this.name = name;
    this.allDone = allDone;
  }

  /** Adds a piece of work; the caller then wakes the lane. Any thread. */
  void addWork() {
    pending.incrementAndGet();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean runTurn() {
    if (!inside.compareAndSet(false, true)) {
      overlapped = true;
    }
    boolean found = pending.get() > 0;
    if (found) {
      pending.decrementAndGet();
      done++;
    }
    inside.set(false);
    if (found) {
      allDone.countDown();
    }
    return found;
  }

  @Override
  public boolean hasWork() {
    return pending.get() > 0;
  }

  @Override
  public long nextDeadline() {
    return NEVER;
  }

  boolean overlapped() {
    return overlapped;
  }

  /** Returns how many pieces are done; valid once the latch is at zero. */
  long done() {
    return done;
  }
}
