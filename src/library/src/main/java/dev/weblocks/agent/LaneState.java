package dev.weblocks.agent;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of a lane that is queued to an executor at most once at a time. A wake during a run
 * queues the lane again after that run, so that none is lost. Thread-safe.
 */
final class LaneState {

  private static final int IDLE = 0;
  private static final int QUEUED = 1;
  private static final int RUNNING = 2;
  private static final int RUNNING_AND_WOKEN = 3;
  private static final int DETACHED = 4;

  private final AtomicInteger state = new AtomicInteger(IDLE);

  /** Records a wake. Returns whether the lane is QUEUED by it: the caller has to queue the lane. */
  boolean wake() {
    while (true) {
      int now = state.get();
      if (now == IDLE) {
        if (state.compareAndSet(IDLE, QUEUED)) {
          return true;
        }
      } else if (now != RUNNING || state.compareAndSet(RUNNING, RUNNING_AND_WOKEN)) {
        return false;
      }
    }
  }

  /** Begins a run. Returns false, without an effect, unless the lane is QUEUED. */
  boolean beginRun() {
    return state.compareAndSet(QUEUED, RUNNING);
  }

  /**
   * Ends a run. Returns whether the lane is QUEUED again: the caller has to queue the lane.
   *
   * @param more whether the lane has to run again even without a wake
   */
  boolean endRun(boolean more) {
    if (!more && state.compareAndSet(RUNNING, IDLE)) {
      return false;
    }
    int now = state.get();
    while (now != DETACHED && !state.compareAndSet(now, QUEUED)) {
      now = state.get();
    }
    return now != DETACHED;
  }

  /** Makes a lane IDLE that is QUEUED but could not be queued; the next wake tries again. */
  void giveUpQueueing() {
    state.compareAndSet(QUEUED, IDLE);
  }

  void detach() {
    state.set(DETACHED);
  }

  boolean isIdle() {
    return state.get() == IDLE;
  }

  boolean isQueued() {
    return state.get() == QUEUED;
  }

  boolean isDetached() {
    return state.get() == DETACHED;
  }
}
