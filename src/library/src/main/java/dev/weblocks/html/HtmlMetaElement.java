package dev.weblocks.html;

import dev.weblocks.binding.Implementations;

/** The {@code HTMLMetaElement} interface. */
final class HtmlMetaElement extends HtmlElement {

  HtmlMetaElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLMetaElement", HtmlMetaElement.class)
        .with(self -> reflect(self, "name", "name"))
        .with(self -> reflect(self, "content", "content"));
  }
}
