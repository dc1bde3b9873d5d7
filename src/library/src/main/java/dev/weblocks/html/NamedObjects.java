package dev.weblocks.html;

import dev.weblocks.binding.PlatformObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The named properties of a window: its frames by name, and its elements by id or name.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#named-access-on-the-window-object">HTML:
 *     named access on the Window object</a>
 */
final class NamedObjects {

  private static final Set<String> WITH_NAME = Set.of("embed", "form", "img", "object");

  private final Window window;
  private Map<String, List<org.jsoup.nodes.Element>> elements = Map.of();
  private long asOf = -1;

  NamedObjects(Window window) {
    this.window = window;
  }

  /**
   * Returns the value of a named property; null for none.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#dom-window-nameditem">HTML</a>
   */
  @Nullable PlatformObject namedObject(String name) {
    if (name.isEmpty()) {
      return null;
    }
    // 1. and 2.
    Navigable child = child(name);
    if (child != null) {
      return WindowProxy.of(window.realm(), child);
    }
    List<org.jsoup.nodes.Element> named = elements().getOrDefault(name, List.of());
    return switch (named.size()) {
      case 0 -> null;
      case 1 -> window.document().nodeOf(named.getFirst()); // 3.
      default -> HtmlCollection.of(window.document(), element -> isNamed(element, name)); // 4.
    };
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#document-tree-child-navigable-target-name-property-set">document-tree
   * child navigable target name property set</a>: returns the first frame with the given name; null
   * if there is none or it shows another origin
   */
  private @Nullable Navigable child(String name) {
    for (Navigable child : window.children()) {
      if (child.targetName().equals(name)) {
        Window shown = child.activeWindow();
        return shown != null
                && shown.realm().settings().origin().equals(window.realm().settings().origin())
            ? child
            : null;
      }
    }
    return null;
  }

  private static boolean isNamed(org.jsoup.nodes.Element element, String name) {
    return ElementKinds.isHtml(element)
        && (element.attributes().get("id").equals(name)
            || (WITH_NAME.contains(element.tagName())
                && element.attributes().get("name").equals(name)));
  }

  /** Returns for each id or name the elements that have it, in tree order. */
  private Map<String, List<org.jsoup.nodes.Element>> elements() {
    Document document = window.document();
    if (asOf != document.version()) {
      Map<String, List<org.jsoup.nodes.Element>> found = new HashMap<>();
      document
          .tree()
          .nodeStream(org.jsoup.nodes.Element.class)
          .forEach(element -> {
            if (ElementKinds.isHtml(element)) {
              String id = element.attributes().get("id");
              add(found, id, element);
              if (WITH_NAME.contains(element.tagName())
                  && !element.attributes().get("name").equals(id)) {
                add(found, element.attributes().get("name"), element);
              }
            }
          });
      elements = found;
      asOf = document.version();
    }
    return elements;
  }

  private static void add(
      Map<String, List<org.jsoup.nodes.Element>> to, String name, org.jsoup.nodes.Element element) {
    if (!name.isEmpty()) {
      to.computeIfAbsent(name, each -> new ArrayList<>(1)).add(element);
    }
  }
}
