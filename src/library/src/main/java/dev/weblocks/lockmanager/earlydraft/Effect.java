package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;

/** An effect of a command on a client. */
public sealed interface Effect {

  ClientId client();

  DraftStep step();

  /** The {@code ifAvailable} request is not grantable: its callback is to be called with null. */
  record Unavailable(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The request became a lock with the same id; its callback is to be called. */
  record Granted(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The request has left the queue: its promise is to be rejected with an AbortError. */
  record Aborted(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** The lock was removed by force: its promise is to be rejected with an AbortError. */
  record ForceReleased(long requestId, ClientId client, DraftStep step) implements Effect {}

  /** All locks of a forced release are removed. */
  record ForceReleaseDone(long releaseId, ClientId client, DraftStep step) implements Effect {}

  /** The answer to a query. */
  record StateTaken(long queryId, ClientId client, QueriedState state, DraftStep step)
      implements Effect {}
}
