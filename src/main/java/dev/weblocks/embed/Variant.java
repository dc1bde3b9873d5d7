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
 * 2025, for experiments: other answers to what its text or its issues leave open, and what engines
 * were seen to do instead. A user agent follows none of them unless {@link
 * UserAgent.Builder#variants} names it.
 *
 * <p>{@code weblocks variants} shows the list; {@code VARIANTS.md} says more, and which
 * web-platform-tests change.
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
  /** A callback that returns an object which is no promise releases its lock at once. */
  THENABLE_RELEASES,
  /** A request that is aborted keeps its place in the queue. */
  ABORTED_STAYS_PENDING,
  /** An abort grants nothing to those who waited behind the request. */
  ABORT_GRANTS_NOTHING,
  /** The end of a client frees its locks and grants them to nobody. */
  END_GRANTS_NOTHING,
  /** An aborted signal is found before a bad name or bad options. */
  SIGNAL_BEFORE_OPTIONS,
  /** {@code query()} lists the locks and requests of its own client alone. */
  QUERY_OWN_LOCKS,
  /** A callback that fails with the message {@code LOCK_STOLEN} counts as stolen. */
  LOCK_STOLEN_MESSAGE,
  /** {@code ifAvailable} looks at held locks alone, and waits behind those who wait. */
  IF_AVAILABLE_JOINS_QUEUE,
  /** {@code clientId} is an id of its own, not that of the environment. */
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

  /** Its name on the command line and in documents, such as {@code settle-at-once}. */
  public String id() {
    return internal().id();
  }

  /** What it is, in one line without a full stop. */
  public String title() {
    return internal().title();
  }

  /** What it changes, with the sections and steps of the draft that it touches. */
  public String change() {
    return internal().change();
  }

  /** Where it comes from: an issue of w3c/web-locks, or an engine. */
  public String origin() {
    return internal().origin();
  }

  /** Those that it cannot be combined with; immutable. */
  public Set<Variant> excludes() {
    return external(internal().excludes());
  }

  /**
   * Sets that have a name, by name: {@code node} and {@code deno}, what these engines were seen to
   * do as far as variants can say it. Immutable.
   */
  public static Map<String, Set<Variant>> sets() {
    Map<String, Set<Variant>> sets = new LinkedHashMap<>();
    dev.weblocks.lockmanager.Variant.sets().forEach((name, all) -> sets.put(name, external(all)));
    return Collections.unmodifiableMap(sets);
  }

  /** The variant of an {@link #id}, or all of a set with that name; empty if there is neither. */
  public static Optional<Set<Variant>> named(String name) {
    for (Variant each : values()) {
      if (each.id().equals(name)) {
        return Optional.of(Set.of(each));
      }
    }
    return Optional.ofNullable(sets().get(name));
  }

  /**
   * Checks that variants can be had together.
   *
   * @throws IllegalArgumentException if two exclude each other, with their names and what to do
   */
  public static void requireCompatible(Collection<Variant> variants) {
    Set<dev.weblocks.lockmanager.Variant> unused =
        dev.weblocks.lockmanager.Variant.requireCompatible(internal(variants));
  }
}
