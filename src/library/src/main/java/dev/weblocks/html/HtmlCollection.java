package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The {@code HTMLCollection} interface: a live list of elements. The list is recomputed on the
 * first access after a change of the tree.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-htmlcollection">DOM</a>
 */
final class HtmlCollection extends PlatformObject {

  private final Node root;
  private final boolean deep;
  private final Predicate<org.jsoup.nodes.Element> filter;
  private List<org.jsoup.nodes.Element> elements = List.of();
  private @Nullable Document asOfDocument;
  private long asOf;

  /**
   * Creates a list.
   *
   * @param deep whether the list contains all descendants, not only children
   */
  private HtmlCollection(Node root, boolean deep, Predicate<org.jsoup.nodes.Element> filter) {
    super(root.realm());
    this.root = root;
    this.deep = deep;
    this.filter = filter;
  }

  static HtmlCollection ofChildren(Node root) {
    return new HtmlCollection(root, false, element -> true);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-getelementsbytagname">list of elements with
   * qualified name</a>
   */
  static HtmlCollection byTagName(Node root, String qualifiedName) {
    String lower = AsciiCase.lower(qualifiedName);
    return new HtmlCollection(
        root,
        true,
        qualifiedName.equals("*")
            ? element -> true
            : element ->
                element.tagName().equals(ElementKinds.isHtml(element) ? lower : qualifiedName));
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-getelementsbyclassname">list of elements with
   * class names</a>
   */
  static HtmlCollection byClassName(Node root, String classNames) {
    Set<String> classes = DomTokenList.parse(classNames);
    return new HtmlCollection(
        root,
        true,
        element ->
            !classes.isEmpty()
                && DomTokenList.parse(element.attributes().get("class")).containsAll(classes));
  }

  /** Creates a list of all descendant elements that match a filter. */
  static HtmlCollection of(Node root, Predicate<org.jsoup.nodes.Element> filter) {
    return new HtmlCollection(root, true, filter);
  }

  private List<org.jsoup.nodes.Element> elements() {
    Document document = root.document();
    if (asOfDocument != document || asOf != document.version()) {
      List<org.jsoup.nodes.Element> found = new ArrayList<>();
      if (deep) {
        root.tree()
            .nodeStream(org.jsoup.nodes.Element.class)
            .filter(element -> element != root.tree() && filter.test(element))
            .forEach(found::add);
      } else {
        for (org.jsoup.nodes.Node child : root.tree().childNodes()) {
          if (child instanceof org.jsoup.nodes.Element element) {
            found.add(element);
          }
        }
      }
      elements = found;
      asOfDocument = document;
      asOf = document.version();
    }
    return elements;
  }

  private @Nullable Node item(double index) {
    List<org.jsoup.nodes.Element> now = elements();
    return index < now.size() ? root.orNull(now.get((int) index)) : null;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-htmlcollection-nameditem-key">namedItem()</a> */
  private @Nullable Node namedItem(String key) {
    if (key.isEmpty()) {
      return null;
    }
    for (org.jsoup.nodes.Element element : elements()) {
      if (element.attributes().get("id").equals(key)
          || (ElementKinds.isHtml(element) && element.attributes().get("name").equals(key))) {
        return root.orNull(element);
      }
    }
    return null;
  }

  private List<String> supportedNames() {
    Set<String> names = new LinkedHashSet<>();
    for (org.jsoup.nodes.Element element : elements()) {
      names.add(element.attributes().get("id"));
      if (ElementKinds.isHtml(element)) {
        names.add(element.attributes().get("name"));
      }
    }
    names.remove("");
    return List.copyOf(names);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLCollection", HtmlCollection.class)
        .getter("length", collection -> collection.elements().size())
        .operation("item", (collection, args) -> collection.item(args.number(0)))
        .operation("namedItem", (collection, args) -> collection.namedItem(args.string(0)))
        .supportedNames(HtmlCollection::supportedNames)
        .supportsName((collection, name) -> collection.namedItem(name) != null);
  }
}
