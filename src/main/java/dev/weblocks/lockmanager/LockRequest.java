package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.WaitMode;
import org.jspecify.annotations.Nullable;

/**
 * A lock request: a pending request for a lock. Its callback, promise and signal are with the agent
 * that made it.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock-request
final class LockRequest {
  final long id;
  final Client client;
  final LockManager manager;
  final LockMode mode;

  /** The queue of its name in its manager, whether it waits there or not. */
  final LockRequestQueue queue;

  final Chain.Link<LockRequest> inQueue = new Chain.Link<>(this);
  final Chain.Link<LockRequest> inClient = new Chain.Link<>(this);

  /** For diagnoses alone, as the two below. */
  final @Nullable LockAsker asker;

  final WaitMode waitMode;

  /** Variant reentrant: whether its client may enter the name again while it holds the lock. */
  final boolean reentrant;

  /** What it has become; null while it waits. */
  @Nullable HeldLock lock;

  /** When it was made, by the clock of the lock managers. */
  final long requestedAt;

  LockRequest(
      long id,
      Client client,
      LockManager manager,
      LockRequestQueue queue,
      LockMode mode,
      WaitMode waitMode,
      @Nullable LockAsker asker,
      boolean reentrant,
      long requestedAt) {
    this.asker = asker;
    this.reentrant = reentrant;
    this.waitMode = waitMode;
    this.requestedAt = requestedAt;
    this.id = id;
    this.client = client;
    this.manager = manager;
    this.queue = queue;
    this.mode = mode;
  }

  @Override
  public String toString() {
    return "lock request " + id;
  }
}
