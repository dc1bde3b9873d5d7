package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DOMImplementation} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-domimplementation">DOM</a>
 */
final class DomImplementation extends PlatformObject {

  /** <a href="https://dom.spec.whatwg.org/#valid-doctype-name">valid doctype name</a> */
  private static final Pattern VALID_DOCTYPE_NAME = Pattern.compile("[^\\t\\n\\f\\r \\x00>]*");

  private final Document document;

  DomImplementation(Document document) {
    super(document.realm());
    this.document = document;
  }

  /**
   * <a
   * href="https://dom.spec.whatwg.org/#dom-domimplementation-createdocumenttype">createDocumentType()</a>
   */
  private DocumentType createDocumentType(String name, String publicId, String systemId) {
    // 1.
    if (!VALID_DOCTYPE_NAME.matcher(name).matches()) {
      throw ScriptException.dom(
          "InvalidCharacterError",
          "Failed to execute 'createDocumentType' on 'DOMImplementation': The qualified name provided ('"
              + name
              + "') contains an invalid character.");
    }
    // 2.
    return new DocumentType(document, new org.jsoup.nodes.DocumentType(name, publicId, systemId));
  }

  /**
   * <a
   * href="https://dom.spec.whatwg.org/#dom-domimplementation-createhtmldocument">createHTMLDocument()</a>
   */
  private Document createHtmlDocument(@Nullable String title) {
    // 1. and 2., 4. to 7.
    org.jsoup.nodes.Document tree = org.jsoup.nodes.Document.createShell("");
    // 3.
    tree.prependChild(new org.jsoup.nodes.DocumentType("html", "", ""));
    // 6.
    if (title != null) {
      Element element = tree.head().appendElement("title");
      element.appendChild(new TextNode(title));
    }
    return document.withoutWindow(tree);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DOMImplementation", DomImplementation.class)
        .operation(
            "createDocumentType",
            (self, args) -> self.createDocumentType(args.string(0), args.string(1), args.string(2)))
        .operation(
            "createHTMLDocument",
            (self, args) -> self.createHtmlDocument(args.isPresent(0) ? args.string(0) : null))
        .operation("hasFeature", (self, args) -> true);
  }
}
