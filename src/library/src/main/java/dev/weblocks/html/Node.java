package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import java.util.List;
import java.util.Objects;
import org.graalvm.polyglot.Value;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Node} interface over a node of jsoup's tree. The jsoup node and this object refer to
 * each other: both live as long as one of them, or their tree, is reachable.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-node">DOM</a>
 */
abstract class Node extends EventTarget {

  /** The key of the {@code Node} object in the user data of its jsoup node. */
  private static final String OBJECT = "weblocks.node";

  static final int ELEMENT_NODE = 1;
  static final int TEXT_NODE = 3;
  static final int PROCESSING_INSTRUCTION_NODE = 7;
  static final int COMMENT_NODE = 8;
  static final int DOCUMENT_NODE = 9;
  static final int DOCUMENT_TYPE_NODE = 10;
  static final int DOCUMENT_FRAGMENT_NODE = 11;

  private static final int DISCONNECTED = 0x01;
  private static final int PRECEDING = 0x02;
  private static final int FOLLOWING = 0x04;
  private static final int CONTAINS = 0x08;
  private static final int CONTAINED_BY = 0x10;
  private static final int IMPLEMENTATION_SPECIFIC = 0x20;

  private final org.jsoup.nodes.Node tree;

  /** The node document; null for a document, whose node document is itself. */
  private @Nullable Document nodeDocument;

  private @Nullable NodeList childNodes;
  private @Nullable HtmlCollection childElements;
  private boolean insertionStepsHaveRun;

  /** The number in {@link TreeOrder} of the tree whose root is this node; 0 before it has one. */
  private int treeOrder;

  /**
   * Creates the {@code Node} object of a jsoup node.
   *
   * @param nodeDocument null for a document
   */
  Node(Realm realm, @Nullable Document nodeDocument, org.jsoup.nodes.Node tree) {
    super(realm);
    this.nodeDocument = nodeDocument;
    this.tree = tree;
    tree.attributes().userData(OBJECT, this);
  }

  /** Returns the {@code Node} object of a jsoup node of any tree; null before its creation. */
  static @Nullable Node known(org.jsoup.nodes.Node tree) {
    // attributes() of a leaf without attributes would create them
    return tree instanceof LeafNode && tree.attributesSize() == 0
        ? null
        : (Node) tree.attributes().userData(OBJECT);
  }

  org.jsoup.nodes.Node tree() {
    return tree;
  }

  final Document document() {
    return nodeDocument == null ? (Document) this : nodeDocument;
  }

  final void setDocument(Document document) {
    nodeDocument = document;
  }

  abstract int nodeType();

  abstract String nodeName();

  abstract @Nullable String textContent();

  /** Sets the text content; a no-op for nodes whose text content is null. */
  void setTextContent(String text) {}

  /**
   * Creates a copy of this node, without children.
   *
   * @see <a href="https://dom.spec.whatwg.org/#clone-a-single-node">clone a single node</a>
   */
  abstract Node cloneSingle(Document document);

  /**
   * Runs the insertion and post-connection steps of the standards, after script or the parser has
   * connected the node. All nodes that are inserted together are already in the tree. Called in
   * tree order for the elements with steps in {@link ElementKinds}, and for all elements that
   * already have an object.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-node-post-connection-ext">post-connection
   *     steps</a>
   */
  protected void inserted() {}

  /**
   * Runs after the node was disconnected, if {@link #inserted} had run.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-node-remove-ext">removing steps</a>
   */
  protected void removed() {}

  /**
   * Runs after children were added or removed, or the text of a child changed.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-node-children-changed-ext">children changed
   *     steps</a>
   */
  protected void childrenChanged() {}

  /**
   * Runs after the node has moved to another document.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-node-adopt-ext">adopting steps</a>
   */
  protected void adopted(Document oldDocument) {}

  final void runInsertionSteps() {
    if (!insertionStepsHaveRun && isConnected()) {
      insertionStepsHaveRun = true;
      inserted();
    }
  }

  final void runRemovingSteps() {
    if (insertionStepsHaveRun) {
      insertionStepsHaveRun = false;
      removed();
    }
  }

  /** Returns the {@code Node} object of a jsoup node of the same document; null for null. */
  final @Nullable Node orNull(org.jsoup.nodes.@Nullable Node other) {
    return other == null ? null : document().nodeOf(other);
  }

  final @Nullable Node parent() {
    return orNull(tree.parent());
  }

  final @Nullable Element parentElement() {
    return parent() instanceof Element element ? element : null;
  }

  final int childCount() {
    return tree.childNodeSize();
  }

  /** Returns a snapshot of the children. */
  final List<Node> children() {
    return tree.childNodes().stream().map(document()::nodeOf).toList();
  }

  final @Nullable Node firstChild() {
    return childCount() > 0 ? orNull(tree.childNode(0)) : null;
  }

