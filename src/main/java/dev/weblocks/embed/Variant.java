package dev.weblocks.embed;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The closed list of named deviations from the Working Draft of the Web Locks API of 24 September
 * 2025, for experiments: other answers to questions that its text or its issues leave open, and
 * observed behaviour of engines. None is in force by default; {@link UserAgent.Builder#variants}
 * enables them.
 *
 * <p>{@code weblocks variants} shows the list; {@code VARIANTS.md} has the details, and the
 * web-platform-tests whose results change.
 */
public enum Variant {
  /** The early draft of the API, with locks on sets of names. */
  EARLY_DRAFT,
  /** A request settles before its release grants the next one. */
  SETTLE_BEFORE_GRANT,
  /** A request settles in the microtask in which the promise of its callback does. */
  SETTLE_AT_ONCE,
  /** A lock that is stolen before its callback has begun never runs it. */
  SKIP_STOLEN_CALLBACK,
  /** The promise of a stolen lock is rejected with a {@code LockStolenError}. */
  STOLEN_ERROR,
  /** A client that holds a name by a reentrant lock is granted it again. */
  REENTRANT,
  /** {@code request()} without a callback resolves with a lock that script releases. */
  CALLBACK_LESS,
  /** A request that is answered at once calls its callback inside {@code request()}. */
  CALLBACK_INSIDE_REQUEST,
  /** A callback that throws leaves its lock held until its client ends. */
  THROW_KEEPS_LOCK,
  /** A callback that returns an object other than a promise releases its lock at once. */
  THENABLE_RELEASES,
  /** A request that is aborted keeps its place in the queue. */
  ABORTED_STAYS_PENDING,
  /** An abort does not grant the requests behind the aborted one. */
  ABORT_GRANTS_NOTHING,
  /** The end of a client releases its locks without granting waiting requests. */
  END_GRANTS_NOTHING,
  /** An aborted signal is reported before a bad name or bad options. */
  SIGNAL_BEFORE_OPTIONS,
  /** {@code query()} lists only the locks and requests of its own client. */
  QUERY_OWN_LOCKS,
  /** A callback that fails with the message {@code LOCK_STOLEN} counts as stolen. */
  LOCK_STOLEN_MESSAGE,
  /** {@code ifAvailable} checks only held locks, and waits behind waiting requests. */
  IF_AVAILABLE_JOINS_QUEUE,
  /** {@code clientId} is a separate id, not that of the environment. */
  OWN_CLIENT_IDS;

  private dev.weblocks.lockmanager.Variant internal() {
    return dev.weblocks.lockmanager.Variant.valueOf(name());
  }

  static Set<dev.weblocks.lockmanager.Variant> internal(Collection<Variant> variants) {
    EnumSet<dev.weblocks.lockmanager.Variant> all =
        EnumSet.noneOf(dev.weblocks.lockmanager.Variant.class);
    variants.forEach(each -> all.add(each.internal()));
    return all;
  }

  private static Set<Variant> external(Collection<dev.weblocks.lockmanager.Variant> variants) {
    EnumSet<Variant> all = EnumSet.noneOf(Variant.class);
    variants.forEach(each -> all.add(valueOf(each.name())));
    return Collections.unmodifiableSet(all);
  }

  /** Returns its name on the command line and in documents, such as {@code settle-at-once}. */
  public String id() {
    return internal().id();
  }

  /** Returns its title: one line without a full stop. */
  public String title() {
    return internal().title();
  }

  /** Returns a description of the change, with the sections and steps of the draft. */
  public String change() {
    return internal().change();
  }

  /** Returns its origin: an issue of w3c/web-locks, or an engine. */
  public String origin() {
    return internal().origin();
  }

  /** Returns the variants that it cannot be combined with; immutable. */
  public Set<Variant> excludes() {
    return external(internal().excludes());
  }

  /**
   * Returns the named sets, by name: {@code node} and {@code deno}, the observed behaviour of these
   * engines as far as it is among the variants. Immutable.
   */
  public static Map<String, Set<Variant>> sets() {
    Map<String, Set<Variant>> sets = new LinkedHashMap<>();
    dev.weblocks.lockmanager.Variant.sets().forEach((name, all) -> sets.put(name, external(all)));
    return Collections.unmodifiableMap(sets);
  }

  /**
   * Returns the variant with this {@link #id}, or all of the set with this name; empty if there is
   * neither.
   */
  public static Optional<Set<Variant>> named(String name) {
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
   * @throws IllegalArgumentException if two exclude each other; the message has their names and
   *     what to do
   */
  public static void requireCompatible(Collection<Variant> variants) {
    Set<dev.weblocks.lockmanager.Variant> unused =
        dev.weblocks.lockmanager.Variant.requireCompatible(internal(variants));
  }
}
