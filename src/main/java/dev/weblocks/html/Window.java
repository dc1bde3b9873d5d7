package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.CurrentEvent;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Window} interface: a top-level window without opener or frames.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-window-object">HTML</a>
 */
final class Window extends GlobalScope {

  private static final List<String> WINDOW_EVENT_HANDLERS =
      List.of(
          "onlanguagechange",
          "onmessage",
          "onmessageerror",
          "onoffline",
          "ononline",
          "onrejectionhandled",
          "onstorage",
          "onunhandledrejection");

  private final Location location;
  private final CurrentEvent currentEvent;
  private final Navigator navigator;
  private @Nullable Document document;
  private String name = "";

  Window(Realm realm) {
    super(realm);
    this.currentEvent = CurrentEvent.install(realm);
    this.location = new Location(realm);
    this.navigator = new Navigator(realm);
  }

  void setDocument(Document associated) {
    document = associated;
  }

  @Nullable Document document() {
    return document;
  }

  @Override
  public UrlRecord apiBaseUrl() {
    return document == null ? super.apiBaseUrl() : document.baseUrl();
  }

  Location location() {
    return location;
  }

  @Override
  protected boolean hasPassiveScrollListeners() {
    return true;
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
        .getter(
            "event",
            self -> {
              Event current = self.currentEvent.get();
              return current == null ? self.binding().undefined() : current;
            });
    implementations
        .mixin("GlobalEventHandlers", EventTarget.class)
        .with(self -> EventHandlers.define(self, "onerror"))
        .with(self -> EventHandlers.define(self, "onload"));
    Implementations.Interface<Window> handlers =
        implementations.mixin("WindowEventHandlers", Window.class);
    for (String attribute : WINDOW_EVENT_HANDLERS) {
      EventHandlers.define(handlers, attribute);
    }
  }
}
