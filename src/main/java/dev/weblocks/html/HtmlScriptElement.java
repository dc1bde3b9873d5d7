package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;

/** The {@code HTMLScriptElement} interface. */
final class HtmlScriptElement extends HtmlElement {

  HtmlScriptElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/scripting.html#already-started">already
   * started</a>
   */
  private boolean alreadyStarted;

  void markAlreadyStarted() {
    alreadyStarted = true;
  }

  boolean isAlreadyStarted() {
    return alreadyStarted;
  }

  @Override
  protected void copySpecialsTo(Element copy) {
    ((HtmlScriptElement) copy).alreadyStarted = alreadyStarted;
  }

  /** The reflected URL: absolute if it can be parsed. */
  String src() {
    String raw = attribute("src");
    if (raw == null) {
      return "";
    }
    UrlRecord url = UrlParser.parse(raw, document().baseUrl());
    return url == null ? raw : url.href();
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-child-text-content">child text content</a> */
  String text() {
    return childText(tree());
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLScriptElement", HtmlScriptElement.class)
        .with(self -> reflect(self, "type", "type"))
        .getter("src", HtmlScriptElement::src)
        .setter("src", (script, args) -> script.setAttribute("src", args.string(0)))
        .getter("text", HtmlScriptElement::text)
        .setter("text", (script, args) -> script.setTextContent(args.string(0)));
  }
}
