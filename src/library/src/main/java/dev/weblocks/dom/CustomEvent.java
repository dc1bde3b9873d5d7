package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import org.graalvm.polyglot.Value;

/**
 * The {@code CustomEvent} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-customevent">DOM</a>
 */
public final class CustomEvent extends Event {

  private Value detail;

  /** Creates an event with an empty type and no detail, for {@code createEvent()}. */
  public CustomEvent(Realm realm) {
    super(realm, "", false, false);
    this.detail = binding().values().nullValue();
  }

  private CustomEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.detail = init.any("detail");
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#dom-customevent-initcustomevent">initCustomEvent()</a>
   */
  private void initCustomEvent(Arguments args) {
    if (initialize(args)) {
      detail = args.any(3);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CustomEvent", CustomEvent.class)
        .constructor((realm, args) -> new CustomEvent(realm, args.string(0), args.dictionary(1)))
        .getter("detail", event -> event.detail)
        .action("initCustomEvent", CustomEvent::initCustomEvent);
  }
}
