package dev.weblocks.model;

/**
 * The kind of event of a request or a lock. Each comment names its {@link TraceKind}: a lock step
 * (runs a command), a change (of the lock state, without an effect) or an effect (on a client).
 */
public enum LockAction {
  /** A request arrives: a lock step. */
  ASKED,
  /** The request enters its queue, at the head if it steals, otherwise at the end: a change. */
  QUEUED,
  /** Requests that may be grantable now are checked, only in the early draft: a lock step. */
  PROCEEDED,
  /** The request became a lock: an effect. */
  GRANTED,
  /** The lock is not free and the request is {@code ifAvailable}, so it is over: an effect. */
  MISSED,
  /** Another request stole the lock: an effect. */
  STOLEN,
  /** The promise of the callback has settled, so the lock is to be released: a lock step. */
  GIVEN_BACK,
  /** The lock is no longer held: a change. */
  RELEASED,
  /** The client is notified that its lock was released: an effect. */
  SETTLED,
  /** A signal was aborted, so the request is to be aborted: a lock step. */
  WITHDRAWN,
  /** The request has left its queue: a change. */
  ABORTED,
  /** The client is notified that its request was aborted, only in the early draft: an effect. */
  REJECTED,
  /** Locks with some names are to be released by force, only in the early draft: a lock step. */
  FORCED,
  /** The lock was released by force, only in the early draft: an effect. */
  FORCE_RELEASED,
  /**
   * A document was unloaded, or an agent has ended, so all its locks and requests end: a lock step.
   */
  CLIENT_ENDED,
  /** A query arrives: a lock step. */
  QUERIED,
  /** The client gets the result of its query, or of a forced release: an effect. */
  ANSWERED
}
