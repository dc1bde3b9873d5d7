package dev.weblocks.html;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import org.jspecify.annotations.Nullable;

/**
 * The mixins of nodes: {@code ParentNode}, {@code ChildNode}, {@code NonElementParentNode}, {@code
 * NonDocumentTypeChildNode}.
 *
 * @see <a href="https://dom.spec.whatwg.org/#mixins">DOM</a>
 */
final class NodeMixins {

  private NodeMixins() {}

  private static @Nullable Node elementAmong(Node parent, boolean fromEnd) {
    Node at = fromEnd ? parent.lastChild() : parent.firstChild();
    return elementFrom(at, fromEnd);
  }

  private static @Nullable Node elementFrom(@Nullable Node start, boolean backwards) {
    Node at = start;
    while (at != null && !(at instanceof Element)) {
      at = backwards ? at.previousSibling() : at.nextSibling();
    }
    return at;
  }

  private static int childElementCount(Node parent) {
    return (int)
        parent.tree().childNodes().stream()
            .filter(each -> each instanceof org.jsoup.nodes.Element)
            .count();
  }

  private static @Nullable Node querySelector(Node scope, String selectors) {
    return scope.orNull(Selectors.parse(selectors, "querySelector", nameOf(scope)).first(scope));
  }

  private static NodeList querySelectorAll(Node scope, String selectors) {
    return NodeList.of(
        scope, Selectors.parse(selectors, "querySelectorAll", nameOf(scope)).all(scope));
  }

  private static String nameOf(Node scope) {
    return switch (scope) {
      case Document document -> "Document";
      case DocumentFragment fragment -> "DocumentFragment";
      default -> "Element";
    };
  }

  private static @Nullable Node getElementById(Node scope, String elementId) {
    if (elementId.isEmpty()) {
      return null;
    }
    return scope.orNull(
        scope
            .tree()
            .nodeStream(org.jsoup.nodes.Element.class)
            .filter(each -> each.attributes().get("id").equals(elementId))
            .findFirst()
            .orElse(null));
  }

  private static boolean isAmong(Node node, Arguments args) {
    for (int i = 0; i < args.variadicCount(0); i++) {
      if (!args.variadic(0, i).isString() && args.variadic(0, i).asHostObject() == node) {
        return true;
      }
    }
    return false;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-childnode-before">before()</a> */
  private static void before(Node child, Arguments args) {
    // 1. and 2.
    Node parent = child.parent();
    if (parent == null) {
      return;
    }
    // 3.
    Node viablePrevious = child.previousSibling();
    while (viablePrevious != null && isAmong(viablePrevious, args)) {
      viablePrevious = viablePrevious.previousSibling();
    }
    // 4.
    Node node = child.convert(args);
    // 5. and 6.
    Node reference = viablePrevious == null ? parent.firstChild() : viablePrevious.nextSibling();
    Mutation.preInsert(parent, node, reference, "before");
  }

  private static @Nullable Node viableNextSibling(Node child, Arguments args) {
    Node next = child.nextSibling();
    while (next != null && isAmong(next, args)) {
      next = next.nextSibling();
    }
    return next;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-childnode-after">after()</a> */
  private static void after(Node child, Arguments args) {
    // 1. and 2.
    Node parent = child.parent();
    if (parent == null) {
      return;
    }
    // 3. to 5.
    Node viableNext = viableNextSibling(child, args);
    Mutation.preInsert(parent, child.convert(args), viableNext, "after");
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-childnode-replacewith">replaceWith()</a> */
  private static void replaceWith(Node child, Arguments args) {
    // 1. and 2.
    Node parent = child.parent();
    if (parent == null) {
      return;
    }
    // 3. and 4.
    Node viableNext = viableNextSibling(child, args);
    Node node = child.convert(args);
    // 5. and 6.
    if (child.parent() == parent) {
      Mutation.replace(parent, node, child);
    } else {
      Mutation.preInsert(parent, node, viableNext, "replaceWith");
    }
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("NonElementParentNode", Node.class)
        .operation("getElementById", (node, args) -> getElementById(node, args.string(0)));
    implementations
        .mixin("ParentNode", Node.class)
        .getter("children", Node::childElements)
        .getter("firstElementChild", node -> elementAmong(node, false))
        .getter("lastElementChild", node -> elementAmong(node, true))
        .getter("childElementCount", NodeMixins::childElementCount)
        .action(
            "prepend",
            (node, args) -> {
              Node added = node.convert(args);
              Mutation.preInsert(node, added, node.firstChild(), "prepend");
            })
        .action("append", (node, args) -> Mutation.append(node, node.convert(args), "append"))
        .action(
            "replaceChildren", (node, args) -> Mutation.replaceChildren(node, node.convert(args)))
        .operation("querySelector", (node, args) -> querySelector(node, args.string(0)))
        .operation("querySelectorAll", (node, args) -> querySelectorAll(node, args.string(0)));
    implementations
        .mixin("NonDocumentTypeChildNode", Node.class)
        .getter("previousElementSibling", node -> elementFrom(node.previousSibling(), true))
        .getter("nextElementSibling", node -> elementFrom(node.nextSibling(), false));
    implementations
        .mixin("ChildNode", Node.class)
        .action("before", NodeMixins::before)
        .action("after", NodeMixins::after)
        .action("replaceWith", NodeMixins::replaceWith)
        .action("remove", (node, args) -> Mutation.remove(node));
  }
}
