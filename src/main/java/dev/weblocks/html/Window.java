package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.global.GlobalScope;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Window} interface: a top-level window without opener or frames.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-window-object">HTML</a>
 */
final class Window extends GlobalScope {

  private final Location location;
  private final Navigator navigator;
  private @Nullable Document document;
  private String name = "";

  Window(Realm realm) {
    super(realm);
    this.location = new Location(realm);
    this.navigator = new Navigator(realm);
  }

  void setDocument(Document associated) {
    document = associated;
  }

  Location location() {
    return location;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Window", Window.class)
        .getter("window", self -> self)
        .getter("self", self -> self)
        .getter("document", self -> self.document)
        .getter("name", self -> self.name)
        .setter("name", (self, args) -> self.name = args.string(0))
        .getter("location", self -> self.location)
        .getter("frames", self -> self)
        .getter("length", self -> 0)
        .getter("top", self -> self)
        .getter("opener", self -> null)
        .getter("parent", self -> self)
        .getter("navigator", self -> self.navigator)
        .with(self -> EventHandlers.define(self, "onerror"))
        .with(self -> EventHandlers.define(self, "onload"))
        .with(self -> EventHandlers.define(self, "onunhandledrejection"));
  }
}
