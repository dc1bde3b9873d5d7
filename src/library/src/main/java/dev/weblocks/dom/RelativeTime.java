package dev.weblocks.dom;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Realm;

/** The time origin of a realm, and times in milliseconds since that origin. */
public final class RelativeTime {
  private final long origin;

  private RelativeTime(Realm realm) {
    this.origin = clock(realm).nanoTime();
  }

  private static Clock clock(Realm realm) {
    return realm.agent().clock();
  }

  /** Returns the time origin of a realm; the first call sets it to the current time. */
  public static RelativeTime originOf(Realm realm) {
    return realm.supplements().get(RelativeTime.class, () -> new RelativeTime(realm));
  }

  /**
   * Returns the milliseconds since the time origin of a realm, in steps of 0.1.
   *
   * @see <a href="https://www.w3.org/TR/hr-time-3/#dfn-coarsen-time">coarsen time</a>
   */
  public static double now(Realm realm) {
    return coarsened(realm, clock(realm).nanoTime());
  }

  /** Like {@link #now}, for a script that reads the clock: each read may advance virtual time. */
  public static double nowForScript(Realm realm) {
    return coarsened(realm, clock(realm).nanoTimeForScript());
  }

  private static double coarsened(Realm realm, long nanoTime) {
    return ((nanoTime - originOf(realm).origin) / 100_000) / 10.0;
  }

  /** Returns the time origin in milliseconds since the Unix epoch. */
  public double epochMillis(Realm realm) {
    return clock(realm).epochMillisAtZero() + origin / 1e6;
  }
}
