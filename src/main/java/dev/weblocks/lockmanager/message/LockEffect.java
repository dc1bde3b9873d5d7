package dev.weblocks.lockmanager.message;

/** What a lock manager answers. Each effect becomes a task on the event loop of its client. */
public sealed interface LockEffect {

  /** Returns whose request, lock or query this is about. */
  ClientId client();

  /** Returns the step of the draft that caused this effect. */
  SpecStep step();

  /**
   * The request is now a lock, under the same id: the callback is due.
   *
   * @param requestId of the request, and from now on of the lock
   */
  record Granted(long requestId, ClientId client, SpecStep step) implements LockEffect {}

  /**
   * The lock was not free and the request would not wait; the request is over. The callback is due,
   * with null.
   */
  record Unavailable(long requestId, ClientId client, SpecStep step) implements LockEffect {}

  /** Another request took the lock; the released promise is to be rejected with an AbortError. */
  record Stolen(long requestId, ClientId client, SpecStep step) implements LockEffect {}

  /** The lock was released as asked; the released promise is to be resolved. */
  record Released(long requestId, ClientId client, SpecStep step) implements LockEffect {}

  /** The answer to a query. */
  record SnapshotTaken(long queryId, ClientId client, LockManagerSnapshot snapshot, SpecStep step)
      implements LockEffect {}
}
