package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.LockMode;

/**
 * A lock, the concept: an element of a held lock set. The object that script sees is another type
 * and stays with the agent, as does the waiting promise.
 */
// Early draft, "Lock"
final class HeldLock {
  /** What it was; the id stays. */
  final LockRequest request;

  final long id;

  /** Its place among all locks that were ever granted. */
  final long order;

  final Scope scope;
  final LockMode mode;

  /** When it was granted, by the clock of the lock states; for observers alone. */
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
