package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;

/**
 * The {@code ProgressEvent} interface.
 *
 * @see <a href="https://xhr.spec.whatwg.org/#interface-progressevent">XMLHttpRequest Standard</a>
 */
final class ProgressEvent extends Event {

  private final boolean lengthComputable;
  private final double loaded;
  private final double total;

  private ProgressEvent(Realm realm, String type, long transmitted, long length) {
    super(realm, type, false, false);
    this.lengthComputable = length != 0;
    this.loaded = transmitted;
    this.total = length;
  }

  private ProgressEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.lengthComputable = init.bool("lengthComputable");
    this.loaded = init.number("loaded");
    this.total = init.number("total");
  }

  /**
   * Fires a progress event.
   *
   * @param length 0 if unknown
   * @see <a href="https://xhr.spec.whatwg.org/#concept-event-fire-progress">fire a progress
   *     event</a>
   */
  static void fire(EventTarget target, String type, long transmitted, long length) {
    target.fire(new ProgressEvent(target.realm(), type, transmitted, length));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ProgressEvent", ProgressEvent.class)
        .constructor((realm, args) -> new ProgressEvent(realm, args.string(0), args.dictionary(1)))
        .getter("lengthComputable", event -> event.lengthComputable)
        .getter("loaded", event -> event.loaded)
        .getter("total", event -> event.total);
  }
}
