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

  long nanoTime() {
    return nanoTime;
  }

  /**
   * Begins a step.
   *
   * @param now its time
   * @param newWatcher gets its transitions; null for none
   */
  void begin(long now, @Nullable Consumer<LockTransition> newWatcher) {
    nanoTime = now;
    watcher = newWatcher;
  }

  /**
   * Returns the live array of the number of transitions of each kind so far; {@link StateCodec}
   * reads and restores it.
   */
  long[] counts() {
    return counts;
  }

  long count(Kind kind) {
    return counts[kind.ordinal()];
  }

  void requested(LockRequest request) {
    note(Kind.REQUESTED, request, false);
  }

  void missed(LockRequest request) {
    note(Kind.MISSED, request, false);
  }

  void aborted(LockRequest request, boolean clientEnded) {
    note(Kind.ABORTED, request, clientEnded);
  }

  void granted(HeldLock lock, LockRequest request) {
    counts[Kind.GRANTED.ordinal()]++;
    Consumer<LockTransition> watching = watcher;
    if (watching != null) {
      watching.accept(of(Kind.GRANTED, request, lock.grantedAt - request.requestedAt, false));
    }
  }

  void released(HeldLock lock, boolean clientEnded) {
    note(Kind.RELEASED, lock, clientEnded, null);
  }

  void stolen(HeldLock lock, ClientId thief) {
    note(Kind.STOLEN, lock, false, thief);
  }

  private void note(Kind kind, LockRequest request, boolean clientEnded) {
    counts[kind.ordinal()]++;
    Consumer<LockTransition> watching = watcher;
    if (watching != null) {
      long waited = kind == Kind.ABORTED ? nanoTime - request.requestedAt : 0;
      watching.accept(of(kind, request, waited, clientEnded));
    }
  }

  private void note(Kind kind, HeldLock lock, boolean clientEnded, @Nullable ClientId thief) {
    counts[kind.ordinal()]++;
    Consumer<LockTransition> watching = watcher;
    if (watching != null) {
      watching.accept(
          new LockTransition(
              kind,
              lock.id,
              lock.manager.id,
              lock.options,
              lock.client.requester,
              nanoTime - lock.grantedAt,
              clientEnded,
              thief));
    }
  }

  private static LockTransition of(
      Kind kind, LockRequest request, long nanos, boolean clientEnded) {
    return new LockTransition(
        kind,
        request.id,
        request.manager.id,
        request.options,
        request.client.requester,
        nanos,
        clientEnded,
        null);
  }
}
