package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DocumentType} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-documenttype">DOM</a>
 */
final class DocumentType extends Node {

  private final Document document;
  private final String name;

  DocumentType(Document document, org.jsoup.nodes.DocumentType tree) {
    super(document.realm(), tree);
    this.document = document;
    this.name = tree.name();
  }

  @Override
  Document document() {
    return document;
  }

  @Override
  int nodeType() {
    return 10;
  }

  @Override
  String nodeName() {
    return name;
  }

  @Override
  @Nullable String textContent() {
    return null;
  }

  static void define(Implementations implementations) {
    implementations.implement("DocumentType", DocumentType.class).getter("name", type -> type.name);
  }
}
