package dev.weblocks.lockmanager.earlydraft;

/** The lock concept. The object that script sees and the waiting promise stay with the agent. */
// Early draft, "Lock"
final class HeldLock {
  /** The request that became this lock, with its id, scope and mode. */
  final LockRequest request;

  /** The place of the lock among all locks granted so far. */
  final long order;

  /** The time of the grant in nanoseconds, by the clock of {@link LockStates}; for observers. */
  final long grantedAt;

  HeldLock(LockRequest request, long order, long grantedAt) {
    this.request = request;
    this.order = order;
    this.grantedAt = grantedAt;
  }

  @Override
  public String toString() {
    return "lock " + request.id;
  }
}
