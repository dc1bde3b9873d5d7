package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;

/**
 * The lock concept: an element of the held lock set. The object that script sees has another type
 * and stays with the agent, as do the waiting promise and the released promise.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock
final class HeldLock {
  final RequestId id;

  final Client client;
  final LockManager manager;
  final LockOptions options;
  final LockMode mode;

  final LockRequestQueue queue;

  final Chain.Link<HeldLock> inHeldLockSet = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inName = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inClient = new Chain.Link<>(this);

  final long grantedAt;

  HeldLock(LockRequest request, long grantedAt) {
    this.grantedAt = grantedAt;
    id = request.id;
    client = request.client;
    manager = request.manager;
    options = request.options;
    mode = request.mode;
    queue = request.queue;
  }

  @Override
  public String toString() {
    return "lock " + id;
  }
}
