package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code NodeList} interface: a list of nodes, live or static.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-nodelist">DOM</a>
 */
final class NodeList extends PlatformObject {

  /** A node of the document of this list; maps jsoup nodes to their {@code Node} objects. */
  private final Node root;

  /** The nodes of a static list; null for the children of the root, of which jsoup makes copies. */
  private final @Nullable List<? extends org.jsoup.nodes.Node> nodes;

  private NodeList(Node root, @Nullable List<? extends org.jsoup.nodes.Node> nodes) {
    super(root.realm());
    this.root = root;
    this.nodes = nodes;
  }

  /** Creates a live list of the children of a node. */
  static NodeList ofChildren(Node root) {
    return new NodeList(root, null);
  }

  static NodeList of(Node root, List<? extends org.jsoup.nodes.Node> nodes) {
    // makes the objects now, which track the document of each node from then on
    nodes.forEach(root::orNull);
    return new NodeList(root, nodes);
  }

  private int length() {
    return nodes == null ? root.tree().childNodeSize() : nodes.size();
  }

  private @Nullable Node item(double index) {
    if (index >= length()) {
      return null;
    }
    int i = (int) index;
    return root.orNull(nodes == null ? root.tree().childNode(i) : nodes.get(i));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("NodeList", NodeList.class)
        .getter("length", NodeList::length)
        .operation("item", (list, args) -> list.item(args.number(0)));
  }
}