  final @Nullable Node lastChild() {
    return childCount() > 0 ? orNull(tree.childNode(childCount() - 1)) : null;
  }

  final @Nullable Node nextSibling() {
    return orNull(tree.nextSibling());
  }

  final @Nullable Node previousSibling() {
    return orNull(tree.previousSibling());
  }

  /** <a href="https://dom.spec.whatwg.org/#connected">connected</a> */
  final boolean isConnected() {
    return rootOf(tree) == document().tree();
  }

  static org.jsoup.nodes.Node rootOf(org.jsoup.nodes.Node node) {
    org.jsoup.nodes.Node root = node;
    for (org.jsoup.nodes.Node up = node.parent(); up != null; up = up.parent()) {
      root = up;
    }
    return root;
  }

  final boolean isInclusiveAncestorOf(Node other) {
    for (org.jsoup.nodes.Node at = other.tree; at != null; at = at.parent()) {
      if (at == tree) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected @Nullable EventTarget getTheParent(Event event) {
    return parent();
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-node-clone">clone a node</a>
   *
   * @param subtree whether to clone the descendants too
   */
  final Node cloneNode(Document document, boolean subtree) {
    Node root = cloneSingle(document);
    if (subtree) {
      // in tree order, without recursion: a tree may be deeper than the stack
      Node from = this;
      Node to = root;
      while (true) {
        Node next = from.firstChild();
        if (next == null) {
          while (from != this && from.nextSibling() == null) {
            from = Objects.requireNonNull(from.parent());
            to = Objects.requireNonNull(to.parent());
          }
          if (from == this) {
            return root;
          }
          next = Objects.requireNonNull(from.nextSibling());
          to = Objects.requireNonNull(to.parent());
        }
        Node copy = next.cloneSingle(document);
        Mutation.appendNew(to, copy);
        from = next;
        to = copy;
      }
    }
    return root;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-node-equals">equals</a> */
  private boolean isEqualNode(@Nullable Node other) {
    if (other == null
        || other.nodeType() != nodeType()
        || other.childCount() != childCount()
        || !hasSameData(other)) {
      return false;
    }
    for (int i = 0; i < childCount(); i++) {
      Node mine = document().nodeOf(tree.childNode(i));
      if (!mine.isEqualNode(other.document().nodeOf(other.tree.childNode(i)))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a node of the same type equals this one, ignoring children. */
  abstract boolean hasSameData(Node other);

  /**
   * <a
   * href="https://dom.spec.whatwg.org/#dom-node-comparedocumentposition">compareDocumentPosition()</a>
   */
  private int compareDocumentPosition(Node other) {
    // 1.
    if (other == this) {
      return 0;
    }
    // 6.
    org.jsoup.nodes.Node root = rootOf(tree);
    org.jsoup.nodes.Node otherRoot = rootOf(other.tree);
    if (root != otherRoot) {
      TreeOrder order = realm().agent().supplements().get(TreeOrder.class, TreeOrder::new);
      boolean follows =
          order.of(document().nodeOf(root)) < order.of(other.document().nodeOf(otherRoot));
      return DISCONNECTED | IMPLEMENTATION_SPECIFIC | (follows ? FOLLOWING : PRECEDING);
    }
    // 7.
    if (other.isInclusiveAncestorOf(this)) {
      return CONTAINS | PRECEDING;
    }
    // 8.
    if (isInclusiveAncestorOf(other)) {
      return CONTAINED_BY | FOLLOWING;
    }
    // 9. and 10.
    return isBefore(other.tree, tree) ? PRECEDING : FOLLOWING;
  }

  /** The order of trees: a tree gets the next number when it is first compared with another. */
  private static final class TreeOrder {
    private int last;

    int of(Node root) {
      if (root.treeOrder == 0) {
        root.treeOrder = ++last;
      }
      return root.treeOrder;
    }
  }

  /** Returns whether one node precedes another in the same tree. Neither may contain the other. */
  private static boolean isBefore(org.jsoup.nodes.Node one, org.jsoup.nodes.Node other) {
    int depthOfOne = depth(one);
    int depthOfOther = depth(other);
    org.jsoup.nodes.Node a = one;
    org.jsoup.nodes.Node b = other;
    for (; depthOfOne > depthOfOther; depthOfOne--) {
      a = Objects.requireNonNull(a.parent());
    }
    for (; depthOfOther > depthOfOne; depthOfOther--) {
      b = Objects.requireNonNull(b.parent());
    }
    while (a.parent() != b.parent()) {
      a = Objects.requireNonNull(a.parent());
      b = Objects.requireNonNull(b.parent());
    }
    return a.siblingIndex() < b.siblingIndex();
  }

  private static int depth(org.jsoup.nodes.Node node) {
    int depth = 0;
    for (org.jsoup.nodes.Node up = node.parent(); up != null; up = up.parent()) {
      depth++;
    }
    return depth;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-node-normalize">normalize()</a> */
  private void normalize() {
    List<org.jsoup.nodes.Node> texts =
        tree.nodeStream().filter(each -> each instanceof TextNode).toList();
    for (org.jsoup.nodes.Node each : texts) {
      if (each.parent() == null || each == tree) {
        continue; // merged into an earlier one
      }
      CharacterData text = (CharacterData) document().nodeOf(each);
      if (text.data().isEmpty()) {
        Mutation.remove(text);
        continue;
      }
      StringBuilder data = new StringBuilder(text.data());
      Node next;
      while ((next = text.nextSibling()) instanceof CharacterData.Text following) {
        data.append(following.data());
        Mutation.remove(following);
      }
      if (data.length() != text.data().length()) {
        text.replaceData(0, text.data().length(), data.toString());
      }
    }
  }

  final HtmlCollection childElements() {
    HtmlCollection existing = childElements;
    if (existing == null) {
      existing = HtmlCollection.ofChildren(this);
      childElements = existing;
    }
    return existing;
  }

  private NodeList childNodes() {
    NodeList existing = childNodes;
    if (existing == null) {
      existing = NodeList.ofChildren(this);
      childNodes = existing;
    }
    return existing;
  }

  /** Returns the node for an argument of type {@code (Node or DOMString)...}. */
  private static Node ofUnion(Document document, Value value) {
    return value.isString()
        ? CharacterData.Text.of(document, value.asString())
        : (Node) value.asHostObject();
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#converting-nodes-into-a-node">convert nodes into a
   * node</a>
   */
  final Node convert(Arguments args) {
    int count = args.variadicCount(0);
    if (count == 1) {
      return ofUnion(document(), args.variadic(0, 0));
    }
    DocumentFragment fragment = new DocumentFragment(document());
    for (int i = 0; i < count; i++) {
      Mutation.append(fragment, ofUnion(document(), args.variadic(0, i)), "append");
    }
    return fragment;
  }

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

  static String childText(org.jsoup.nodes.Node parent) {
    StringBuilder text = new StringBuilder();
    for (org.jsoup.nodes.Node child : parent.childNodes()) {
      if (child instanceof LeafNode && !(child instanceof org.jsoup.nodes.Comment)) {
        text.append(descendantText(child));
      }
    }
    return text.toString();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Node", Node.class)
        .getter("nodeType", Node::nodeType)
        .getter("nodeName", Node::nodeName)
        .getter("baseURI", node -> node.document().baseUrl().href())
        .getter("isConnected", Node::isConnected)
        .getter("ownerDocument", node -> node instanceof Document ? null : node.document())
        .operation("getRootNode", (node, args) -> node.orNull(rootOf(node.tree)))
        .getter("parentNode", Node::parent)
        .getter("parentElement", Node::parentElement)
        .operation("hasChildNodes", (node, args) -> node.childCount() > 0)
        .getter("childNodes", Node::childNodes)
        .getter("firstChild", Node::firstChild)
        .getter("lastChild", Node::lastChild)
        .getter("previousSibling", Node::previousSibling)
        .getter("nextSibling", Node::nextSibling)
        .getter("nodeValue", node -> node instanceof CharacterData data ? data.data() : null)
        .setter(
            "nodeValue",
            (node, args) -> {
              if (node instanceof CharacterData) {
                node.setTextContent(Objects.requireNonNullElse(args.stringOrNull(0), ""));
              }
            })
        .getter("textContent", Node::textContent)
        .setter(
            "textContent",
            (node, args) ->
                node.setTextContent(Objects.requireNonNullElse(args.stringOrNull(0), "")))
        .action("normalize", (node, args) -> node.normalize())
        .operation("cloneNode", (node, args) -> node.cloneNode(node.document(), args.bool(0)))
        .operation(
            "isEqualNode", (node, args) -> node.isEqualNode(args.objectOrNull(0, Node.class)))
        .operation("isSameNode", (node, args) -> node == args.objectOrNull(0, Node.class))
        .operation(
            "compareDocumentPosition",
            (node, args) -> node.compareDocumentPosition(args.object(0, Node.class)))
        .operation(
            "contains",
            (node, args) -> {
              Node other = args.objectOrNull(0, Node.class);
              return other != null && node.isInclusiveAncestorOf(other);
            })
        .operation(
            "insertBefore",
            (node, args) ->
                Mutation.preInsert(
                    node,
                    args.object(0, Node.class),
                    args.objectOrNull(1, Node.class),
                    "insertBefore"))
        .operation(
            "appendChild",
            (node, args) -> Mutation.append(node, args.object(0, Node.class), "appendChild"))
        .operation(
            "replaceChild",
            (node, args) ->
                Mutation.replace(node, args.object(0, Node.class), args.object(1, Node.class)))
        .operation(
            "removeChild", (node, args) -> Mutation.preRemove(node, args.object(0, Node.class)));
  }
}
