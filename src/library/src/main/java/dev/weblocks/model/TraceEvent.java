package dev.weblocks.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
 *     requested; for a change or effect of a lock step: that lock step; for a grant: the change
 *     that made it possible, which is the release or the abort of another request or the arrival of
 *     this one; for the end of an agent: the step that ended it. Lower than {@code id}; 0 if there
 *     is none, as for calls of Java code
 * @param time by the clock of the driver: virtual time since the start with {@link
 *     dev.weblocks.embed.Driver#deterministic}, real time since an arbitrary moment with other
 *     drivers
 * @param spec the step of the Working Draft, or of the early draft with {@link
 *     Variant#EARLY_DRAFT}; null if there is none
 * @param lock the request or lock, and its client; null except for lock steps, their changes and
 *     their effects
 * @param detail human-readable; under a deterministic driver, this and all other components are
 *     equal for equal programs, loaders and seeds
 */
public record TraceEvent(
    long id,
    TraceKind kind,
    String actor,
    long cause,
    Duration time,
    @Nullable Spec spec,
    @Nullable Lock lock,
    String detail) {

  public TraceEvent {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(actor, "actor");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(detail, "detail");
  }

  /**
   * A step of the Working Draft of 24 September 2025, or of the early draft.
   *
   * @param section the number of its section, such as {@code 4.1}; {@code early draft} for that
   *     text, which has no numbers
   * @param algorithm the name of its algorithm, such as {@code request a lock}
   * @param step the path of the step in the algorithm, such as {@code 3.4.1.1.2}
   * @param link the absolute URL of the algorithm in its text
   */
  public record Spec(String section, String algorithm, String step, String link) {

    public Spec {
      Objects.requireNonNull(section, "section");
      Objects.requireNonNull(algorithm, "algorithm");
      Objects.requireNonNull(step, "step");
      Objects.requireNonNull(link, "link");
    }

    /** Returns text such as {@code 4.1 request a lock, step 3.4.1.1.2}. */
    @Override
    public String toString() {
      return section + " " + algorithm + ", step " + step;
    }
  }

  /**
   * The request or lock that a traced step concerns, and its client.
   *
   * <p>A request of the early draft may have several names. It is one request and one lock for all
   * of them, so there is one event for all names together.
   *
   * @param action the kind of event
   * @param requestId the same for a request and its lock, unique in its user agent; 0 if there is
   *     none: at the end of a client, for queries and for calls of {@code forceRelease()}
   * @param clientId the id of the document, worker or {@link dev.weblocks.embed.LockClient}, as
   *     {@code clientId} of {@code query()}; null for a request that is over, as when a stolen lock
   *     is released
   * @param agent the name of its agent, such as {@code window-1}, or of the {@link
   *     dev.weblocks.embed.LockClient}; null if the client or the request is over
   * @param url of the document or worker, empty for a {@link dev.weblocks.embed.LockClient}; null
   *     like {@code agent}
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
   *     recorded, see {@link dev.weblocks.embed.UserAgent.Builder#lockPositions}
   * @param clientEnded whether the request or lock is over because its client has ended
   * @param logIndex the index of the entry in the log of a lock cluster that caused the effect;
   *     null without a cluster, and for effects that no entry caused
   */
  public record Lock(
      LockAction action,
      long requestId,
      @Nullable String clientId,
      @Nullable String agent,
      @Nullable String url,
      @Nullable String origin,
      @Nullable String bucket,
      @Nullable String manager,
      @Nullable String name,
      List<String> names,
      @Nullable LockMode mode,
      @Nullable WaitMode waitMode,
      @Nullable String position,
      boolean clientEnded,
      @Nullable Long logIndex) {

    /** Copies the list {@code names}. */
    public Lock {
      Objects.requireNonNull(action, "action");
      names = List.copyOf(Objects.requireNonNull(names, "names"));
    }
  }
}
