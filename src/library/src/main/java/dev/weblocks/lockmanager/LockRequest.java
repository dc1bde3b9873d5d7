package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * A lock request: a pending request for a lock. Its callback, promise and signal stay with the
 * agent that made it.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock-request
final class LockRequest {
  final RequestId id;
  final Client client;
  final LockManager manager;
  final LockOptions options;
  final LockMode mode;

  /** The queue of its name in its manager, even if the request is not waiting there. */
  final LockRequestQueue queue;

  final Chain.Link<LockRequest> inQueue = new Chain.Link<>(this);
  final Chain.Link<LockRequest> inClient = new Chain.Link<>(this);

  /** The lock that the request has become; null before that. */
  @Nullable HeldLock lock;

  final long requestedAt;

  LockRequest(
      RequestId id,
      Client client,
      LockManager manager,
      LockRequestQueue queue,
      LockOptions options,
      long requestedAt) {
    this.id = id;
    this.client = client;
    this.manager = manager;
    this.queue = queue;
    this.options = options;
    this.mode = options.mode();
    this.requestedAt = requestedAt;
  }

  @Override
  public String toString() {
    return "lock request " + id;
  }
}
