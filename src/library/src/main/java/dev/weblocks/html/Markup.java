package dev.weblocks.html;

import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;

/**
 * The parser and serializer of parts of documents.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-parsing-and-serialization">HTML</a>
 */
final class Markup {

  /** The names of elements whose text is serialized without escaping. */
  private static final Set<String> RAW =
      Set.of("style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript");

  private static final Set<String> VOID =
      Set.of(
          """
          area base basefont bgsound br col embed frame hr img input keygen link meta param
          source track wbr
          """
              .split("\\s+"));

  private Markup() {}

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#fragment-parsing-algorithm-steps">fragment
   * parsing algorithm steps</a>
   */
  static DocumentFragment parse(Element context, String text) {
    String markup = preprocess(text);
    Document document = context.document();
    DocumentFragment fragment = new DocumentFragment(document);
    org.jsoup.nodes.Element into = (org.jsoup.nodes.Element) fragment.tree();
    boolean scripting = document.isScriptingEnabled();
    if (scripting && isNoscript(context.tree())) {
      if (!markup.isEmpty()) {
        into.appendChild(new DataNode(markup));
      }
      return fragment;
    }
    List<org.jsoup.nodes.Node> nodes =
        List.copyOf(Parser.htmlParser().parseFragmentInput(markup, context.tree(), ""));
    if (!nodes.isEmpty() && nodes.getFirst().parent() instanceof org.jsoup.nodes.Element parsed) {
      parsed.empty(); // to remove them one by one takes quadratic time
    }
    nodes.forEach(into::appendChild);
    replaceInstructions(into);
    if (scripting) {
      into.nodeStream(org.jsoup.nodes.Element.class)
          .filter(Markup::isNoscript)
          .toList()
          .forEach(Markup::makeText);
    }
    into.nodeStream(org.jsoup.nodes.Element.class)
        .filter(each -> ElementKinds.isHtml(each) && each.tagName().equals("script"))
        .forEach(each -> ((HtmlScriptElement) document.nodeOf(each)).markAlreadyStarted());
    return fragment;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream">preprocessing
   * the input stream</a>
   */
  static String preprocess(String text) {
    return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
  }

  static boolean isNoscript(org.jsoup.nodes.Element element) {
    return ElementKinds.isHtml(element) && element.tagName().equals("noscript");
  }

  /**
   * Replaces the children of a noscript element by one text. jsoup parses as if scripting were
   * disabled; if it is enabled, the element contains text.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead">HTML: a
   *     start tag "noscript", if the scripting flag is enabled</a>
   */
  static void makeText(org.jsoup.nodes.Element noscript) {
    replaceInstructions(noscript);
    String markup = serializeChildren(noscript);
    noscript.empty();
    if (!markup.isEmpty()) {
      noscript.appendChild(new DataNode(markup));
    }
  }

  private static void replaceInstructions(org.jsoup.nodes.Element parsed) {
    parsed
        .nodeStream(org.jsoup.nodes.ProcessingInstruction.class)
        .toList()
        .forEach(CharacterData.ProcessingInstruction.Tree::inPlaceOf);
  }

  static String serializeChildren(org.jsoup.nodes.Element parent) {
    StringBuilder out = new StringBuilder();
    for (org.jsoup.nodes.Node child : parent.childNodes()) {
      serialize(child, out);
    }
    return out.toString();
  }

  static String serialize(org.jsoup.nodes.Element element) {
    StringBuilder out = new StringBuilder();
    serialize(element, out);
    return out.toString();
  }

  /**
   * Serializes a node with its descendants, without recursion: a tree may be deeper than the stack.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-serialisation-algorithm">HTML
   *     fragment serialization algorithm</a>
   */
  private static void serialize(org.jsoup.nodes.Node root, StringBuilder out) {
    root.traverse(
        new org.jsoup.select.NodeVisitor() {
          @Override
          public void head(org.jsoup.nodes.Node node, int depth) {
            switch (node) {
              case org.jsoup.nodes.Element element -> startTag(element, out);
              case TextNode text -> text(text.getWholeText(), text, out);
              case DataNode data -> text(data.getWholeData(), data, out);
              case CharacterData.ProcessingInstruction.Tree instruction ->
                  out.append("<?")
                      .append(instruction.target)
                      .append(' ')
                      .append(instruction.getData())
                      .append("?>");
              case org.jsoup.nodes.Comment comment ->
                  out.append("<!--").append(comment.getData()).append("-->");
              case org.jsoup.nodes.DocumentType type ->
                  out.append("<!DOCTYPE ").append(type.name()).append('>');
              default -> {}
            }
          }

          @Override
          public void tail(org.jsoup.nodes.Node node, int depth) {
            if (node instanceof org.jsoup.nodes.Element element && !isVoid(element)) {
              out.append("</").append(element.tagName()).append('>');
            }
          }
        });
  }

  private static boolean isVoid(org.jsoup.nodes.Element element) {
    return ElementKinds.isHtml(element) && VOID.contains(element.tagName());
  }

  private static void startTag(org.jsoup.nodes.Element element, StringBuilder out) {
    out.append('<').append(element.tagName());
    for (Attribute attribute : element.attributes()) {
      out.append(' ').append(attribute.getKey()).append("=\"");
      escape(attribute.getValue(), true, out);
      out.append('"');
    }
    out.append('>');
  }

  private static void text(String text, org.jsoup.nodes.Node node, StringBuilder out) {
    boolean raw =
        node.parent() instanceof org.jsoup.nodes.Element parent
            && ElementKinds.isHtml(parent)
            && RAW.contains(parent.tagName());
    if (raw) {
      out.append(text);
    } else {
      escape(text, false, out);
    }
  }

  /** <a href="https://html.spec.whatwg.org/multipage/parsing.html#escapingString">escape</a> */
  private static void escape(String text, boolean attribute, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '\u00A0' -> out.append("&nbsp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append(attribute ? "&quot;" : "\"");
        default -> out.append(c);
      }
    }
  }
}
