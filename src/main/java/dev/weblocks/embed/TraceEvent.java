package dev.weblocks.embed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a user agent.
 *
 * @param id from 1, in the order in which steps are taken; never the same twice, also over the
 *     private sessions of a user agent
 * @param kind what kind of step
 * @param actor the event loop or queue that took it, such as {@code window-1}
 * @param cause the id of the step that led to it: of a task, the step that queued it or started its
 *     timer; of a checkpoint, its task; of a lock step, what was going on where it was asked for;
 *     of a change or an effect, its lock step; of a grant, the change that made room for it, which
 *     is the release or the abort of another request or the arrival of this one; of the end of an
 *     agent, who ended it. Lower than {@code id}; 0 if there is none, as for what Java code asks
 *     for
 * @param nanos when, by the clock of the driver: in nanoseconds of virtual time since the start
 *     with {@link Driver#deterministic}, of real time since an arbitrary moment with others
 * @param spec the step of the Working Draft, or of the early draft with {@link
 *     Variant#EARLY_DRAFT}; null where it has none
 * @param lock the request or lock, and whose it is; null but for lock steps, changes and effects
 * @param detail human-readable; equal for equal programs, loaders and seeds under a deterministic
 *     driver, as all else is
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

  /** Kinds of steps. */
  public enum Kind {
    /** A task of an event loop begins. */
    TASK,
    /** The outermost call into a context has returned: its microtasks have run. */
    CHECKPOINT,
    /** A step of the lock task queue has run. */
    LOCK_STEP,
    /** What a step of the lock task queue has changed without a word to a client. */
    LOCK_CHANGE,
    /** What a client is told by a step of the lock task queue. */
    LOCK_EFFECT,
    /** A step of another parallel queue begins. */
    PARALLEL_STEP,
    /** An agent began, ended, froze or resumed. */
    AGENT
  }

  /**
   * A step of the Working Draft of 24 September 2025, or of the early draft.
   *
   * @param section its number, such as {@code 4.1}; {@code early draft} of that text, which has no
   *     numbers
   * @param algorithm its name, such as {@code request a lock}
   * @param step its path, such as {@code 3.4.1.1.2}
   * @param link to the algorithm in its text, absolute
   */
  public record Spec(String section, String algorithm, String step, String link) {

    /** Such as {@code 4.1 request a lock, step 3.4.1.1.2}. */
    @Override
    public String toString() {
      return section + " " + algorithm + ", step " + step;
    }
  }

  /**
   * A client of the lock task queue, and the request of it or the lock that this has become.
   *
   * <p>Of the early draft a request has several names. There is one request and one lock for all of
   * them, and so one event for each thing that happens.
   *
   * @param action what happens
   * @param requestId the same for a request and its lock, unique in its user agent; 0 if it is
   *     about none: at the end of a client, for queries and for what asks for a forced release
   * @param clientId the document, worker or {@link LockClient}, as {@code clientId} of {@code
   *     query()} has it; null for a request that is over, as when a lock that was stolen is given
   *     back
   * @param agent the name of its agent, such as {@code window-1}, or of the {@link LockClient};
   *     null if the client or the request is over
   * @param url of the document or worker, empty for a {@link LockClient}; null as {@code agent}
   * @param origin serialized; null as {@code agent}
   * @param bucket the name of the storage bucket; null as {@code manager}
   * @param manager tells lock managers apart, opaque; null where there is no request, or it is over
   * @param name the resource name, any UTF-16 string; null as {@code manager}, and where there are
   *     several
   * @param names all names, in the order in which they were given: the one of {@code name}, or, of
   *     the early draft, those of its scope; empty where {@code manager} is null
   * @param mode asked for or held; null as {@code manager}, and for what asks for a forced release
   * @param waitMode what the request does when its lock is not free; null as {@code mode}
   * @param position where a script called {@code request()}, {@code acquire()} or {@code
   *     forceRelease()}, as {@code url:line:column}; null if no script did or positions are not
   *     taken, see {@link UserAgent.Builder#lockPositions}
   * @param clientEnded whether it is aborted or released because its client has ended
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

  /** What happens to a request or a lock. */
  public enum Action {
    /** A request arrives: a lock step. */
    ASKED,
    /** The request comes to its queue, first if it steals, else last: a change. */
    QUEUED,
    /** Requests that may be granted now are looked at, in the early draft alone: a lock step. */
    PROCEEDED,
    /** The request is a lock now: an effect. */
    GRANTED,
    /** The lock is not free and the request would not wait, so it is over: an effect. */
    MISSED,
    /** Another request has taken the lock: an effect. */
    STOLEN,
    /** The promise of the callback has settled, so the lock is to be released: a lock step. */
    GIVEN_BACK,
    /** The lock is held no more: a change. */
    RELEASED,
    /** The client is told that its lock was released: an effect. */
    SETTLED,
    /** A signal was aborted, so the request is to be: a lock step. */
    WITHDRAWN,
    /** The request has left its queue: a change. */
    ABORTED,
    /** The client is told that its request was aborted, in the early draft alone: an effect. */
    REJECTED,
    /** Locks with some names are to be released by force, in the early draft alone: a lock step. */
    FORCED,
    /** The lock was released by force, in the early draft alone: an effect. */
    FORCE_RELEASED,
    /** A document was unloaded, or an agent has ended, so all that it has ends: a lock step. */
    CLIENT_ENDED,
    /** A query arrives: a lock step. */
    QUERIED,
    /**
     * The client is told what is held and who waits, or that its forced release is done: an effect.
     */
    ANSWERED
  }

  /** What a request does when its lock is not free. */
  public enum WaitMode {
    /** It waits in the queue of the name. */
    WAIT,
    /** It is over at once. */
    IF_AVAILABLE,
    /** It takes the lock from whoever holds it. */
    STEAL
  }
}
