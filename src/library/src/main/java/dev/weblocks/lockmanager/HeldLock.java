package dev.weblocks.lockmanager;

/**
 * The lock concept: an element of the held lock set. The object that script sees has another type
 * and stays with the agent, as do the waiting promise and the released promise.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock
final class HeldLock {

  /** The request that became this lock, with its id, client, manager, options and queue. */
  final LockRequest request;

  final Chain.Link<HeldLock> inHeldLockSet = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inName = new Chain.Link<>(this);
  final Chain.Link<HeldLock> inClient = new Chain.Link<>(this);

  /** The time of the grant. */
  final long grantedAt;

  HeldLock(LockRequest request, long grantedAt) {
    this.request = request;
    this.grantedAt = grantedAt;
  }

  @Override
  public String toString() {
    return "lock " + request.id;
  }
}
