package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Element} interface, and the few kinds of HTML elements that have members of their own.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-element">DOM</a>
 */
class Element extends Node {

  private final Document document;

  Element(Document document, org.jsoup.nodes.Element tree) {
    super(document.realm(), tree);
    this.document = document;
  }

  @Override
  final org.jsoup.nodes.Element tree() {
    return (org.jsoup.nodes.Element) super.tree();
  }

  @Override
  final Document document() {
    return document;
  }

  @Override
  final int nodeType() {
    return 1;
  }

  @Override
  final String nodeName() {
    return tree().normalName().toUpperCase(Locale.ROOT);
  }

  @Override
  final @Nullable String textContent() {
    return descendantText(tree());
  }

  /** The value of an attribute, null if there is none. */
  final @Nullable String attribute(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return tree().hasAttr(lower) ? tree().attr(lower) : null;
  }

  final String attributeOrEmpty(String name) {
    String value = attribute(name);
    return value == null ? "" : value;
  }

  /** Whether this is the body of its document. */
  private boolean isBody() {
    org.jsoup.nodes.Element root = tree().parent();
    return tree().normalName().equals("body") && root != null && root.parent() == document.tree();
  }

  @Override
  protected final boolean hasPassiveScrollListeners() {
    return isBody() || tree().parent() == document.tree();
  }

  /** The {@code HTMLElement} interface. */
  static class HtmlElement extends Element {
    HtmlElement(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }

    /** The handlers of a body or frameset are the window's. */
    @Override
    protected EventTarget determineTargetOfEventHandler(String attribute) {
      return switch (tree().normalName()) {
        case "body", "frameset" -> document().window();
        default -> this;
      };
    }
  }

  /** The {@code HTMLScriptElement} interface. */
  static final class HtmlScriptElement extends HtmlElement {
    HtmlScriptElement(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
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

    String text() {
      return descendantText(tree());
    }
  }

  /** The {@code HTMLMetaElement} interface. */
  static final class HtmlMetaElement extends HtmlElement {
    HtmlMetaElement(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Element", Element.class)
        .getter("localName", element -> element.tree().normalName())
        .getter("tagName", Element::nodeName)
        .getter("id", element -> element.attributeOrEmpty("id"))
        .operation("getAttribute", (element, args) -> element.attribute(args.string(0)))
        .operation("hasAttribute", (element, args) -> element.attribute(args.string(0)) != null);
    implementations.implement("HTMLElement", HtmlElement.class);
    implementations
        .implement("HTMLScriptElement", HtmlScriptElement.class)
        .getter("type", script -> script.attributeOrEmpty("type"))
        .getter("src", HtmlScriptElement::src)
        .getter("text", HtmlScriptElement::text);
    implementations
        .implement("HTMLMetaElement", HtmlMetaElement.class)
        .getter("name", meta -> meta.attributeOrEmpty("name"))
        .getter("content", meta -> meta.attributeOrEmpty("content"));
  }
}
