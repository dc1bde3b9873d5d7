package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.model.LockMode;

/**
 * The lock concept: an element of a held lock set. The object that script sees has another type and
 * stays with the agent, as does the waiting promise.
 */
// Early draft, "Lock"
final class HeldLock {
  /** The request that became this lock; the id stays. */
  final LockRequest request;

  final long id;

  /** Its place among all locks granted so far. */
  final long order;

  final Scope scope;
  final LockMode mode;

  /** The time of the grant, by the clock of the lock states; for observers only. */
  final long grantedAt;

  HeldLock(LockRequest request, long order, long grantedAt) {
    this.request = request;
    this.id = request.id;
    this.order = order;
    this.scope = request.scope;
    this.mode = request.mode;
    this.grantedAt = grantedAt;
  }

  @Override
  public String toString() {
    return "lock " + id;
  }
}
