package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The recorder of the transitions of the requests and locks of one user agent. It always counts
 * them, and reports them to a watcher if there is one. Holds the time of the current step.
 */
final class TransitionRecorder {
  private long nanoTime;
  private final long[] counts = new long[Kind.values().length];
  private @Nullable Consumer<LockTransition> watcher;
  private @Nullable Error failure;

  long nanoTime() {
    return nanoTime;
  }

  /**
   * Begins a step.
   *
   * @param now the time of the step in nanoseconds
   * @param newWatcher gets the transitions of the step; null for none
   */
  void begin(long now, @Nullable Consumer<LockTransition> newWatcher) {
    nanoTime = now;
    watcher = newWatcher;
    failure = null;
  }

  /** Returns the last error because of which a transition of this step was not reported. */
  @Nullable Error failure() {
    return failure;
  }

  /**
   * Returns the live array with the number of transitions of each kind so far; {@link StateCodec}
   * reads and restores the array.
   */
  long[] counts() {
    return counts;
  }

  long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  void requested(LockRequest request) {
    note(Kind.REQUESTED, request, nanoTime, false, null);
  }

  void missed(LockRequest request) {
    note(Kind.MISSED, request, nanoTime, false, null);
  }

  void aborted(LockRequest request, boolean clientEnded) {
    note(Kind.ABORTED, request, request.requestedAt, clientEnded, null);
  }

  void granted(LockRequest request) {
    note(Kind.GRANTED, request, request.requestedAt, false, null);
  }

  void released(HeldLock lock, boolean clientEnded) {
    note(Kind.RELEASED, lock.request, lock.grantedAt, clientEnded, null);
  }

  void stolen(HeldLock lock, ClientId thief) {
    note(Kind.STOLEN, lock.request, lock.grantedAt, false, thief);
  }

  private void note(
      Kind kind, LockRequest request, long since, boolean clientEnded, @Nullable ClientId thief) {
    counts[kind.ordinal()]++;
    Consumer<LockTransition> watching = watcher;
    if (watching == null) {
      return;
    }
    try {
      watching.accept(
          new LockTransition(
              kind,
              request.id,
              request.manager.id,
              request.options,
              request.client.requester,
              nanoTime - since,
              clientEnded,
              thief));
    } catch (Error exhausted) {
      failure = exhausted; // the step, which is half done, goes on
    }
  }
}
