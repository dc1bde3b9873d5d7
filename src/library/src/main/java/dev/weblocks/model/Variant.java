package dev.weblocks.model;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The closed list of named deviations from the Working Draft: other answers to questions that its
 * text or its issues leave open, and observed behaviour of engines. None is in force by default.
 *
 * <p>Each has a name, a title of one line, a description of the change, and its origin; {@code
 * VARIANTS.md} is generated from these. The shape of an interface (which names are global, how a
 * getter is named) belongs to Web IDL and is not a variant. Neither is a crash, nor a choice that
 * the draft leaves to implementations, such as the order of names in a snapshot.
 */
public enum Variant {
  /** The early draft: another state machine and another interface, on sets of names. */
  EARLY_DRAFT(
      "The early draft of the API, with locks on sets of names",
      "The whole API: acquire(), queryState() and forceRelease() replace request() and query(),"
          + " and the scope of a lock is a set of names.",
      "The early draft, the text that preceded the present API"),

  /** The task that settles a request is queued before the grants that its release allows. */
  SETTLE_BEFORE_GRANT(
      "A request settles before its release grants the next one",
      "2.4, when the waiting promise settles, steps 1 and 2. The draft releases the lock, which"
          + " may grant others, and then resolves the released promise. Here the task that settles"
          + " the promise of request() is queued first, and the tasks of the grants follow: on one"
          + " event loop, its reactions run before the callback of the next lock. Between two"
          + " agents, the schedule decides the order either way.",
      "w3c/web-locks issue 108: the text settles promises straight from the lock task queue, so"
          + " that the implementation decides their order among tasks"),

  /** The promise of the request does not wait for the release. */
  SETTLE_AT_ONCE(
      "A request settles in the same microtask as the promise of its callback",
      "2.4, when the waiting promise settles, step 2. The draft resolves the released promise"
          + " after the release, by a task. Here the promise of request() is settled at once,"
          + " before the release is processed: when its reactions run, the lock may still be held.",
      "w3c/web-locks issue 108, a second reading; Node and Deno according to their sources"
          + " (src/node_locks.cc, ext/web/locks.js)"),

  /** The callback of a lock runs only if the lock is still held. */
  SKIP_STOLEN_CALLBACK(
      "The callback of a lock that is stolen before it begins is never called",
      "4.4, step 2.14. The draft does not check whether the lock is still held when the task of"
          + " the grant begins: the callback runs with a lock that was stolen. Here that task does"
          + " nothing, and the promise of request() is rejected like that of any stolen lock."
          + " Locks of Java code are not affected.",
      "Proposed in the review of Bun's implementation (oven-sh/bun pull request 37020); Node and"
          + " Deno run the callback, as the draft does"),

  /** The error of a stolen lock has its own name. */
  STOLEN_ERROR(
      "The promise of a stolen lock is rejected with a LockStolenError",
      "4.1, step 3.4.1.1.2. The draft rejects the released promise with an AbortError, as for an"
          + " aborted signal. Here it is a DOMException with the name LockStolenError and the code"
          + " 0. That name is not in the table of Web IDL.",
      "w3c/web-locks issue 39, which proposes a distinct error without a name"),

  /** A client may hold several exclusive locks of one name. */
  REENTRANT(
      "A client that holds a reentrant lock is granted further locks of its name",
      "3.2.1: there is one more option, reentrant, false by default. 2.5, grantable: a request is"
          + " granted at once, ahead of waiting requests, if its client holds a lock of the name"
          + " that was requested with reentrant: true, and no lock of another client conflicts"
          + " with its mode. It becomes a lock of its own: query() lists both, each is released"
          + " separately, and the name is free after the last release. A request that conflicts"
          + " with a shared lock of another client waits in the queue until that is released, then"
          + " goes ahead of the others. A steal takes all locks of the name that the client"
          + " holds. Every request of the client counts, even one from outside the callback. The"
          + " boundary is the client, which is the environment that query() names, not the agent,"
          + " since locks end with their client: an inner lock of one frame does not depend on an"
          + " outer lock of another.",
      "w3c/web-locks issue 67, in which the outer request has the option and the boundary is left"
          + " open"),

  /** A request without a callback resolves with a lock that script releases. */
  CALLBACK_LESS(
      "request() without a callback resolves with a lock that script releases",
      "3.2.1: there is one more overload, request(name, options), whose options may be left out."
          + " 4.4, step 2.14: without a callback, the promise of request() is resolved with a"
          + " ReleasableLock: a Lock with release() and [Symbol.asyncDispose], which are the same"
          + " function. Where ifAvailable misses, it is resolved with null. The lock is held until"
          + " release() or the end of its client. release() returns a promise that is resolved"
          + " with undefined after the release, or rejected if the lock was stolen; another call"
          + " returns another promise. request(name, undefined) counts as a request without a"
          + " callback. Symbol.asyncDispose is added to an engine without it; the syntax of await"
          + " using depends on the engine.",
      "w3c/web-locks issues 122 and 123"),

