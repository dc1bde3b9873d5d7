package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.LockMode;
import org.jspecify.annotations.Nullable;

/** A lock request. Its callback, promise and signal are with the agent that made it. */
// Early draft, "Lock Requests": A lock request is a tuple of (scope, mode).
final class LockRequest {
  final long id;

  /** Its place among all requests that were ever made: earlier ones have smaller numbers. */
  final long order;

  final Client client;
  final OriginState origin;
  final Scope scope;
  final LockMode mode;

  /**
   * How many names of the scope, in its order, are known to be no obstacle. None of these becomes
   * one while the request waits: whoever comes later on such a name has to wait for it.
   */
  int clearNames;

  /**
   * The id of the request or lock that has gone last of those that were in its way; its own where
   * nothing was. Means something once it is grantable, and is for observers alone.
   */
  long roomBy;

  /** For observers alone, as the two below. */
  final boolean ifAvailable;

  final @Nullable RequestSource source;

  /** When it was made, by the clock of the lock states. */
  final long requestedAt;

  LockRequest(
      long id,
      long order,
      Client client,
      OriginState origin,
      Scope scope,
      LockMode mode,
      boolean ifAvailable,
      @Nullable RequestSource source,
      long requestedAt) {
    this.id = id;
    this.order = order;
    this.client = client;
    this.origin = origin;
    this.scope = scope;
    this.mode = mode;
    this.ifAvailable = ifAvailable;
    this.source = source;
    this.requestedAt = requestedAt;
    this.roomBy = id;
  }

  @Override
  public String toString() {
    return "lock request " + id;
  }
}
