package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.WaitMode;
import org.jspecify.annotations.Nullable;

/**
 * A lock, the concept: an element of the held lock set. The object that script sees is another type
 * and stays with the agent, as do the waiting promise and the released promise.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock
final class HeldLock {
  /** The id of the request that became this lock. */
  final long id;

  final Client client;
  final LockManager manager;
  final LockMode mode;

  /** The queue of its name in its manager. */
  final LockRequestQueue queue;

  final Chain.Link<HeldLock> inHeldLockSet = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inName = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inClient = new Chain.Link<>(this);

  /** For diagnoses alone, as the two below. */
  final @Nullable LockAsker asker;

  final WaitMode waitMode;

  /** Variant reentrant: whether its client may enter the name again. */
  final boolean reentrant;

  /** When it was granted, by the clock of the lock managers. */
  final long grantedAt;

  HeldLock(LockRequest request, long grantedAt) {
    this.grantedAt = grantedAt;
    asker = request.asker;
    reentrant = request.reentrant;
    waitMode = request.waitMode;
    id = request.id;
    client = request.client;
    manager = request.manager;
    mode = request.mode;
    queue = request.queue;
  }

  @Override
  public String toString() {
    return "lock " + id;
  }
}