  /** The callback of a request that is answered at once runs without a task. */
  CALLBACK_INSIDE_REQUEST(
      "A request that is answered at once calls its callback inside request()",
      "4.1, step 3.5.1, and 4.4, step 2.14. The draft queues a task for each callback. Here the"
          + " step of the lock task queue, with all steps before it, runs inside request(), and"
          + " the callback is called before request() returns, with the lock or with null. A"
          + " request that has to wait gets a task, as in the draft. So a loop of ifAvailable"
          + " misses keeps timers from firing. Java code is not affected.",
      "Observed in Node 26.10 and Deno 2.9.6"),

  /** A callback that throws leaves its lock held. */
  THROW_KEEPS_LOCK(
      "A callback that throws leaves its lock held until its client ends",
      "4.4, steps 2.14.2 and 2.14.3. In the draft an exception becomes a rejected promise, which"
          + " releases the lock. Here the promise of request() is rejected at once, and nothing"
          + " releases the lock. A rejected promise, such as that of an async function, releases"
          + " it as in the draft.",
      "Observed in Node 26.10"),

  /** A promise that the callback returns holds the lock; another thenable does not. */
  THENABLE_RELEASES(
      "A callback that returns an object other than a promise releases its lock at once",
      "4.4, step 2.14.3. In the draft the waiting promise is resolved with the value that the"
          + " callback returned, so that a thenable holds the lock until it settles. Here only a"
          + " promise does. For other objects the lock is released, and then the promise of"
          + " request() is resolved with the object.",
      "Observed in Node 26.10"),

  /** An aborted request stays in its queue. */
  ABORTED_STAYS_PENDING(
      "An aborted request keeps its place in the queue",
      "4.3. The promise is rejected, but the request stays in its queue: query() lists it, others"
          + " wait behind it, and at its turn the lock is granted and released again without a"
          + " call of the callback.",
      "Observed in Node 26.10"),

  /** An abort does not process the queue of the request. */
  ABORT_GRANTS_NOTHING(
      "An abort grants no lock to the requests behind the aborted one",
      "4.3, step 7. The request leaves its queue, but the queue is not processed: shared requests"
          + " behind an aborted exclusive one wait until another request, release or steal of that"
          + " name. The same holds for the requests of a client that ends.",
      "Observed in Deno 2.9.6; Chromium according to its source of 2020 to 2022"
          + " (content/browser/locks/lock_manager.cc); in Node the same follows from"
          + " aborted-stays-pending"),

  /** The end of a client does not process the queues of its locks. */
  END_GRANTS_NOTHING(
      "The end of a client releases its locks, but grants them to no request",
      "2.6, steps 1.1 and 2.1. The locks and requests of the client are removed, but no queue is"
          + " processed: a waiting request is granted the lock with the next request, release or"
          + " abort of that name, if there is one.",
      "Observed in Node 26.10, for workers that are terminated"),

  /** The signal is checked before the name and the options. */
  SIGNAL_BEFORE_OPTIONS(
      "An aborted signal is reported before a bad name or bad options",
      "3.2.1, steps 5 to 9. The check of step 9, whether the signal is aborted, is made first.",
      "Observed in Node 26.10"),

  /** A snapshot contains only the client's own locks and requests. */
  QUERY_OWN_LOCKS(
      "query() lists only the locks and requests of its own client",
      "4.5, steps 3 and 5. Locks and requests of other clients are left out.",
      "Observed in Node 26.10, where each thread is a client"),

  /** A failure of the callback with a certain message counts as a stolen lock. */
  LOCK_STOLEN_MESSAGE(
      "A callback that fails with the message LOCK_STOLEN counts as stolen",
      "2.4, when the waiting promise settles, step 2. If the waiting promise is rejected with an"
          + " object whose property message is LOCK_STOLEN, the promise of request() is rejected"
          + " with an AbortError instead.",
      "Observed in Node 26.10"),

  /** A request with {@code ifAvailable} may wait behind other requests. */
  IF_AVAILABLE_JOINS_QUEUE(
      "ifAvailable checks held locks only, and waits behind waiting requests",
      "4.1, step 3.5.1. A request with ifAvailable misses only if a held lock conflicts with it."
          + " If none does, but other requests wait, it waits behind them.",
      "Observed in Deno 2.9.6"),

