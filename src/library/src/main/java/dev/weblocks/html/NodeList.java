package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code NodeList} interface: a list of nodes, live or static.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-nodelist">DOM</a>
 */
final class NodeList extends PlatformObject {

  /** A node of the document of this list; maps jsoup nodes to their {@code Node} objects. */
  private final Node root;

  private final Supplier<? extends List<? extends org.jsoup.nodes.Node>> nodes;

  private NodeList(Node root, Supplier<? extends List<? extends org.jsoup.nodes.Node>> nodes) {
    super(root.realm());
    this.root = root;
    this.nodes = nodes;
  }

  /** Creates a list that gets its nodes from a supplier on each access. */
  static NodeList live(Node root, Supplier<? extends List<org.jsoup.nodes.Node>> nodes) {
    return new NodeList(root, nodes);
  }

  static NodeList of(Node root, List<? extends org.jsoup.nodes.Node> nodes) {
    // makes the objects now, which track the document of each node from then on
    nodes.forEach(root::orNull);
    return new NodeList(root, () -> nodes);
  }

  private @Nullable Node item(double index) {
    List<? extends org.jsoup.nodes.Node> now = nodes.get();
    return index < now.size() ? root.orNull(now.get((int) index)) : null;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("NodeList", NodeList.class)
        .getter("length", list -> list.nodes.get().size())
        .operation("item", (list, args) -> list.item(args.number(0)));
  }
}
