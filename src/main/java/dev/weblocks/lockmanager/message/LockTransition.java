package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a request and the lock that it becomes, for whoever watches. A request is
 * made, then granted, missed or aborted; what is granted is released or stolen. Each happens once.
 *
 * @param kind which step
 * @param requestId of the request, and of the lock
 * @param manager whose it is
 * @param name the resource name
 * @param mode asked for or held
 * @param waitMode how it was asked for
 * @param client whose it is
 * @param asker as the request said; null if it did not
 * @param nanos for how long the request had waited when it was granted or aborted, or the lock had
 *     been held when it was released or stolen, by the clock of the queue; 0 otherwise
 * @param clientEnded whether it was aborted or released because its client has ended
 * @param thief who stole it; null unless it was stolen
 */
public record LockTransition(
    Kind kind,
    long requestId,
    ManagerId manager,
    String name,
    LockMode mode,
    WaitMode waitMode,
    ClientId client,
    @Nullable LockAsker asker,
    long nanos,
    boolean clientEnded,
    @Nullable ClientId thief) {

  /** The steps. */
  public enum Kind {
    /** The request was made. */
    REQUESTED,
    /** The request is a lock now. */
    GRANTED,
    /** The lock was not free, and the request would not wait. */
    MISSED,
    /** The request left its queue: its signal was aborted, or its client has ended. */
    ABORTED,
    /** The lock was given back, or its client has ended. */
    RELEASED,
    /** Another request took the lock. */
    STOLEN
  }
}
