package dev.weblocks.xhr;

import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;

/** The events about the progress of loading. */
final class ProgressEvents {

  private ProgressEvents() {}

  /**
   * <a href="https://xhr.spec.whatwg.org/#concept-event-fire-progress">fire a progress event</a>
   *
   * @param length 0 if unknown
   */
  static void fire(EventTarget target, String type, long transmitted, long length) {
    target.fire(
        new Event(target.realm(), "ProgressEvent", type, false, false)
            .with("loaded", transmitted)
            .with("lengthComputable", length != 0)
            .with("total", length));
  }
}
