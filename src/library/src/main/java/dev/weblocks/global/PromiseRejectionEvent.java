package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import org.graalvm.polyglot.Value;

/**
 * The {@code PromiseRejectionEvent} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#promiserejectionevent">HTML</a>
 */
public final class PromiseRejectionEvent extends Event {

  private final Value promise;
  private final Value reason;

  PromiseRejectionEvent(Realm realm, Value promise, Value reason) {
    super(realm, "unhandledrejection", false, true);
    this.promise = promise;
    this.reason = reason;
  }

  private PromiseRejectionEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.promise = init.any("promise");
    this.reason = init.any("reason");
  }

  static void define(Implementations implementations) {
    implementations
        .implement("PromiseRejectionEvent", PromiseRejectionEvent.class)
        .constructor(
            (realm, args) -> new PromiseRejectionEvent(realm, args.string(0), args.dictionary(1)))
        .getter("promise", event -> event.promise)
        .getter("reason", event -> event.reason);
  }
}
