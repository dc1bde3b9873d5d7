package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockManagerSnapshot;

/** An answer of a lock manager. Each effect becomes a task on the event loop of its client. */
public sealed interface LockEffect extends LockOutcome {

  @Override
  default LockEffect effect() {
    return this;
  }

  /** Returns the id of the request, lock or query. */
  RequestId id();

  default ClientId client() {
    return id().client();
  }

  SpecStep step();

  /** Returns the name of the task or step that delivers this effect, for traces and schedules. */
  default String label() {
    return switch (this) {
      case Granted granted -> "grant";
      case Unavailable unavailable -> "unavailable";
      case Stolen stolen -> "stolen";
      case Released released -> "released";
      case SnapshotTaken taken -> "snapshot";
      case SessionLost lost -> "session lost";
      case Refused refused -> "refused";
      case BucketOpened opened -> "bucket opened";
      case BucketDeleted deleted -> "bucket deleted";
    };
  }

  /**
   * The request became a lock with the same id; its callback is to be called.
   *
   * @param id of the request, and from now on of the lock
   * @param token the fencing token that a lock cluster gave the lock, greater than those of all
   *     earlier locks; 0 without a cluster
   */
  record Granted(RequestId id, SpecStep step, long token) implements LockEffect {
    public Granted(RequestId id, SpecStep step) {
      this(id, step, 0);
    }
  }

  /** The lock was not free, and the request is over. Its callback is to be called with null. */
  record Unavailable(RequestId id, SpecStep step) implements LockEffect {}

  /** Another request took the lock; the released promise is to be rejected with an AbortError. */
  record Stolen(RequestId id, SpecStep step) implements LockEffect {}

  /** The lock was released as requested; the released promise is to be resolved. */
  record Released(RequestId id, SpecStep step) implements LockEffect {}

  /**
   * The lock was held, and may be held by others now: remote lock managers could not be reached for
   * so long that they end the client. Made by the client's side of such lock managers.
   */
  record SessionLost(RequestId id) implements LockEffect {
    @Override
    public SpecStep step() {
      return SpecStep.CLIENT_ENDS;
    }
  }

  /**
   * The request is over, because remote lock managers do not accept it.
   *
   * @param message says why, for script and for Java code
   */
  record Refused(RequestId id, String message) implements LockEffect {
    @Override
    public SpecStep step() {
      return SpecStep.REQUEST_ENQUEUED;
    }
  }

  /**
   * A bucket was opened, or still exists. Made by remote lock managers.
   *
   * @param id of the {@link LockCommand.OpenBucket} or {@link LockCommand.CheckBucket}
   * @param incarnation the number of the incarnation, unique among all buckets
   */
  record BucketOpened(RequestId id, long incarnation) implements LockEffect {
    @Override
    public SpecStep step() {
      return SpecStep.REQUEST_ENQUEUED;
    }
  }

  /**
   * A bucket was deleted, or does not exist any more. Made by remote lock managers.
   *
   * @param id of a {@link LockCommand.BucketCommand}, or of a request or query that is over because
   *     it came after the deletion of its bucket
   */
  record BucketDeleted(RequestId id) implements LockEffect {
    @Override
    public SpecStep step() {
      return SpecStep.REQUEST_ENQUEUED;
    }
  }

  /** The answer to a query. */
  record SnapshotTaken(RequestId id, LockManagerSnapshot snapshot, SpecStep step)
      implements LockEffect {}
}
