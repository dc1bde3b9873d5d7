package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.model.LockMode;

/** A lock request. Its callback, promise and signal stay with the agent that made it. */
// Early draft, "Lock Requests": A lock request is a tuple of (scope, mode).
final class LockRequest {
  final RequestLock command;

  final long id;

  /** The place of the request among all requests so far: earlier ones have smaller numbers. */
  final long order;

  final Client client;
  final OriginState origin;
  final Scope scope;
  final LockMode mode;

  /**
   * The number of leading names of the scope that are known not to block the request. They never
   * block it later: a later request for such a name has to wait for this one.
   */
  int clearNames;

  /**
   * The id of the blocking request or lock that was removed last; the id of this request if there
   * was none. Valid once the request is grantable; for observers only.
   */
  long roomBy;

  /** The time of the request in nanoseconds of the {@link LockStates} clock; for observers only. */
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
