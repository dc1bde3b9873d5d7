package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * The lock request queue of one resource name, with the held locks of that name beside it: what
 * decides about the next grant without a look at any other name. Exists while something waits or is
 * held.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concept-lock-request
final class LockRequestQueue {
  final String name;

  /** Who waits, first in line first. */
  final Chain<LockRequest> requests;

  /**
   * The locks of this name in the order of their grants: none, one that is exclusive, or any number
   * of shared ones. Under the variant reentrant also any that one client has entered again.
   */
  final Chain<HeldLock> held;

  LockRequestQueue(String name, OperationCount operations) {
    this.name = name;
    requests = new Chain<>(operations);
    held = new Chain<>(operations);
  }

  /** Whether nothing keeps this name in use. */
  boolean isUnused() {
    return requests.isEmpty() && held.isEmpty();
  }

  /** Returns the mode in which the name is held, or null when it is free. */
  @Nullable LockMode heldMode() {
    // An exclusive lock is alone, so the first lock speaks for all.
    Chain.Link<HeldLock> first = held.first();
    return first == null ? null : first.item().mode;
  }

  /** Variant reentrant: the mode in which it is held where an exclusive lock may not be alone. */
  @Nullable LockMode strongestHeldMode() {
    LockMode strongest = null;
    for (Chain.Link<HeldLock> link = held.first(); link != null; link = link.next()) {
      strongest = link.item().mode;
      if (strongest == LockMode.EXCLUSIVE) {
        return strongest;
      }
    }
    return strongest;
  }
}
