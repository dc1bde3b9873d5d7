package dev.weblocks.embed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a user agent.
 *
 * @param id from 1, in the order in which steps are taken; unique also across the private sessions
 *     of a user agent
 * @param kind the kind of step
 * @param actor the event loop or queue that took it, such as {@code window-1}
 * @param cause the id of the step that caused it. For a task: the step that queued it or started
 *     its timer; for a checkpoint: its task; for a lock step: the current step where it was
 *     requested; for a change or an effect: its lock step; for a grant: the change that made it
 *     possible, which is the release or the abort of another request or the arrival of this one;
 *     for the end of an agent: the step that ended it. Lower than {@code id}; 0 if there is none,
 *     as for calls of Java code
 * @param nanos the time by the clock of the driver, in nanoseconds: of virtual time since the start
 *     with {@link Driver#deterministic}, of real time since an arbitrary moment with others
 * @param spec the step of the Working Draft, or of the early draft with {@link
 *     Variant#EARLY_DRAFT}; null if there is none
 * @param lock the request or lock, and its client; null except for lock steps, changes and effects
 * @param detail human-readable; under a deterministic driver, this and all other components are
 *     equal for equal programs, loaders and seeds
 */
public record TraceEvent(
    long id,
    Kind kind,
    String actor,
    long cause,
    long nanos,
    @Nullable Spec spec,
    @Nullable Lock lock,
    String detail) {

  /** The kind of a step. */
  public enum Kind {
    /** A task of an event loop begins. */
    TASK,
    /** The outermost call into a context has returned: its microtasks have run. */
    CHECKPOINT,
    /** A step of the lock task queue has run. */
    LOCK_STEP,
    /** A change by a step of the lock task queue that sends no effect to a client. */
    LOCK_CHANGE,
    /** An effect of a step of the lock task queue on a client. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }

  /**
   * A step of the Working Draft of 24 September 2025, or of the early draft.
   *
   * @param section its number, such as {@code 4.1}; {@code early draft} for that text, which has no
   *     numbers
   * @param algorithm its name, such as {@code request a lock}
   * @param step its path, such as {@code 3.4.1.1.2}
   * @param link to the algorithm in its text, absolute
   */
  public record Spec(String section, String algorithm, String step, String link) {

    /** Returns text such as {@code 4.1 request a lock, step 3.4.1.1.2}. */
    @Override
    public String toString() {
      return section + " " + algorithm + ", step " + step;
    }
  }

  /**
   * A client of the lock task queue, and its request or the lock that this has become.
   *
   * <p>A request of the early draft has several names. It is one request and one lock for all of
   * them, so there is one event for all names together.
   *
   * @param action the kind of event
   * @param requestId the same for a request and its lock, unique in its user agent; 0 if there is
   *     none: at the end of a client, for queries and for calls of {@code forceRelease()}
   * @param clientId the id of the document, worker or {@link LockClient}, as {@code clientId} of
   *     {@code query()}; null for a request that is over, as when a stolen lock is released
   * @param agent the name of its agent, such as {@code window-1}, or of the {@link LockClient};
   *     null if the client or the request is over
   * @param url of the document or worker, empty for a {@link LockClient}; null like {@code agent}
   * @param origin serialized; null like {@code agent}
   * @param bucket the name of the storage bucket; null like {@code manager}
   * @param manager identifies the lock manager, opaque; null if there is no request, or it is over
   * @param name the resource name, any UTF-16 string; null like {@code manager}, and if there are
   *     several
   * @param names all names, in the order in which they were given: the one of {@code name}, or
   *     those of the scope in the early draft; empty if {@code manager} is null
   * @param mode the mode of the request or lock; null like {@code manager}, and for calls of {@code
   *     forceRelease()}
   * @param waitMode the behaviour of the request when its lock is not free; null like {@code mode}
   * @param position of the call of {@code request()}, {@code acquire()} or {@code forceRelease()}
   *     in a script, as {@code url:line:column}; null if no script called it or positions are not
   *     recorded, see {@link UserAgent.Builder#lockPositions}
   * @param clientEnded whether it was aborted or released because its client has ended
   */
  public record Lock(
      Action action,
      long requestId,
      @Nullable String clientId,
      @Nullable String agent,
      @Nullable String url,
      @Nullable String origin,
      @Nullable String bucket,
      @Nullable String manager,
      @Nullable String name,
      List<String> names,
      LockEntry.@Nullable Mode mode,
      @Nullable WaitMode waitMode,
      @Nullable String position,
      boolean clientEnded) {

    /** Copies the list. */
    public Lock {
      names = List.copyOf(names);
    }
  }

  /** The kind of event of a request or a lock. */
  public enum Action {
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
     * A document was unloaded, or an agent has ended, so all its locks and requests end: a lock
     * step.
     */
    CLIENT_ENDED,
    /** A query arrives: a lock step. */
    QUERIED,
    /**
     * The client gets the answer to its query, or is notified that its forced release is done: an
     * effect.
     */
    ANSWERED
  }

  /** The behaviour of a request whose lock is not free. */
  public enum WaitMode {
    /** It waits in the queue of the name. */
    WAIT,
    /** It is over at once. */
    IF_AVAILABLE,
    /** It takes the lock from its holders. */
    STEAL
  }
}
