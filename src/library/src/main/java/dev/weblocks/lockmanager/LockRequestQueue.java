package dev.weblocks.lockmanager;

import dev.weblocks.model.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The lock request queue of one resource name, with the held locks of that name: all data that the
 * next grant depends on. It exists while a request waits or a lock is held.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock-request
final class LockRequestQueue {
  final String name;

  /** The waiting requests, in the order of the queue. */
  final Chain<LockRequest> requests;

  /**
   * The locks of this name in the order of their grants: none, one that is exclusive, or any number
   * of shared ones. {@link LockRules} may allow other combinations.
   */
  final Chain<HeldLock> held;

  LockRequestQueue(String name, OperationCount operations) {
    this.name = name;
    requests = new Chain<>(operations);
    held = new Chain<>(operations);
  }

  boolean isUnused() {
    return requests.isEmpty() && held.isEmpty();
  }

  /** Returns the mode in which the name is held, or null when it is free. */
  @Nullable LockMode heldMode() {
    // An exclusive lock is alone, so all locks have the mode of the first one.
    Chain.Link<HeldLock> first = held.first();
    return first == null ? null : first.item().request.mode;
  }
}
