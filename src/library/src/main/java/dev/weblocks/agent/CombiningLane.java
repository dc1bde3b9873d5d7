package dev.weblocks.agent;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lane whose turns run on the thread that wakes it first. Threads that wake it meanwhile only
 * increment a counter; the first thread then runs further turns. For actors whose turns are short
 * and run no script. Its actor gets the failure of a turn that throws.
 *
 * <p>The first thread runs a batch of turns at most, since it may be in a turn of an agent, which
 * must not pay for the work of all others. Then an executor runs the rest.
 */
final class CombiningLane implements Driver.Lane {

  /** The maximum number of turns for one wake, or for one run of the executor. */
  private static final int BATCH = 64;

  private final Actor actor;
  private final Executor later;
  private final int batch;
  private final Runnable goOn = this::goOn;

  /**
   * The number of wakes not yet handled; the thread that raises it from zero runs the turns. Stays
   * positive while the rest of the turns waits for the executor.
   */
  private final AtomicInteger wakes = new AtomicInteger();

  /** Whether the rest of the turns waits; the thread that clears it runs them. */
  private final AtomicBoolean handedOn = new AtomicBoolean();

  private volatile boolean detached;

  /**
   * @param later runs an action soon on another thread, even if no caller runs the driver
   */
  CombiningLane(Actor actor, Executor later) {
    this(actor, later, BATCH);
  }

  CombiningLane(Actor actor, Executor later, int batch) {
    this.actor = actor;
    this.later = later;
    this.batch = batch;
  }

  @Override
  public void wake() {
    if (wakes.getAndIncrement() == 0) {
      run(1);
    }
  }

  /**
   * Runs turns until all wakes are handled, or a batch is over and the rest is handed on.
   *
   * @param seen the number of wakes that the next turns handle
   */
  private void run(int seen) {
    int handled = seen;
    int left = batch;
    do {
      boolean more = true;
      while (more && !detached) {
        if (left == 0) {
          if (handOn()) {
            return;
          }
          left = batch;
        }
        left--;
        more = runTurn();
      }
      handled = wakes.addAndGet(-handled);
    } while (handled != 0);
  }

  private boolean runTurn() {
    try {
      return actor.runTurn();
    } catch (RuntimeException | Error failure) { // thrown, it would leave the lane claimed for ever
      actor.isLost(failure);
      return true;
    }
  }

  /** Returns false if this thread has to run the turns itself. */
  private boolean handOn() {
    handedOn.set(true);
    try {
      later.execute(goOn);
      return true;
    } catch (RuntimeException | Error exhausted) { // or closed; the executor may run it even so
      return !handedOn.compareAndSet(true, false);
    }
  }

  private void goOn() {
    if (handedOn.compareAndSet(true, false)) {
      run(wakes.get());
    }
  }

  @Override
  public void detach() {
    detached = true;
  }
}
