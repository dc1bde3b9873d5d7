package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.dom.Event;

/** The module of the interfaces of this package. */
public final class HtmlModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Window.define(implementations);
    Navigator.define(implementations);
    Location.define(implementations);
    History.define(implementations);
    CssStyleDeclaration.define(implementations);
    CrossOriginWindow.define(implementations);
    CrossOriginLocation.define(implementations);
    Event.implement(implementations, "PageTransitionEvent");
    BeforeUnloadEvent.define(implementations);
    Event.implement(implementations, "PopStateEvent");
    Event.implement(implementations, "HashChangeEvent");
    HtmlIFrameElement.define(implementations);
    Node.define(implementations);
    Document.define(implementations);
    DomImplementation.define(implementations);
    NodeMixins.define(implementations);
    NodeList.define(implementations);
    HtmlCollection.define(implementations);
    DomTokenList.define(implementations);
    CharacterData.define(implementations);
    DocumentType.define(implementations);
    DocumentFragment.define(implementations);
    Element.define(implementations);
    HtmlElement.define(implementations);
    HtmlBaseElement.define(implementations);
    HtmlHyperlinkElement.define(implementations);
    HtmlBodyElement.define(implementations);
    HtmlScriptElement.define(implementations);
    implementations.derive(Reflection::derive);
  }
}
