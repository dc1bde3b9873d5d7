package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lane whose turns run on whichever thread wakes it first; threads that wake it meanwhile only
 * count, and the first one takes their work along. For actors whose turns are short and run no
 * script.
 */
final class CombiningLane implements Driver.Lane {

  private final Actor actor;

  /** Wakes not yet answered; the thread that raises it from zero runs the turns. */
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
    int seen = 1;
    do {
      while (!detached && actor.runTurn()) {
        // each turn is one step
      }
      seen = wakes.addAndGet(-seen);
    } while (seen != 0);
  }

  @Override
  public void detach() {
    detached = true;
  }
}