  /** The id of a client is not the id of its environment. */
  OWN_CLIENT_IDS(
      "clientId is a separate id, not the id of the environment",
      "2.4 and 3.2.1, step 11. Locks and requests show an id that was generated for them, which"
          + " differs from the Client.id of service workers.",
      "Chromium 156 (clientids.https.html fails); in Node 26.10 and Deno 2.9.6 the id consists of"
          + " thread numbers and a counter");

  /** The variants that match the observed behaviour of Node 26.10. */
  private static final Set<Variant> NODE =
      Collections.unmodifiableSet(
          EnumSet.of(
              SETTLE_AT_ONCE,
              CALLBACK_INSIDE_REQUEST,
              THROW_KEEPS_LOCK,
              THENABLE_RELEASES,
              ABORTED_STAYS_PENDING,
              END_GRANTS_NOTHING,
              SIGNAL_BEFORE_OPTIONS,
              QUERY_OWN_LOCKS,
              LOCK_STOLEN_MESSAGE,
              OWN_CLIENT_IDS));

  /** The variants that match the observed behaviour of Deno 2.9.6. */
  private static final Set<Variant> DENO =
      Collections.unmodifiableSet(
          EnumSet.of(
              SETTLE_AT_ONCE,
              CALLBACK_INSIDE_REQUEST,
              ABORT_GRANTS_NOTHING,
              IF_AVAILABLE_JOINS_QUEUE,
              OWN_CLIENT_IDS));

  private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String title;
  private final String change;
  private final String origin;

  Variant(String title, String change, String origin) {
    this.title = title;
    this.change = change;
    this.origin = origin;
  }

  /** Returns the name, in lower case with hyphens, such as {@code settle-at-once}. */
  public String id() {
    return id;
  }

  /** Returns the title: one line, without a full stop. */
  public String title() {
    return title;
  }

  /** Returns a description of the change, with the sections and steps of the draft. */
  public String change() {
    return change;
  }

  /** Returns the origin: an issue of w3c/web-locks, or an engine. */
  public String origin() {
    return origin;
  }

  /** Returns the variants with which this one cannot be combined; the relation is symmetric. */
  public Set<Variant> excludes() {
    EnumSet<Variant> others =
        switch (this) {
          case EARLY_DRAFT -> EnumSet.complementOf(EnumSet.of(EARLY_DRAFT));
          // two answers to one question
          case SETTLE_BEFORE_GRANT -> EnumSet.of(EARLY_DRAFT, SETTLE_AT_ONCE);
          case SETTLE_AT_ONCE -> EnumSet.of(EARLY_DRAFT, SETTLE_BEFORE_GRANT);
          case ABORTED_STAYS_PENDING -> EnumSet.of(EARLY_DRAFT, ABORT_GRANTS_NOTHING);
          case ABORT_GRANTS_NOTHING -> EnumSet.of(EARLY_DRAFT, ABORTED_STAYS_PENDING);
          default -> EnumSet.of(EARLY_DRAFT);
        };
    return Collections.unmodifiableSet(others);
  }

  /** Returns the named sets: the variants that an engine has, by the name of the engine. */
  public static Map<String, Set<Variant>> sets() {
    Map<String, Set<Variant>> sets = new LinkedHashMap<>();
    sets.put("node", NODE);
    sets.put("deno", DENO);
    return Collections.unmodifiableMap(sets);
  }

  /**
   * Returns the variant with this {@link #id}, or all variants of the set with this name; empty if
   * there is neither.
   */
  public static Optional<Set<Variant>> named(String name) {
    Objects.requireNonNull(name, "name");
    for (Variant each : values()) {
      if (each.id().equals(name)) {
        return Optional.of(Set.of(each));
      }
    }
    return Optional.ofNullable(sets().get(name));
  }

  /**
   * Checks that variants can be combined.
   *
   * @return the variants, in the order of this list; immutable
   * @throws IllegalArgumentException if two exclude each other; the message says what to do
   */
  public static Set<Variant> requireCompatible(Collection<Variant> variants) {
    EnumSet<Variant> sorted = EnumSet.noneOf(Variant.class);
    sorted.addAll(Objects.requireNonNull(variants, "variants"));
    for (Variant one : sorted) {
      for (Variant other : sorted) {
        if (one.excludes().contains(other)) {
          throw new IllegalArgumentException(
              "the variants "
                  + one.id
                  + " and "
                  + other.id
                  + " exclude each other; leave one of them out");
        }
      }
    }
    return Collections.unmodifiableSet(sorted);
  }

  /** Returns the names of some variants, in the order of this list. */
  public static List<String> ids(Collection<Variant> variants) {
    return Objects.requireNonNull(variants, "variants").stream().sorted().map(Variant::id).toList();
  }
}
