package dev.weblocks.html;

import java.util.Map;
import java.util.function.BiFunction;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Which class is behind which HTML element.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/dom.html#elements-in-the-dom">HTML: element
 *     interface</a>
 */
final class ElementKinds {

  /** What happens when such an element becomes connected. */
  private enum Insertion {
    /** Nothing. */
    PLAIN,
    /** {@link Node#inserted} runs. */
    STEPS,
    /**
     * {@link Node#inserted} runs and may run script: the parser stops when the element is whole.
     */
    SCRIPT
  }

  private record Kind(
      BiFunction<Document, org.jsoup.nodes.Element, ? extends HtmlElement> make,
      Insertion insertion) {}

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          kind("body", HtmlBodyElement::new, Insertion.STEPS),
          kind("iframe", HtmlIFrameElement::new, Insertion.STEPS),
          kind("meta", HtmlMetaElement::new, Insertion.PLAIN),
          kind("script", HtmlScriptElement::new, Insertion.SCRIPT));

  private ElementKinds() {}

  private static Map.Entry<String, Kind> kind(
      String name,
      BiFunction<Document, org.jsoup.nodes.Element, ? extends HtmlElement> make,
      Insertion insertion) {
    return Map.entry(name, new Kind(make, insertion));
  }

  static boolean isHtml(org.jsoup.nodes.Element element) {
    return element.tag().namespace().equals(Parser.NamespaceHtml);
  }

  private static @Nullable Kind of(org.jsoup.nodes.Element element) {
    return isHtml(element) ? KINDS.get(element.tagName()) : null;
  }

  /** Makes the object of an element. */
  static Element make(Document document, org.jsoup.nodes.Element element) {
    if (!isHtml(element)) {
      return new Element(document, element);
    }
    Kind kind = of(element);
    return kind == null ? new HtmlElement(document, element) : kind.make.apply(document, element);
  }

  /** Whether such an element is told when it becomes connected. */
  static boolean hasSteps(org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind != null && kind.insertion != Insertion.PLAIN;
  }

  /** Whether the parser stops at such an element. */
  static boolean mayRunScript(org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind != null && kind.insertion == Insertion.SCRIPT;
  }
}
