package dev.weblocks.html;

import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * The classes of HTML elements, by element name.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/dom.html#elements-in-the-dom">HTML: element
 *     interface</a>
 */
final class ElementKinds {

  /** The kind of the steps that run when an element becomes connected. */
  private enum Insertion {
    PLAIN,
    /** {@link Node#inserted} runs. */
    STEPS,
    /** {@link Node#inserted} runs and may run script, so the parser stops after the element. */
    SCRIPT
  }

  private record Kind(
      BiFunction<Document, org.jsoup.nodes.Element, ? extends HtmlElement> make,
      Insertion insertion) {}

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          kind("a", HtmlHyperlinkElement.Anchor::new, Insertion.PLAIN),
          kind("area", HtmlHyperlinkElement.Area::new, Insertion.PLAIN),
          kind("base", HtmlElements.Base::new, Insertion.PLAIN),
          kind("body", HtmlBodyElement::new, Insertion.STEPS),
          kind("div", HtmlElements.Div::new, Insertion.PLAIN),
          kind("head", HtmlElements.Head::new, Insertion.PLAIN),
          kind("html", HtmlElements.Html::new, Insertion.PLAIN),
          kind("iframe", HtmlIFrameElement::new, Insertion.STEPS),
          kind("link", HtmlElements.Link::new, Insertion.PLAIN),
          kind("meta", HtmlMetaElement::new, Insertion.PLAIN),
          kind("p", HtmlElements.Paragraph::new, Insertion.PLAIN),
          kind("script", HtmlScriptElement::new, Insertion.SCRIPT),
          kind("span", HtmlElements.Span::new, Insertion.PLAIN),
          kind("style", HtmlElements.Style::new, Insertion.PLAIN),
          kind("title", HtmlElements.Title::new, Insertion.PLAIN));

  /**
   * The names of elements without an interface of their own, either in the standard or only in this
   * implementation; their interface is {@code HTMLElement}.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/dom.html#htmlunknownelement">HTMLUnknownElement</a>
   */
  private static final Set<String> PLAIN =
      Set.of(
          """
          abbr acronym address article aside audio b basefont bdi bdo big blockquote
          br button canvas caption center cite code col colgroup data datalist dd del
          details dfn dialog dir dl dt em embed fieldset figcaption figure font footer
          form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label
          legend li listing main map mark marquee menu meter nav nobr noembed noframes
          noscript object ol optgroup option output param picture plaintext pre progress q
          rb rp rt rtc ruby s samp search section select slot small source strike strong
          sub summary sup table tbody td template textarea tfoot th thead time tr track tt
          u ul var video wbr xmp\
          """
              .split("\\s+"));

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/custom-elements.html#valid-custom-element-name">valid
   * custom element name</a>
   */
  private static final Pattern CUSTOM =
      Pattern.compile(
          "(?!(?:annotation-xml|color-profile|font-face(?:-src|-uri|-format|-name)?|missing-glyph)$)"
              + "[a-z][^\\t\\n\\f\\r \\x00/>A-Z]*-[^\\t\\n\\f\\r \\x00/>A-Z]*");

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

  static Element make(Document document, org.jsoup.nodes.Element element) {
    if (!isHtml(element)) {
      return new Element(document, element);
    }
    Kind kind = of(element);
    if (kind != null) {
      return kind.make.apply(document, element);
    }
    String name = element.tagName();
    return PLAIN.contains(name) || CUSTOM.matcher(name).matches()
        ? new HtmlElement(document, element)
        : new HtmlElements.Unknown(document, element);
  }

  /** Returns whether {@link Node#inserted} must run for an element that becomes connected. */
  static boolean hasSteps(org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind != null && kind.insertion != Insertion.PLAIN;
  }

  /** Returns whether the parser stops after an element, because its insertion may run script. */
  static boolean mayRunScript(org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind != null && kind.insertion == Insertion.SCRIPT;
  }
}
