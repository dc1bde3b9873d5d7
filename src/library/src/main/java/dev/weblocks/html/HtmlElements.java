package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;

/**
 * The classes of elements whose only behavior is to reflect some attributes. Nothing is rendered,
 * and no style sheet is fetched.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/indices.html#elements-3">HTML: elements</a>
 */
final class HtmlElements {

  private HtmlElements() {}

  static final class Base extends HtmlElement {
    Base(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }

    /**
     * <a href="https://html.spec.whatwg.org/multipage/semantics.html#dom-base-href">href</a>,
     * resolved against the fallback base URL
     */
    String href() {
      String raw = attributeOrEmpty("href");
      UrlRecord url =
          UrlParser.parse(raw, document().fallbackBaseUrl(), document().queryEncoding());
      return url == null ? raw : url.href();
    }
  }

  static final class Div extends HtmlElement {
    Div(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Head extends HtmlElement {
    Head(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Html extends HtmlElement {
    Html(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Link extends HtmlElement {
    private final DomTokenList relList = new DomTokenList(this, "rel", Set.of());

    Link(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Paragraph extends HtmlElement {
    Paragraph(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Span extends HtmlElement {
    Span(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Style extends HtmlElement {
    Style(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Title extends HtmlElement {
    Title(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static final class Unknown extends HtmlElement {
    Unknown(Document document, org.jsoup.nodes.Element tree) {
      super(document, tree);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLBaseElement", Base.class)
        .getter("href", Base::href)
        .setter("href", (base, args) -> base.setAttribute("href", args.string(0)))
        .with(self -> Element.reflect(self, "target", "target"));
    implementations.implement("HTMLDivElement", Div.class);
    implementations.implement("HTMLHeadElement", Head.class);
    implementations.implement("HTMLHtmlElement", Html.class);
    implementations
        .implement("HTMLLinkElement", Link.class)
        .with(self -> Element.reflectUrl(self, "href", "href"))
        .with(self -> Element.reflect(self, "rel", "rel"))
        .getter("relList", link -> link.relList)
        .with(self -> Element.reflect(self, "media", "media"))
        .with(self -> Element.reflect(self, "hreflang", "hreflang"))
        .with(self -> Element.reflect(self, "type", "type"));
    implementations.implement("HTMLParagraphElement", Paragraph.class);
    implementations.implement("HTMLSpanElement", Span.class);
    implementations
        .implement("HTMLStyleElement", Style.class)
        .with(self -> Element.reflect(self, "media", "media"));
    implementations
        .implement("HTMLTitleElement", Title.class)
        .getter("text", title -> Node.childText(title.tree()))
        .setter("text", (title, args) -> title.setTextContent(args.string(0)));
    implementations.implement("HTMLUnknownElement", Unknown.class);
  }
}
