package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DocumentType} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-documenttype">DOM</a>
 */
final class DocumentType extends Node {

  DocumentType(Document document, org.jsoup.nodes.DocumentType tree) {
    super(document.realm(), document, tree);
  }

  private org.jsoup.nodes.DocumentType type() {
    return (org.jsoup.nodes.DocumentType) tree();
  }

  @Override
  int nodeType() {
    return DOCUMENT_TYPE_NODE;
  }

  @Override
  String nodeName() {
    return type().name();
  }

  @Override
  @Nullable String textContent() {
    return null;
  }

  @Override
  Node cloneSingle(Document document) {
    return new DocumentType(
        document,
        new org.jsoup.nodes.DocumentType(type().name(), type().publicId(), type().systemId()));
  }

  @Override
  boolean hasSameData(Node other) {
    DocumentType same = (DocumentType) other;
    return same.type().name().equals(type().name())
        && same.type().publicId().equals(type().publicId())
        && same.type().systemId().equals(type().systemId());
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DocumentType", DocumentType.class)
        .getter("name", DocumentType::nodeName)
        .getter("publicId", type -> type.type().publicId())
        .getter("systemId", type -> type.type().systemId());
  }
}
