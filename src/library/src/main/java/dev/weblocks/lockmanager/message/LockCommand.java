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
}
