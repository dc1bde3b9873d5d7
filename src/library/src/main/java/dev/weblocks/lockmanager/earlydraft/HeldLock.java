package dev.weblocks.lockmanager.earlydraft;

/**
 * The lock concept: an element of a held lock set. The object that script sees has another type and
 * stays with the agent, as does the waiting promise.
 */
// Early draft, "Lock"
final class HeldLock {
  /** The request that became this lock, with its id, scope and mode. */
  final LockRequest request;

  /** The place of the lock among all locks granted so far. */
  final long order;

  /**
   * The time of the grant in nanoseconds, by the clock of {@link LockStates}; for observers only.
   */
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
