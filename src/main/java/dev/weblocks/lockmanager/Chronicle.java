package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What has become of the requests and locks of one user agent: always counted, and told in full
 * while somebody watches.
 */
final class Chronicle {
  private final LongSupplier nanoTime;
  private final long[] counts = new long[Kind.values().length];
  private @Nullable Consumer<LockTransition> watcher;

  Chronicle(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Who is told from now on; null for nobody. */
  void watch(@Nullable Consumer<LockTransition> newWatcher) {
    watcher = newWatcher;
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
    Consumer<LockTransition> told = watcher;
    if (told != null) {
      told.accept(of(Kind.GRANTED, request, lock.grantedAt - request.requestedAt, false));
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
    Consumer<LockTransition> told = watcher;
    if (told != null) {
      long waited = kind == Kind.ABORTED ? nanoTime() - request.requestedAt : 0;
      told.accept(of(kind, request, waited, clientEnded));
    }
  }

  private void note(Kind kind, HeldLock lock, boolean clientEnded, @Nullable ClientId thief) {
    counts[kind.ordinal()]++;
    Consumer<LockTransition> told = watcher;
    if (told != null) {
      told.accept(
          new LockTransition(
              kind,
              lock.id,
              lock.manager.id,
              lock.queue.name,
              lock.mode,
              lock.waitMode,
              lock.client.id,
              lock.asker,
              nanoTime() - lock.grantedAt,
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
        request.queue.name,
        request.mode,
        request.waitMode,
        request.client.id,
        request.asker,
        nanos,
        clientEnded,
        null);
  }
}
