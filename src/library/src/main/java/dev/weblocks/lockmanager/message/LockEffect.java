package dev.weblocks.lockmanager.message;

/** An answer of a lock manager. Each effect becomes a task on the event loop of its client. */
public sealed interface LockEffect {

  /** Returns the id of the request, lock or query. */
  RequestId id();

  default ClientId client() {
    return id().client();
  }

  SpecStep step();

  /**
   * The request became a lock with the same id; its callback is to be called.
   *
   * @param id of the request, and from now on of the lock
   */
  record Granted(RequestId id, SpecStep step) implements LockEffect {}

  /** The lock was not free, and the request is over. Its callback is to be called with null. */
  record Unavailable(RequestId id, SpecStep step) implements LockEffect {}

  /** Another request took the lock; the released promise is to be rejected with an AbortError. */
  record Stolen(RequestId id, SpecStep step) implements LockEffect {}

  /** The lock was released as requested; the released promise is to be resolved. */
  record Released(RequestId id, SpecStep step) implements LockEffect {}

  /** The answer to a query. */
  record SnapshotTaken(RequestId id, LockManagerSnapshot snapshot, SpecStep step)
      implements LockEffect {}
}
