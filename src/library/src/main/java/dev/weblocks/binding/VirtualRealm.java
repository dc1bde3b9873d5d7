package dev.weblocks.binding;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.VirtualWorld;
import org.graalvm.polyglot.Source;

/**
 * The replacement of the engine's functions for time and randomness in a realm of a {@link
 * VirtualWorld}: {@code Date}, {@code Temporal.Now}, {@code Math.random()}, and formats of the
 * current time. They use the time of the driver and the randomness of the user agent. The engine
 * has no option for any of this, so {@code virtual-realm.js} replaces the functions that query the
 * machine. Script can notice that only by their results.
 */
final class VirtualRealm {

  private static final Source SCRIPT = Resources.script(Platform.class, "virtual-realm.js");

  private static final double NANOS_PER_MILLI = 1e6;

  private VirtualRealm() {}

  /**
   * Replaces the functions, if the agent owns the context and the user agent is virtual. Called on
   * the event loop, before page script runs.
   */
  static void installIfVirtual(RealmBinding binding) {
    Realm realm = binding.realm();
    if (!realm.agent().ownsContext() || !realm.agent().userAgent().configuration().isVirtual()) {
      return;
    }
    Clock clock = realm.agent().clock();
    realm
        .agent()
        .ask(
            realm.read(SCRIPT),
            binding.values().markNative(),
            binding.values().function("clock", none -> epochMillis(clock)),
            binding.values().function("random seed", none -> random(realm).nextInt()),
            VirtualWorld.keepsGarbage(realm));
  }

  private static RandomSource random(Realm realm) {
    return realm.agent().userAgent().configuration().random();
  }

  private static double epochMillis(Clock clock) {
    return Math.floor(clock.epochMillisAtZero() + clock.nanoTimeForScript() / NANOS_PER_MILLI);
  }
}
