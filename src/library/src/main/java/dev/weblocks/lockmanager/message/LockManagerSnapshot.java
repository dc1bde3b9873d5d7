package dev.weblocks.lockmanager.message;

import java.util.List;

/**
 * The state of one lock manager at one step of the lock task queue.
 *
 * @param held the locks, in the order in which they were granted, over all names
 * @param pending the requests, name by name; the names in the order in which each came into use,
 *     the requests of a name in queue order
 */
public record LockManagerSnapshot(List<LockInfo> held, List<LockInfo> pending) {

  public LockManagerSnapshot {
    held = List.copyOf(held);
    pending = List.copyOf(pending);
  }
}
