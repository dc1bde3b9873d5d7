package dev.weblocks.agent;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A marker for a user agent whose script sees nothing of the machine. Clock and randomness are
 * those of the user agent; time zone and language are {@link #ZONE} and {@link #LOCALE}. The marker
 * applies to contexts that agents own; those of embedders are not changed.
 *
 * @param collectsGarbage whether script may notice garbage collection, as in browsers; if not,
 *     objects whose collection script could notice are retained, since no schedule controls it
 */
public record VirtualWorld(boolean collectsGarbage) {

  /** The time zone of scripts. */
  public static final ZoneId ZONE = ZoneId.of("Etc/UTC");

  /** The language of scripts, also in {@code navigator.language}. */
  public static final Locale LOCALE = Locale.US;

  /** Returns whether objects that script cannot reach are retained, to hide their collection. */
  public static boolean keepsGarbage(Agent agent) {
    VirtualWorld world = agent.userAgent().configuration().virtualWorld;
    return world != null && !world.collectsGarbage;
  }

  /** Returns {@link #keepsGarbage(Agent)} for the agent of a realm. */
  public static boolean keepsGarbage(Realm realm) {
    return keepsGarbage(realm.agent());
  }

  /**
   * Retains an object as long as a realm, if {@link #keepsGarbage(Realm)}. Called on the event
   * loop.
   */
  public static void keep(Realm realm, Object object) {
    if (keepsGarbage(realm)) {
      realm.supplements().get(Kept.class, Kept::new).objects.add(object);
    }
  }

  /** The objects that a realm retains. Stored as a supplement of the realm. */
  private static final class Kept {
    final List<Object> objects = new ArrayList<>();
  }
}
