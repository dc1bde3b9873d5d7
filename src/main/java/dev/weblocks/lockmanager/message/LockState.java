package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.Nullable;

/**
 * A lock that is held, or a request that waits, as a diagnosis shows it.
 *
 * @param manager whose it is
 * @param name the resource name
 * @param mode the mode held or asked for
 * @param place in the queue of the name, from 1; 0 for a lock that is held
 * @param client who holds or waits
 * @param asker as the request said; null if it did not
 * @param sinceNanos when it was granted or began to wait, by the clock of the queue
 * @param requestId of the request, which the lock keeps; where a lock has several names, each of
 *     these is told with it
 * @param reentrant whether the client may enter the name again by this lock, or asks for such a
 *     one; under the variant of that name alone
 */
public record LockState(
    ManagerId manager,
    String name,
    LockMode mode,
    int place,
    ClientId client,
    @Nullable LockAsker asker,
    long sinceNanos,
    long requestId,
    boolean reentrant) {

  /** Whether it is held; it waits otherwise. */
  public boolean isHeld() {
    return place == 0;
  }
}
