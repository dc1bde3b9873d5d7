package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;

/** The {@code HTMLBaseElement} interface. */
final class HtmlBaseElement extends HtmlElement {

  HtmlBaseElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/semantics.html#dom-base-href">href</a>,
   * resolved against the fallback base URL
   */
  private String href() {
    String raw = attributeOrEmpty("href");
    UrlRecord url = UrlParser.parse(raw, document().fallbackBaseUrl(), document().queryEncoding());
    return url == null ? raw : url.href();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLBaseElement", HtmlBaseElement.class)
        .getter("href", HtmlBaseElement::href)
        .setter("href", (base, args) -> base.setAttribute("href", args.string(0)));
  }
}
