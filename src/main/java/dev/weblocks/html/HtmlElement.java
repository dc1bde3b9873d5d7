package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventTarget;

/**
 * The {@code HTMLElement} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/dom.html#htmlelement">HTML</a>
 */
class HtmlElement extends Element {

  HtmlElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  /** The handlers of a body or frameset are the window's. */
  @Override
  protected EventTarget determineTargetOfEventHandler(String attribute) {
    return switch (localName()) {
      case "body", "frameset" -> document().window();
      default -> this;
    };
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLElement", HtmlElement.class)
        .with(self -> reflect(self, "title", "title"));
  }
}
