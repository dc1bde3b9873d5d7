package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.model.LockMode;

/** A lock request. Its callback, promise and signal stay with the agent that made it. */
// Early draft, "Lock Requests": A lock request is a tuple of (scope, mode).
final class LockRequest {
  final RequestLock command;

  final long id;

  /** Its place among all requests so far: earlier ones have smaller numbers. */
  final long order;

  final Client client;
  final OriginState origin;
  final Scope scope;
  final LockMode mode;

  /**
   * The number of leading names of the scope that are known to be no obstacle. They stay so while
   * the request waits: a later request on such a name has to wait for this one.
   */
  int clearNames;

  /**
   * The id of the obstacle (request or lock) that was removed last; its own if there was none.
   * Valid once the request is grantable; for observers only.
   */
  long roomBy;

  /** The time when it was made, by the clock of the lock states. */
  final long requestedAt;

  LockRequest(
      RequestLock command, long order, Client client, OriginState origin, long requestedAt) {
    this.command = command;
    this.id = command.requestId();
    this.scope = command.scope();
    this.mode = command.mode();
    this.order = order;
    this.client = client;
    this.origin = origin;
    this.requestedAt = requestedAt;
    this.roomBy = id;
  }

  @Override
  public String toString() {
    return "lock request " + id;
  }
}
