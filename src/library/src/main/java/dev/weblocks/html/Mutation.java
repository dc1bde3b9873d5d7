package dev.weblocks.html;

import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The mutation algorithms of trees. All changes by script use these algorithms. They run the steps
 * that elements define.
 *
 * @see <a href="https://dom.spec.whatwg.org/#mutation-algorithms">DOM: mutation algorithms</a>
 */
final class Mutation {

  private Mutation() {}

  private static ScriptException failure(String name, String operation, String message) {
    return ScriptException.dom(name, "Failed to execute '" + operation + "' on 'Node': " + message);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-node-ensure-pre-insertion-validity">ensure
   * pre-insert validity</a>, or, with {@code replaced}, the corresponding steps of <a
   * href="https://dom.spec.whatwg.org/#concept-node-replace">replace</a>
   */
  private static void ensureValidity(
      Node parent, Node node, @Nullable Node child, boolean replaced, String operation) {
    // 1.
    if (!(parent instanceof Document
        || parent instanceof DocumentFragment
        || parent instanceof Element)) {
      throw failure(
          "HierarchyRequestError", operation, "This node type does not support this method.");
    }
    // 2.
    if (node.isInclusiveAncestorOf(parent)) {
      throw failure(
          "HierarchyRequestError", operation, "The new child element contains the parent.");
    }
    // 3.
    if (child != null && child.tree().parent() != parent.tree()) {
      throw failure(
          "NotFoundError",
          operation,
          replaced
              ? "The node to be replaced is not a child of this node."
              : "The node before which the new node is to be inserted is not a child of this node.");
    }
    // 4. and 5.
    boolean intoDocument = parent instanceof Document;
    if (node instanceof Document
        || (node instanceof CharacterData.Text && intoDocument)
        || (node instanceof DocumentType && !intoDocument)) {
      throw failure(
          "HierarchyRequestError",
          operation,
          "Nodes of type '%s' may not be inserted inside nodes of type '%s'."
              .formatted(node.nodeName(), parent.nodeName()));
    }
    // 6.
    if (intoDocument) {
      ensureDocumentStaysValid((Document) parent, node, child, replaced, operation);
    }
  }

  private static void ensureDocumentStaysValid(
      Document parent, Node node, @Nullable Node child, boolean replaced, String operation) {
    Node spared = replaced ? child : null;
    List<Node> children = parent.children();
    int at = child == null ? children.size() : children.indexOf(child);
    boolean hasElement =
        children.stream().anyMatch(each -> each instanceof Element && each != spared);
    boolean hasDoctype =
        children.stream().anyMatch(each -> each instanceof DocumentType && each != spared);
    boolean doctypeFollows =
        children.subList(at, children.size()).stream()
            .anyMatch(each -> each instanceof DocumentType && each != spared);
    boolean elementPrecedes =
        children.subList(0, at).stream().anyMatch(each -> each instanceof Element);
    switch (node) {
      case DocumentFragment fragment -> {
        long elements =
            fragment.children().stream().filter(each -> each instanceof Element).count();
        boolean text =
            fragment.children().stream().anyMatch(each -> each instanceof CharacterData.Text);
        if (text) {
          throw failure(
              "HierarchyRequestError",
              operation,
              "Nodes of type '#text' may not be inserted inside nodes of type '#document'.");
        }
        if (elements > 1 || (elements == 1 && (hasElement || doctypeFollows))) {
          throw failure(
              "HierarchyRequestError", operation, "Only one element on document allowed.");
        }
      }
      case Element element -> {
        if (hasElement || doctypeFollows) {
          throw failure(
              "HierarchyRequestError", operation, "Only one element on document allowed.");
        }
      }
      case DocumentType type -> {
        if (hasDoctype || elementPrecedes || (child == null && hasElement)) {
          throw failure(
              "HierarchyRequestError", operation, "Only one doctype on document allowed.");
        }
      }
      default -> {}
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-pre-insert">pre-insert</a> */
  static Node preInsert(Node parent, Node node, @Nullable Node child, String operation) {
    // 1.
    ensureValidity(parent, node, child, false, operation);
    // 2. and 3.
    Node reference = child == node ? node.nextSibling() : child;
    // 4.
    insert(parent, node, reference);
    return node;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-append">append</a> */
  static Node append(Node parent, Node node, String operation) {
    return preInsert(parent, node, null, operation);
  }

  /** Appends a new node. Script must not have seen the node; the parent must not be connected. */
  static void appendNew(Node parent, Node node) {
    ((org.jsoup.nodes.Element) parent.tree()).appendChild(node.tree());
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-insert">insert</a> */
  private static void insert(Node parent, Node node, @Nullable Node child) {
    // 1. to 4.
    List<Node> nodes = node instanceof DocumentFragment ? node.children() : List.of(node);
    if (nodes.isEmpty()) {
      return;
    }
    if (node instanceof DocumentFragment) {
      // to remove them one by one takes quadratic time
      ((org.jsoup.nodes.Element) node.tree()).empty();
      node.document().treeChanged();
    }
    // 7.
    org.jsoup.nodes.Element into = (org.jsoup.nodes.Element) parent.tree();
    nodes.forEach(each -> adopt(each, parent.document()));
    if (child == null) {
      nodes.forEach(each -> into.appendChild(each.tree()));
    } else {
      into.insertChildren(
          child.tree().siblingIndex(),
          nodes.stream().map(Node::tree).toArray(org.jsoup.nodes.Node[]::new));
    }
    parent.document().treeChanged();
    // 9.
    parent.childrenChanged();
    // 10. to 12.
    if (parent.isConnected()) {
      List<Node> withSteps = new ArrayList<>();
      nodes.forEach(each -> withSteps.addAll(withSteps(each)));
      withSteps.forEach(Node::runInsertionSteps);
    }
  }

  /**
   * Returns the subtree's elements with insertion steps or a {@code Node} object, in tree order.
   */
  static List<Node> withSteps(Node root) {
    return root.tree()
        .nodeStream(org.jsoup.nodes.Element.class)
        .filter(each -> Node.known(each) != null || ElementKinds.hasSteps(each))
        .map(each -> root.document().nodeOf(each))
        .toList();
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-adopt">adopt</a> */
  static void adopt(Node node, Document document) {
    // 1.
    Document old = node.document();
    // 2.
    if (node.tree().parent() != null) {
      remove(node);
    }
    // 3.
    if (old == document) {
      return;
    }
    List<Node> known = node.tree().nodeStream().map(Node::known).filter(Objects::nonNull).toList();
    known.forEach(each -> each.setDocument(document));
    old.treeChanged();
    document.treeChanged();
    known.forEach(each -> each.adopted(old));
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-pre-remove">pre-remove</a> */
  static Node preRemove(Node parent, Node child) {
    // 1.
    if (child.tree().parent() != parent.tree()) {
      throw failure(
          "NotFoundError", "removeChild", "The node to be removed is not a child of this node.");
    }
    // 2. and 3.
    remove(child);
    return child;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-remove">remove</a> */
  static void remove(Node node) {
    Node parent = node.parent();
    if (parent == null) {
      return;
    }
    node.tree().remove();
    node.document().treeChanged();
    // 14. to 17.
    node.tree()
        .nodeStream(org.jsoup.nodes.Element.class)
        .map(Node::known)
        .filter(Objects::nonNull)
        .toList()
        .forEach(Node::runRemovingSteps);
    // 21.
    parent.childrenChanged();
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-replace">replace</a> */
  static Node replace(Node parent, Node node, Node child) {
    // 1. to 6.
    ensureValidity(parent, node, child, true, "replaceChild");
    // 7. and 8.
    Node reference = child.nextSibling();
    if (reference == node) {
      reference = node.nextSibling();
    }
    // 11.
    if (child != node) {
      remove(child);
    }
    // 13.
    insert(parent, node, reference);
    // 15.
    return child;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-replace-all">replace all</a> */
  static void replaceAll(Node parent, @Nullable Node node) {
    parent.children().forEach(Mutation::remove);
    if (node != null) {
      insert(parent, node, null);
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#string-replace-all">string replace all</a> */
  static void stringReplaceAll(Node parent, String string) {
    replaceAll(parent, string.isEmpty() ? null : CharacterData.Text.of(parent.document(), string));
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-parentnode-replacechildren">replaceChildren()</a> */
  static void replaceChildren(Node parent, Node node) {
    ensureValidity(parent, node, null, false, "replaceChildren");
    replaceAll(parent, node);
  }
}
