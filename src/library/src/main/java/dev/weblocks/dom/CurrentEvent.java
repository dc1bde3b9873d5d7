package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import org.jspecify.annotations.Nullable;

/**
 * The holder of the event whose listener is running, for {@code window.event}. A supplement of
 * realms whose global is a window.
 *
 * @see <a href="https://dom.spec.whatwg.org/#window-current-event">current event</a>
 */
public final class CurrentEvent {

  private @Nullable Event event;

  private CurrentEvent() {}

  /** Adds a holder of the current event to the realm of a window; workers have none. */
  public static CurrentEvent install(Realm realm) {
    CurrentEvent made = new CurrentEvent();
    realm.supplements().put(CurrentEvent.class, made);
    return made;
  }

  static @Nullable CurrentEvent of(Realm realm) {
    return realm.supplements().find(CurrentEvent.class);
  }

  /** Returns the current event; null for none. */
  public @Nullable Event get() {
    return event;
  }

  void set(@Nullable Event value) {
    event = value;
  }
}
