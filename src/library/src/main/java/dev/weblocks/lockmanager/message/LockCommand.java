package dev.weblocks.lockmanager.message;

/**
 * A command of a client to the lock managers. Each command is one enqueued step of the lock task
 * queue, except {@link RegisterClient}, which takes effect at once.
 */
public sealed interface LockCommand {

  ClientId client();

  /**
   * The registration of a client, before its first other command. Ignored while the client is
   * registered.
   *
   * @param client an id that no other environment ever has
   * @param requester shown by diagnoses
   */
  record RegisterClient(ClientId client, LockRequester requester) implements LockCommand {}

  /**
   * A request for a lock.
   *
   * <p>Draft 3.2.1 forbids script to steal in shared mode; 4.1 and this command have no such
   * condition.
   *
   * @param id of the request, and of the lock that it becomes
   * @param manager the lock manager of the request
   * @param options the arguments of the request
   */
  record RequestLock(RequestId id, ManagerId manager, LockOptions options) implements LockCommand {
    @Override
    public ClientId client() {
      return id.client();
    }
  }

  /**
   * The end of a lock: its waiting promise has settled, or its request was aborted before the
   * callback began. Ignored when no such lock is held, as after a steal.
   *
   * @param id of the request that became the lock
   */
  record ReleaseLock(RequestId id) implements LockCommand {
    @Override
    public ClientId client() {
      return id.client();
    }
  }

  /**
   * The removal of a request from its queue. Ignored when no such request waits; a granted lock
   * ends by {@link ReleaseLock} instead.
   */
  record AbortRequest(RequestId id) implements LockCommand {
    @Override
    public ClientId client() {
      return id.client();
    }
  }

  /**
   * The end of a client: its document was unloaded or its agent has stopped. It gets no more
   * effects, and must send nothing after this.
   */
  record EndClient(ClientId client) implements LockCommand {}

  /**
   * A request for a snapshot of the held locks and the pending requests of a lock manager.
   *
   * @param id of the query; from the same sequence as those of requests
   */
  record TakeSnapshot(RequestId id, ManagerId manager) implements LockCommand {
    @Override
    public ClientId client() {
      return id.client();
    }
  }

  /**
   * A command about a storage bucket that user agents share by its name; for remote lock managers
   * only. Its id is from the same sequence as those of requests.
   */
  sealed interface BucketCommand extends LockCommand {

    RequestId id();

    @Override
    default ClientId client() {
      return id().client();
    }
  }

  /**
   * Opens a bucket. The answer is {@link LockEffect.BucketOpened}; {@link LockEffect.BucketDeleted}
   * with the same id follows when the bucket is deleted.
   *
   * @param id its sequence is the {@link ManagerId#opening} of the bucket for later commands
   * @param bucket the key that all incarnations of the bucket have in common
   * @param incarnation the number of the incarnation to open, which was open in an earlier session;
   *     0 for the current one, or a new one if there is none
   */
  record OpenBucket(RequestId id, ManagerId bucket, long incarnation) implements BucketCommand {}

  /**
   * Checks whether an opened bucket still exists. The answer is {@link LockEffect.BucketOpened} or
   * {@link LockEffect.BucketDeleted}.
   *
   * @param opening the sequence of the id of the {@link OpenBucket}
   */
  record CheckBucket(RequestId id, long opening) implements BucketCommand {}

  /**
   * Deletes a bucket, if it exists. The answer is {@link LockEffect.BucketDeleted}.
   *
   * @param bucket the key that all incarnations of the bucket have in common
   * @param opening the sequence of the id of an {@link OpenBucket}, to delete that incarnation; 0
   *     for the current one
   */
  record DeleteBucket(RequestId id, ManagerId bucket, long opening) implements BucketCommand {}
}
