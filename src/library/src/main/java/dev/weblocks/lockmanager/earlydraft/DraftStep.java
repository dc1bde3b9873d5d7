package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.NamedStep;
import dev.weblocks.model.TraceEvent.Spec;

/**
 * The steps of the early draft that traces name: those that send a command, those that change locks
 * or requests, and those that cause effects.
 */
public enum DraftStep implements NamedStep {
  REQUEST_MADE("request a lock", "4", "algorithm-request-a-lock"),
  /** An {@code ifAvailable} request ends with a call of its callback with null. */
  REQUEST_MISSES("request a lock", "5.1", "algorithm-request-a-lock"),
  /** A request is put at the end of the queue. */
  REQUEST_ENQUEUED("request a lock", "6", "algorithm-request-a-lock"),
  /** The aborted flag of the signal of a request is set. */
  ABORT_NOTICED("request a lock", "7.1", "algorithm-request-a-lock"),
  /** A request whose signal was aborted leaves the queue. */
  ABORT_REMOVES("request a lock", "7.3", "algorithm-request-a-lock"),
  /** A request whose signal was aborted has left the queue, and its promise is to be rejected. */
  REQUEST_ABORTS("request a lock", "7.4", "algorithm-request-a-lock"),
  /** Waiting requests that have become grantable are to become locks. */
  REQUEST_PROCEEDS("request a lock", "8.1", "algorithm-request-a-lock"),
  /** A request has become a lock, and its callback is to be called. */
  REQUEST_GRANTS("request a lock", "8.7", "algorithm-request-a-lock"),
  /** The agent has terminated: all locks and requests of its client end. */
  CLIENT_ENDS("request a lock", "9.1", "algorithm-request-a-lock"),
  /** A request whose client has ended leaves the queue. */
  END_REMOVES("request a lock", "9.3", "algorithm-request-a-lock"),
  /** A waiting promise has settled, and its lock leaves the held lock set. */
  WAITING_SETTLES("waiting promise settles", "1", "lock"),
  QUERY_BEGINS("queryState()", "4", "lockmanagerprototypequerystate"),
  QUERY_RESOLVES("queryState()", "4.8", "lockmanagerprototypequerystate"),
  FORCE_BEGINS("forceRelease()", "5", "lockmanagerprototypeforcereleasescope"),
  FORCE_REMOVES("forceRelease()", "5.1", "lockmanagerprototypeforcereleasescope"),
  /** All locks of a forced release are removed; the draft has no step after this. */
  FORCE_ENDS("forceRelease()", "5", "lockmanagerprototypeforcereleasescope");

  /** The Git revision of the early draft that is implemented; later revisions have another API. */
  private static final String REVISION = "153b705b5405e551394e84a7920cf474a5cf186b";

  private static final String DRAFT =
      "https://github.com/w3c/web-locks/blob/" + REVISION + "/proto-spec.md";

  private final Spec place;

  DraftStep(String algorithm, String step, String anchor) {
    place = new Spec("early draft", algorithm, step, DRAFT + "#" + anchor);
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
