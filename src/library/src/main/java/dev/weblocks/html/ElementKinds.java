package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

  private static final BiFunction<Document, org.jsoup.nodes.Element, HtmlElement>
      EACH_HTML_ELEMENT = HtmlElement::new;

  private record Kind(
      String interfaceName,
      BiFunction<Document, org.jsoup.nodes.Element, ? extends HtmlElement> make,
      Insertion insertion) {

    Kind(
        String interfaceName,
        BiFunction<Document, org.jsoup.nodes.Element, ? extends HtmlElement> make) {
      this(interfaceName, make, Insertion.PLAIN);
    }

    /** Creates the kind of elements whose behavior is that of each HTML element. */
    Kind(String interfaceName) {
      this(interfaceName, EACH_HTML_ELEMENT);
    }
  }

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("a", new Kind("HTMLAnchorElement", HtmlHyperlinkElement::new)),
          Map.entry("area", new Kind("HTMLAreaElement", HtmlHyperlinkElement::new)),
          Map.entry("base", new Kind("HTMLBaseElement", HtmlBaseElement::new)),
          Map.entry("body", new Kind("HTMLBodyElement", HtmlBodyElement::new, Insertion.STEPS)),
          Map.entry("div", new Kind("HTMLDivElement")),
          Map.entry("head", new Kind("HTMLHeadElement")),
          Map.entry("html", new Kind("HTMLHtmlElement")),
          Map.entry(
              "iframe", new Kind("HTMLIFrameElement", HtmlIFrameElement::new, Insertion.STEPS)),
          Map.entry("link", new Kind("HTMLLinkElement")),
          Map.entry("meta", new Kind("HTMLMetaElement")),
          Map.entry("p", new Kind("HTMLParagraphElement")),
          Map.entry(
              "script", new Kind("HTMLScriptElement", HtmlScriptElement::new, Insertion.SCRIPT)),
          Map.entry("span", new Kind("HTMLSpanElement")),
          Map.entry("style", new Kind("HTMLStyleElement")),
          Map.entry("title", new Kind("HTMLTitleElement")));

  private static final Kind PLAIN_KIND = new Kind("HTMLElement");
  private static final Kind UNKNOWN = new Kind("HTMLUnknownElement");

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

  /** Defines the interfaces whose attributes only reflect content attributes. */
  static void define(Implementations implementations) {
    Stream.concat(KINDS.values().stream(), Stream.of(PLAIN_KIND, UNKNOWN))
        .filter(kind -> kind.make == EACH_HTML_ELEMENT)
        .forEach(kind -> implementations.implement(kind.interfaceName, HtmlElement.class));
  }

  static boolean isHtml(org.jsoup.nodes.Element element) {
    return element.tag().namespace().equals(Parser.NamespaceHtml);
  }

  /** Returns the kind of an element; null for elements outside the HTML namespace. */
  private static @Nullable Kind of(org.jsoup.nodes.Element element) {
    if (!isHtml(element)) {
      return null;
    }
    String name = element.tagName();
    Kind kind = KINDS.get(name);
    if (kind != null) {
      return kind;
    }
    return PLAIN.contains(name) || CUSTOM.matcher(name).matches() ? PLAIN_KIND : UNKNOWN;
  }

  static Element make(Document document, org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind == null ? new Element(document, element) : kind.make.apply(document, element);
  }

  static String interfaceName(org.jsoup.nodes.Element element) {
    Kind kind = of(element);
    return kind == null ? "Element" : kind.interfaceName;
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
