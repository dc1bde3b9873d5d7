package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import org.jsoup.parser.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DocumentFragment} interface. In jsoup's tree, a fragment is an element with a name
 * that no other element can have.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-documentfragment">DOM</a>
 */
final class DocumentFragment extends Node {

  private static final String NAME = "#document-fragment";

  DocumentFragment(Document document) {
    super(document.realm(), document, new org.jsoup.nodes.Element(new Tag(NAME), ""));
  }

  @Override
  int nodeType() {
    return DOCUMENT_FRAGMENT_NODE;
  }

  @Override
  String nodeName() {
    return NAME;
  }

  @Override
  @Nullable String textContent() {
    return descendantText(tree());
  }

  @Override
  void setTextContent(String text) {
    Mutation.stringReplaceAll(this, text);
  }

  @Override
  Node cloneSingle(Document document) {
    return new DocumentFragment(document);
  }

  @Override
  boolean hasSameData(Node other) {
    return true;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DocumentFragment", DocumentFragment.class)
        .constructor((realm, args) -> new DocumentFragment(Document.ofGlobal(realm)));
  }
}
