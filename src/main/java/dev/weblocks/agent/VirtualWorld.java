package dev.weblocks.agent;

import java.time.ZoneId;
import java.util.Locale;

/**
 * Says that script of a user agent sees nothing of the machine: no clock, no randomness, no time
 * zone and no language but what its maker gave. A supplement of the user agent, absent where the
 * machine shows. It holds in contexts that agents own; what others lend is not ours to change.
 *
 * @param garbageGoes whether script may notice that something was collected, as it can in any
 *     browser; else nothing is that a script might miss, since no schedule decides when
 */
public record VirtualWorld(boolean garbageGoes) {

  /** The time zone of scripts. */
  public static final ZoneId ZONE = ZoneId.of("UTC");

  /** The language of scripts, which is that of {@code navigator.language}, too. */
  public static final Locale LOCALE = Locale.US;

  /** Whether what script cannot reach any more has to stay, as its end might show. */
  public static boolean keepsGarbage(Realm realm) {
    VirtualWorld world = realm.agent().userAgent().supplements().find(VirtualWorld.class);
    return world != null && !world.garbageGoes;
  }
}
