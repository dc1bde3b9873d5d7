package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.dom.RelativeTime;

/**
 * The {@code Performance} interface.
 *
 * @see <a href="https://www.w3.org/TR/hr-time-3/#sec-performance">High Resolution Time</a>
 */
final class Performance extends EventTarget {

  Performance(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Performance", Performance.class)
        .operation("now", (performance, args) -> RelativeTime.nowForScript(performance.realm()))
        .getter(
            "timeOrigin",
            performance ->
                RelativeTime.originOf(performance.realm()).epochMillis(performance.realm()));
  }
}
