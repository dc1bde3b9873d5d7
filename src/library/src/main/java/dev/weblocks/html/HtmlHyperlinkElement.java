package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.url.UrlParts;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/**
 * An element that links to a URL, of which script can read and change the parts: {@code a} and
 * {@code area}. Links have no activation behavior.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/links.html#htmlhyperlinkelementutils">HTML</a>
 */
final class HtmlHyperlinkElement extends HtmlElement {

  HtmlHyperlinkElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  /**
   * Sets the URL of this element, and returns it; null for none. The URL is not stored: its first
   * step keeps a blob URL with an opaque path, which would be parsed to the same URL again.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/links.html#reinitialise-url">reinitialize
   *     url</a>
   */
  private @Nullable UrlRecord reinitializeUrl() {
    return setTheUrl(); // 2
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/links.html#concept-hyperlink-url-set">set the
   * url</a>
   */
  private @Nullable UrlRecord setTheUrl() {
    String href = attribute("href");
    if (href == null) { // 1 and 2
      return null;
    }
    return document().encodingParse(href); // 3 and 4
  }

  /** <a href="https://html.spec.whatwg.org/multipage/links.html#update-href">update href</a> */
  private void updateHref(UrlRecord url) {
    setAttribute("href", url.href());
  }

  /** <a href="https://html.spec.whatwg.org/multipage/links.html#dom-hyperlink-href">href</a> */
  final String href() {
    UrlRecord url = reinitializeUrl(); // 1 and 2
    return url == null ? attributeOrEmpty("href") : url.href(); // 3 to 5
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLAnchorElement", HtmlHyperlinkElement.class)
        .operation("toString", (link, args) -> link.href())
        .getter("text", HtmlHyperlinkElement::textContent)
        .setter("text", (anchor, args) -> anchor.setTextContent(args.string(0)));
    implementations
        .implement("HTMLAreaElement", HtmlHyperlinkElement.class)
        .operation("toString", (link, args) -> link.href());
    Implementations.Interface<HtmlHyperlinkElement> utils =
        implementations
            .mixin("HTMLHyperlinkElementUtils", HtmlHyperlinkElement.class)
            .getter("href", HtmlHyperlinkElement::href)
            .setter("href", (link, args) -> link.setAttribute("href", args.string(0)));
    UrlParts.defineParts(utils, HtmlHyperlinkElement::reinitializeUrl);
    UrlParts.defineCredentials(
        utils, HtmlHyperlinkElement::reinitializeUrl, HtmlHyperlinkElement::updateHref);
    UrlParts.defineSetters(
        utils,
        HtmlHyperlinkElement::reinitializeUrl,
        HtmlHyperlinkElement::updateHref,
        link -> link.document().queryEncoding());
  }
}
