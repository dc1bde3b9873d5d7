package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.Nullable;

/** What an agent asks of the lock managers: one enqueued step of the lock task queue. */
public sealed interface LockCommand {

  /**
   * Asks for a lock.
   *
   * <p>Draft 3.2.1 keeps script from stealing in shared mode; 4.1 has no such condition, and
   * neither has this command.
   *
   * @param requestId names the request, and the lock that it becomes; unique within the user agent
   * @param client whose request it is, and who gets the answers
   * @param manager the lock manager asked
   * @param name the resource name, any UTF-16 string; lone surrogates stay as they are
   * @param mode shared or exclusive
   * @param waitMode what to do when the lock is not free
   * @param asker whose request it is, for people to read; null if nobody says
   * @param reentrant whether the client may enter the name again while it holds the lock; counts
   *     under the variant of that name alone
   */
  record RequestLock(
      long requestId,
      ClientId client,
      ManagerId manager,
      String name,
      LockMode mode,
      WaitMode waitMode,
      @Nullable LockAsker asker,
      boolean reentrant)
      implements LockCommand {

    /** A request for a lock that is not reentrant, as all are in the draft. */
    public RequestLock(
        long requestId,
        ClientId client,
        ManagerId manager,
        String name,
        LockMode mode,
        WaitMode waitMode,
        @Nullable LockAsker asker) {
      this(requestId, client, manager, name, mode, waitMode, asker, false);
    }

    /** A request of which nobody says who asks. */
    public RequestLock(
        long requestId,
        ClientId client,
        ManagerId manager,
        String name,
        LockMode mode,
        WaitMode waitMode) {
      this(requestId, client, manager, name, mode, waitMode, null);
    }

    /** Without the asker, so that traces do not depend on what is known for diagnoses. */
    @Override
    public String toString() {
      return "RequestLock[requestId="
          + requestId
          + ", client="
          + client
          + ", manager="
          + manager
          + ", name="
          + name
          + ", mode="
          + mode
          + ", waitMode="
          + waitMode
          + (reentrant ? ", reentrant]" : "]");
    }
  }

  /**
   * Ends a lock: its waiting promise has settled, or its request was aborted before the callback
   * began. Ignored when no such lock is held, as after a steal.
   *
   * @param requestId of the request that became the lock
   */
  record ReleaseLock(long requestId) implements LockCommand {}

  /**
   * Takes a request out of its queue. Ignored when no such request waits; once granted, the lock
   * ends by {@link ReleaseLock} alone.
   */
  record AbortRequest(long requestId) implements LockCommand {}

  /**
   * Ends a client: its document was unloaded or its agent has stopped. It gets no answers any more,
   * and must send nothing after this.
   */
  record EndClient(ClientId client) implements LockCommand {}

  /**
   * Asks what a lock manager holds and who waits.
   *
   * @param queryId names the question; from the same sequence as request ids
   * @param client who gets the answer
   * @param manager the lock manager asked
   */
  record TakeSnapshot(long queryId, ClientId client, ManagerId manager) implements LockCommand {}
}
