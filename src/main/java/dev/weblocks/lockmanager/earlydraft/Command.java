package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.ManagerId;
import org.jspecify.annotations.Nullable;

/**
 * What may happen to the held lock sets and lock request queues. {@link RequestLock} and {@link
 * WaitingPromiseSettles} happen within a turn of the agent, all others in parallel to it.
 */
public sealed interface Command {

  /**
   * Asks for a lock.
   *
   * @param requestId names the request, and the lock that it becomes; unique within the user agent
   * @param client whose request it is, and who gets the answers
   * @param origin whose queue and set it is about
   * @param scope not empty
   * @param mode shared or exclusive
   * @param ifAvailable whether it is to be granted without waiting or not at all
   * @param aborted whether the aborted flag of its signal is set from the start
   * @param source for diagnoses; null if it is not known
   */
  record RequestLock(
      long requestId,
      ClientId client,
      ManagerId origin,
      Scope scope,
      LockMode mode,
      boolean ifAvailable,
      boolean aborted,
      @Nullable RequestSource source)
      implements Command {

    /**
     * Checks the scope.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public RequestLock {
      if (scope.isEmpty()) {
        throw new IllegalArgumentException("the scope of request " + requestId + " is empty");
      }
    }

    /** A request whose signal, if any, is not aborted, and of which nobody says who asks. */
    public RequestLock(
        long requestId,
        ClientId client,
        ManagerId origin,
        Scope scope,
        LockMode mode,
        boolean ifAvailable) {
      this(requestId, client, origin, scope, mode, ifAvailable, false, null);
    }

    /** Without the source, so that traces do not depend on what is known for diagnoses. */
    @Override
    public String toString() {
      return "RequestLock[requestId="
          + requestId
          + ", client="
          + client
          + ", origin="
          + origin
          + ", scope="
          + scope.names()
          + ", mode="
          + mode
          + ", ifAvailable="
          + ifAvailable
          + (aborted ? ", aborted" : "")
          + "]";
    }
  }

  /**
   * The waiting promise of a lock has settled. Ignored when no such lock is held, as after a forced
   * release.
   *
   * @param requestId of the request that became the lock
   */
  record WaitingPromiseSettles(long requestId) implements Command {}

  /** The steps that wait until a request is grantable go on where it is. */
  record Proceed() implements Command {}

  /**
   * The aborted flag of the signal of a request is set. Ignored when no such request waits.
   *
   * @param requestId of the request
   */
  record AbortRequest(long requestId) implements Command {}

  /**
   * Removes all locks whose scope has a name of another scope.
   *
   * @param releaseId names the release; from the same sequence as request ids
   * @param client who gets to know when it is done
   * @param origin whose locks
   * @param scope not empty
   * @param source for diagnoses; null if it is not known
   */
  record ForceRelease(
      long releaseId,
      ClientId client,
      ManagerId origin,
      Scope scope,
      @Nullable RequestSource source)
      implements Command {

    /** A forced release of which nobody says who wants it. */
    public ForceRelease(long releaseId, ClientId client, ManagerId origin, Scope scope) {
      this(releaseId, client, origin, scope, null);
    }

    /** Without the source, as of requests. */
    @Override
    public String toString() {
      return "ForceRelease[releaseId="
          + releaseId
          + ", client="
          + client
          + ", origin="
          + origin
          + ", scope="
          + scope.names()
          + "]";
    }
  }

  /**
   * Asks what is held and who waits.
   *
   * @param queryId names the question; from the same sequence as request ids
   * @param client who gets the answer
   * @param origin whose queue and set it is about
   */
  record QueryState(long queryId, ClientId client, ManagerId origin) implements Command {}

  /**
   * Ends a client: its document was unloaded or its agent has stopped. It gets no answers any more,
   * and must send nothing after this.
   */
  record EndClient(ClientId client) implements Command {}

  /**
   * Takes a request out of its queue, or the lock that it has become out of its set: its agent
   * freezes and gives up what it has. The early draft knows no freezing.
   */
  record GiveUp(long requestId) implements Command {}
}
