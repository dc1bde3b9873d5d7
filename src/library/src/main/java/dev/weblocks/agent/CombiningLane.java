package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose turns run on the thread that wakes it first. Threads that wake it meanwhile only
 * increment a counter; the first thread then runs further turns. For actors whose turns are short
 * and run no script. Exceptions of turns are thrown on the thread that ran them, once all have run.
 */
final class CombiningLane implements Driver.Lane {

  private final Actor actor;

  /** The number of wakes not yet handled; the thread that raises it from zero runs the turns. */
  private final AtomicInteger wakes = new AtomicInteger();

  private volatile boolean detached;

  CombiningLane(Actor actor) {
    this.actor = actor;
  }

  @Override
  public void wake() {
    if (wakes.getAndIncrement() != 0) {
      return;
    }
    Throwable failure = null;
    int seen = 1;
    do {
      failure = runAll(failure);
      seen = wakes.addAndGet(-seen);
    } while (seen != 0);
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  // Failures are deferred: thrown at once, they would leave the lane claimed forever.
  private @Nullable Throwable runAll(@Nullable Throwable earlier) {
    Throwable failure = earlier;
    boolean more = true;
    while (more && !detached) {
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
    return failure;
  }

  @Override
  public void detach() {
    detached = true;
  }
}
