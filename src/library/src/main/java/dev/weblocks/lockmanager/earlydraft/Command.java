package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;

/**
 * A command to the held lock sets and lock request queues. {@link RequestLock} and {@link
 * WaitingPromiseSettles} run within a turn of the agent, all other commands run in parallel.
 */
public sealed interface Command {

  /**
   * A request for a lock.
   *
   * @param requestId the id of the request, and of the lock that it becomes; unique within the user
   *     agent
   * @param client the client that made the request and gets the answers
   * @param scope not empty
   * @param ifAvailable whether the request fails if it cannot be granted at once
   * @param aborted whether the aborted flag of its signal is set from the start
   * @param source for diagnoses
   */
  record RequestLock(
      long requestId,
      ClientId client,
      ManagerId origin,
      Scope scope,
      LockMode mode,
      boolean ifAvailable,
      boolean aborted,
      RequestSource source)
      implements Command {

    /** Throws an {@link IllegalArgumentException} if the scope is empty. */
    public RequestLock {
      if (scope.isEmpty()) {
        throw new IllegalArgumentException("the scope of request " + requestId + " is empty");
      }
    }

    /** Returns the text for traces, without the source, which depends on settings for diagnoses. */
    @Override
    public String toString() {
      return "RequestLock[requestId=%s, client=%s, origin=%s, scope=%s, mode=%s, ifAvailable=%s%s]"
          .formatted(
              requestId,
              client,
              origin,
              scope.names(),
              mode,
              ifAvailable,
              aborted ? ", aborted" : "");
    }
  }

  /** The release of a lock whose waiting promise has settled; ignored if no such lock is held. */
  record WaitingPromiseSettles(long requestId) implements Command {}

  /** The grant of all waiting requests that have become grantable. */
  record Proceed() implements Command {}

  /** The abort of a request because its signal was aborted; ignored if no such request waits. */
  record AbortRequest(long requestId) implements Command {}

  /**
   * The removal of all locks whose scope contains a name of the given scope.
   *
   * @param releaseId the id of the release; from the same sequence as request ids
   * @param client the client that is notified after the removal
   * @param origin the origin of the locks
   * @param scope not empty
   * @param source for diagnoses
   */
  record ForceRelease(
      long releaseId, ClientId client, ManagerId origin, Scope scope, RequestSource source)
      implements Command {

    /** Returns the text for traces; it omits the source. */
    @Override
    public String toString() {
      return "ForceRelease[releaseId=%s, client=%s, origin=%s, scope=%s]"
          .formatted(releaseId, client, origin, scope.names());
    }
  }

  /** A query of held locks and waiting requests; its id is from the sequence of request ids. */
  record QueryState(long queryId, ClientId client, ManagerId origin) implements Command {}

  /**
   * The end of a client: its document was unloaded or its agent has stopped. It gets no further
   * answers, and must send nothing after this.
   */
  record EndClient(ClientId client) implements Command {}

  /**
   * The removal of a request or its lock, because its agent freezes, the document of its callback
   * was removed, or the callback was interrupted or ran out of memory. Not in the early draft.
   */
  record GiveUp(long requestId) implements Command {}
}
