package dev.weblocks.model;

/**
 * The kind of an event of a lock request or a lock. Each is a lock step (which runs a command), a
 * change of the lock state, or an effect on a client; see {@link TraceKind}.
 */
public enum LockAction {
  /** The lock step for a new request. */
  ASKED,
  /** The change when a request enters its queue, at the head if it steals, otherwise at the end. */
  QUEUED,
  /** The lock step that checks which requests are grantable now, only in the early draft. */
  PROCEEDED,
  /** The effect when a request becomes a lock. */
  GRANTED,
  /** The effect when an {@code ifAvailable} request ends because its lock is not free. */
  MISSED,
  /** The effect on the holder of a lock that another request stole. */
  STOLEN,
  /** The lock step that releases a lock after the promise of its callback has settled. */
  GIVEN_BACK,
  /** The change when a lock is no longer held. */
  RELEASED,
  /** The effect that notifies a client that its lock was released. */
  SETTLED,
  /** The lock step that aborts a request after its signal was aborted. */
  WITHDRAWN,
  /** The change when a request leaves its queue without being granted. */
  ABORTED,
  /** The effect that notifies a client that its request was aborted, only in the early draft. */
  REJECTED,
  /** The lock step that releases locks with given names by force, only in the early draft. */
  FORCED,
  /** The effect on the holder of a lock released by force, only in the early draft. */
  FORCE_RELEASED,
  /** The lock step that ends the locks and requests of an unloaded document or an ended agent. */
  CLIENT_ENDED,
  /** The lock step for a query. */
  QUERIED,
  /** The effect that passes the result of a query or a forced release to a client. */
  ANSWERED
}
