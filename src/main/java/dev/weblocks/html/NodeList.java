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

  /** Whose document the nodes belong to. */
  private final Node root;

  private final Supplier<? extends List<? extends org.jsoup.nodes.Node>> nodes;

  private NodeList(Node root, Supplier<? extends List<? extends org.jsoup.nodes.Node>> nodes) {
    super(root.realm());
    this.root = root;
    this.nodes = nodes;
  }

  /** A list that is asked for its nodes each time. */
  static NodeList live(Node root, Supplier<? extends List<org.jsoup.nodes.Node>> nodes) {
    return new NodeList(root, nodes);
  }

  /** A list that stays as it is. */
  static NodeList of(Node root, List<? extends org.jsoup.nodes.Node> nodes) {
    // their objects know the document that each belongs to later
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
