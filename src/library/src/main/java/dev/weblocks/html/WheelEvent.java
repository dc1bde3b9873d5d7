package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;

/**
 * The {@code WheelEvent} interface.
 *
 * @see <a href="https://www.w3.org/TR/uievents/#interface-wheelevent">UI Events</a>
 */
final class WheelEvent extends MouseEvent {

  private final double deltaX;
  private final double deltaY;
  private final double deltaZ;
  private final double deltaMode;

  private WheelEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.deltaX = init.number("deltaX");
    this.deltaY = init.number("deltaY");
    this.deltaZ = init.number("deltaZ");
    this.deltaMode = init.number("deltaMode");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("WheelEvent", WheelEvent.class)
        .constructor((realm, args) -> new WheelEvent(realm, args.string(0), args.dictionary(1)))
        .getter("deltaX", event -> event.deltaX)
        .getter("deltaY", event -> event.deltaY)
        .getter("deltaZ", event -> event.deltaZ)
        .getter("deltaMode", event -> event.deltaMode);
  }
}
