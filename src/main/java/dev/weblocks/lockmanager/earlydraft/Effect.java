package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;

/** What comes of a command for a client. */
public sealed interface Effect {

  /** Returns whose request, lock or query this is about. */
  ClientId client();

  /** Returns the step of the early draft that caused this effect. */
  DraftStep step();

  /**
   * The request is not grantable and would not wait: the callback is to be called with null now.
   */
  record Unavailable(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The request is a lock, under the same id: the callback is due. */
  record Granted(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The request has left the queue: its promise is to be rejected with an AbortError. */
  record Aborted(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The lock was removed by force: its promise is to be rejected with an AbortError. */
  record ForceReleased(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** All locks that a forced release is about are removed. */
  record ForceReleaseDone(long releaseId, ClientId client, DraftStep step) implements Effect {}

  /** The answer to a query. */
  record StateTaken(long queryId, ClientId client, QueriedState state, DraftStep step)
      implements Effect {}
}
