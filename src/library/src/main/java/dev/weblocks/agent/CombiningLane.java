package dev.weblocks.agent;

import static java.lang.System.Logger.Level.ERROR;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose turns run on the thread that wakes it first. Threads that wake it meanwhile only
 * increment a counter; the first thread then runs further turns. For actors whose turns are short
 * and run no script. Exceptions of turns are thrown on the thread that ran them, once all have run.
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
      rethrow(run(1));
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /**
   * Runs turns until all wakes are handled, or a batch is over and the rest is handed on.
   *
   * @param seen the number of wakes that the next turns handle
   * @return the failure of a turn; null for none
   */
  // Failures are deferred: thrown at once, they would leave the lane claimed forever.
  private @Nullable Throwable run(int seen) {
    Throwable failure = null;
    int handled = seen;
    int left = batch;
    do {
      boolean more = true;
      while (more && !detached) {
        if (left == 0) {
          if (failure == null && handOn()) { // a failure belongs to this thread
            return null;
          }
          left = batch;
        }
        left--;
        try {
          more = actor.runTurn();
        } catch (RuntimeException | Error thrown) {
          if (failure == null) {
            failure = thrown;
          } else if (failure != thrown) {
            failure.addSuppressed(thrown);
          }
        }
      }
      handled = wakes.addAndGet(-handled);
    } while (handled != 0);
    return failure;
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
    Throwable failure = handedOn.compareAndSet(true, false) ? run(wakes.get()) : null;
    if (failure != null) {
      System.getLogger("dev.weblocks")
          .log(ERROR, "a step of the " + actor.name() + " has failed", failure);
    }
  }

  @Override
  public void detach() {
    detached = true;
  }
}
