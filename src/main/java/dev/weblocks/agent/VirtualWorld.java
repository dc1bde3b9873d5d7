package dev.weblocks.agent;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
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
  public static final ZoneId ZONE = ZoneId.of("Etc/UTC");

  /** The language of scripts, which is that of {@code navigator.language}, too. */
  public static final Locale LOCALE = Locale.US;

  /** Whether what script cannot reach any more has to stay, as its end might show. */
  public static boolean keepsGarbage(Agent agent) {
    VirtualWorld world = agent.userAgent().supplements().find(VirtualWorld.class);
    return world != null && !world.garbageGoes;
  }

  /**
   * Whether what script cannot reach any more has to stay.
   *
   * @see #keepsGarbage(Agent)
   */
  public static boolean keepsGarbage(Realm realm) {
    return keepsGarbage(realm.agent());
  }

  /** Keeps something with a realm, if its end might show. On the event loop. */
  public static void keep(Realm realm, Object object) {
    if (keepsGarbage(realm)) {
      realm.supplements().get(Kept.class, Kept::new).objects.add(object);
    }
  }

  /** A supplement of a realm. */
  private static final class Kept {
    final List<Object> objects = new ArrayList<>();
  }
}
