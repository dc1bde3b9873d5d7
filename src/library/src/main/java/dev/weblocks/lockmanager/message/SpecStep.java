package dev.weblocks.lockmanager.message;

import dev.weblocks.model.TraceEvent.Spec;

/**
 * The steps of the draft that traces name: those that enqueue a command, those that change locks or
 * requests, and those that cause effects.
 */
public enum SpecStep implements NamedStep {
  REQUEST_ENQUEUED("4.1", "request a lock", "3", "algorithm-request-lock"),
  /** A stealing request is put at the head of its queue. */
  REQUEST_PREPENDED("4.1", "request a lock", "3.4.2", "algorithm-request-lock"),
  /** A request is put at the end of its queue. */
  REQUEST_WAITS("4.1", "request a lock", "3.5.2", "algorithm-request-lock"),
  /** A steal rejects the released promise of the stolen lock. */
  REQUEST_REJECTS_STOLEN("4.1", "request a lock", "3.4.1.1.2", "algorithm-request-lock"),
  /** An {@code ifAvailable} request ends with a call of its callback with null. */
  REQUEST_MISSES("4.1", "request a lock", "3.5.1", "algorithm-request-lock"),
  /** A request has become a lock, and its callback is to be called. */
  QUEUE_GRANTS("4.4", "process the lock request queue", "2.14", "algorithm-process-request"),
  /** A waiting promise has settled, and the lock is to be released. */
  WAITING_SETTLES("2.4", "waiting promise settles", "1", "concept-lock"),
  /**
   * A waiting promise has settled and the lock was released; the released promise is to be
   * resolved.
   */
  RELEASED_RESOLVES("2.4", "waiting promise settles", "2", "concept-lock"),
  /** A lock leaves the held lock set. */
  RELEASE_REMOVES("4.2", "release the lock", "6", "algorithm-release-lock"),
  ABORT_ENQUEUED("4.3", "signal to abort the request", "1", "signal-to-abort-the-request"),
  /** A request leaves its queue. */
  ABORT_REMOVES("4.3", "abort the request", "6", "algorithm-abort-request"),
  /**
   * A document is unloaded, or an agent has terminated: all locks and requests of its client end.
   */
  CLIENT_ENDS("2.6", "terminate remaining locks and requests", "1", "termination-of-locks"),
  QUERY_ENQUEUED("3.2.2", "query()", "5", "dom-lockmanager-query"),
  SNAPSHOT_RESOLVES("4.5", "snapshot the lock state", "6", "algorithm-snapshot-state");

  private static final String DRAFT = "https://www.w3.org/TR/2025/WD-web-locks-20250924/";

  private final Spec place;

  SpecStep(String section, String algorithm, String step, String anchor) {
    place = new Spec(section, algorithm, step, DRAFT + "#" + anchor);
  }

  @Override
  public Spec place() {
    return place;
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
