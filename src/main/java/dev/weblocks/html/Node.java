package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Node} interface over a node of jsoup's tree.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-node">DOM</a>
 */
abstract class Node extends EventTarget {

  private final org.jsoup.nodes.Node tree;

  Node(Realm realm, org.jsoup.nodes.Node tree) {
    super(realm);
    this.tree = tree;
  }

  org.jsoup.nodes.Node tree() {
    return tree;
  }

  /** The document that the node is in; the document itself for a document. */
  abstract Document document();

  abstract int nodeType();

  abstract String nodeName();

  abstract @Nullable String textContent();

  private @Nullable Node inDocument(org.jsoup.nodes.@Nullable Node other) {
    return other == null ? null : document().nodeOf(other);
  }

  final @Nullable Node parent() {
    return inDocument(tree.parent());
  }

  @Override
  protected @Nullable EventTarget getTheParent(Event event) {
    return parent();
  }

  /** The text of all text nodes below, in tree order. */
  static String descendantText(org.jsoup.nodes.Node root) {
    StringBuilder text = new StringBuilder();
    root.traverse((node, depth) -> {
      if (node instanceof TextNode textNode) {
        text.append(textNode.getWholeText());
      } else if (node instanceof org.jsoup.nodes.DataNode data) {
        text.append(data.getWholeData());
      }
    });
    return text.toString();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Node", Node.class)
        .getter("nodeType", Node::nodeType)
        .getter("nodeName", Node::nodeName)
        .getter("ownerDocument", node -> node instanceof Document ? null : node.document())
        .getter("parentNode", Node::parent)
        .operation("hasChildNodes", (node, args) -> node.tree.childNodeSize() > 0)
        .getter(
            "firstChild",
            node -> node.inDocument(node.tree.childNodeSize() > 0 ? node.tree.childNode(0) : null))
        .getter(
            "lastChild",
            node ->
                node.inDocument(
                    node.tree.childNodeSize() > 0
                        ? node.tree.childNode(node.tree.childNodeSize() - 1)
                        : null))
        .getter("previousSibling", node -> node.inDocument(node.tree.previousSibling()))
        .getter("nextSibling", node -> node.inDocument(node.tree.nextSibling()))
        .getter("textContent", Node::textContent);
  }
}
