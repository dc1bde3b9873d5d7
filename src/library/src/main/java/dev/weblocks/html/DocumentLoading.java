package dev.weblocks.html;

import org.jspecify.annotations.Nullable;

/** The progress of a document to its load event. Used on its event loop. */
final class DocumentLoading {

  private int delays;
  private @Nullable Runnable whenNothingDelays;
  private volatile boolean complete;

  void delayLoadEvent() {
    delays++;
  }

  /** Removes a load event delay; after the last, runs the {@link #whenNothingDelaysLoad} steps. */
  void loadEventMayCome() {
    delays--;
    if (delays == 0) {
      Runnable waiting = whenNothingDelays;
      whenNothingDelays = null;
      if (waiting != null) {
        waiting.run();
      }
    }
  }

  boolean isLoadEventDelayed() {
    return delays > 0;
  }

  /** Runs steps once nothing delays the load event; at once if nothing does. */
  void whenNothingDelaysLoad(Runnable steps) {
    if (delays == 0) {
      steps.run();
    } else {
      whenNothingDelays = steps;
    }
  }

  void setComplete() {
    complete = true;
  }

  /**
   * Returns whether the load event has been fired; always false for an initial document. Callable
   * on any thread.
   */
  boolean isComplete() {
    return complete;
  }
}
