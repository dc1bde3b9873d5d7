package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventTarget;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code HTMLBodyElement} interface. */
final class HtmlBodyElement extends HtmlElement {

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#window-reflecting-body-element-event-handler-set">window-reflecting
   * body element event handler set</a>
   */
  private static final Set<String> WINDOW_REFLECTING =
      Set.of("onblur", "onerror", "onfocus", "onload", "onresize", "onscroll");

  HtmlBodyElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  @Override
  protected @Nullable EventTarget determineTargetOfEventHandler(String attribute) {
    // 2.; the handlers that no other element has are those of WindowEventHandlers
    if (!WINDOW_REFLECTING.contains(attribute) && hasAttribute("HTMLElement", attribute)) {
      return this;
    }
    // 3. and 4.
    return document().window().document() == document() ? document().window() : null;
  }

  static void define(Implementations implementations) {
    implementations.implement("HTMLBodyElement", HtmlBodyElement.class);
  }
}
