package dev.weblocks.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** An actor whose work is to be counted; it notices a turn that begins inside another. */
final class CountingActor implements Actor {

  private final String name;
  private final CountDownLatch allDone;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicBoolean inside = new AtomicBoolean();
  private volatile boolean overlapped;

  // The turns only: plain on purpose, a driver that gives no happens-before loses counts here.
  private long done;

  /**
   * @param allDone counted down once for each piece of work
   */
  CountingActor(String name, CountDownLatch allDone) {
    this.name = name;
    this.allDone = allDone;
  }

  /** Any thread. The lane is to be woken after it. */
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

  /** To be read after the latch has come to zero. */
  long done() {
    return done;
  }
}
