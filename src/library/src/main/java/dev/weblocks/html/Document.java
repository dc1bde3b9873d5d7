package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.encoding.Encoding;
import dev.weblocks.url.QueryEncoding;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Document} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-document">DOM</a>
 * @see <a href="https://html.spec.whatwg.org/multipage/dom.html#the-document-object">HTML</a>
 */
final class Document extends Node {

  /**
   * <a href="https://html.spec.whatwg.org/multipage/dom.html#current-document-readiness">current
   * document readiness</a>
   */
  enum Readiness {
    LOADING,
    INTERACTIVE,
    COMPLETE
  }

  static final String HTML_TYPE = "text/html";

  private final Window window;
  private final org.jsoup.nodes.Document tree;
  private Encoding encoding = Encoding.UTF_8;
  private @Nullable QueryEncoding queryEncoding;
  private String contentType = HTML_TYPE;
  private UrlRecord url;
  private @Nullable UrlRecord aboutBaseUrl;
  private Readiness readiness = Readiness.LOADING;
  private @Nullable HtmlScriptElement currentScript;

  private final DomImplementation implementation;
  private final DocumentScripts scripts = new DocumentScripts();
  private final DocumentLoading loading = new DocumentLoading();

  /** The tree version; each change of a tree of this document, even disconnected, increments it. */
  private long version;

  /** <a href="https://wicg.github.io/page-lifecycle/#document-discarded">discarded</a> */
  private final boolean discarded;

  /**
   * <a href="https://dom.spec.whatwg.org/#valid-element-local-name">valid element local name</a>:
   * as allowed by the HTML parser or by XML
   */
  private static final Pattern VALID_NAME =
      Pattern.compile(
          "[A-Za-z][^\\t\\n\\f\\r \\x00/>]*|[:_\\x{80}-\\x{10FFFF}][A-Za-z0-9\\-.:_\\x{80}-\\x{10FFFF}]*");

  /** Creates the document of a window, with the creation URL of its realm. */
  Document(Window window, org.jsoup.nodes.Document tree, boolean discarded) {
    this(window, tree, UrlParser.parseAbsolute(window.realm().settings().creationUrl()), discarded);
  }

  Document(Window window, org.jsoup.nodes.Document tree, UrlRecord url, boolean discarded) {
    super(window.realm(), null, tree);
    this.window = window;
    this.tree = tree;
    this.discarded = discarded;
    this.url = url;
    this.implementation = new DomImplementation(this);
  }

  /**
   * Creates a document without a response: an html element with an empty head and an empty body.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#creating-a-new-browsing-context">HTML</a>
   */
  static Document blank(Window window, UrlRecord url) {
    Document document = new Document(window, org.jsoup.nodes.Document.createShell(""), url, false);
    document.tree.quirksMode(org.jsoup.nodes.Document.QuirksMode.quirks);
    document.readiness = Readiness.COMPLETE;
    Mutation.withSteps(document).forEach(Node::runInsertionSteps);
    return document;
  }

  /** Creates a document without a window, with the realm and origin of this document. */
  Document withoutWindow(org.jsoup.nodes.Document content) {
    Document document =
        new Document(window, content, UrlParser.parseAbsolute("about:blank"), false);
    document.readiness = Readiness.COMPLETE;
    return document;
  }

  /**
   * Returns the document of the window that is the global of a realm.
   *
   * @throws IllegalStateException if the window has no document yet
   */
  static Document ofGlobal(Realm realm) {
    return Window.ofRealm(realm).document();
  }

  @Override
  org.jsoup.nodes.Document tree() {
    return tree;
  }

  /** Returns the tree version; a live list computed at an older version is outdated. */
  long version() {
    return version;
  }

  void treeChanged() {
    version++;
  }

  String url() {
    return url.href();
  }

  UrlRecord urlRecord() {
    return url;
  }

  /** Sets the URL, after a navigation within the document or a call of the history API. */
  void setUrl(UrlRecord changed) {
    url = changed;
  }

  /** Returns whether a URL equals that of this document, ignoring fragments. */
  boolean isSameDocument(UrlRecord other) {
    return UrlSerializer.serialize(url, true).equals(UrlSerializer.serialize(other, true));
  }

  /** Sets the encoding and the MIME type of the response that this document was parsed from. */
  void setSource(Encoding usedEncoding, String mimeType) {
    encoding = usedEncoding;
    queryEncoding = usedEncoding.forQueries(realm());
    contentType = mimeType;
  }

  Encoding encoding() {
    return encoding;
  }

  /** Returns the encoding of queries of URLs in this document; null for UTF-8. */
  @Nullable QueryEncoding queryEncoding() {
    return queryEncoding;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url">encoding-parse
   * a URL</a>; null for failure
   */
  @Nullable UrlRecord encodingParse(String given) {
    return UrlParser.parse(given, baseUrl(), queryEncoding);
  }

  /** Sets the base URL that an {@code about:} document inherits; null for none. */
  void inheritBaseUrl(@Nullable UrlRecord base) {
    aboutBaseUrl = base;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#fallback-base-url">fallback
   * base URL</a>
   */
  UrlRecord fallbackBaseUrl() {
    return aboutBaseUrl == null ? url : aboutBaseUrl;
  }

  /** Returns the name of inline scripts in stack traces: the URL without fragment. */
  String sourceName() {
    return UrlSerializer.serialize(url, true);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url">document
   * base URL</a>
   */
  UrlRecord baseUrl() {
    org.jsoup.nodes.Element base =
        tree.nodeStream(org.jsoup.nodes.Element.class)
            .filter(each ->
                ElementKinds.isHtml(each)
                    && each.tagName().equals("base")
                    && each.attributes().hasKey("href"))
            .findFirst()
            .orElse(null);
    return base == null ? fallbackBaseUrl() : frozenBaseUrl(base.attributes().get("href"));
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url">set the
   * frozen base URL</a>
   */
  private UrlRecord frozenBaseUrl(String href) {
    UrlRecord parsed = UrlParser.parse(href, fallbackBaseUrl(), queryEncoding); // 3
    return parsed == null // 4
            || parsed.scheme().equals("data")
            || parsed.scheme().equals("javascript")
        ? fallbackBaseUrl()
        : parsed;
  }

  void setCurrentScript(@Nullable HtmlScriptElement script) {
    currentScript = script;
  }

  @Nullable HtmlScriptElement currentScript() {
    return currentScript;
  }

  DocumentScripts scripts() {
    return scripts;
  }

  DocumentLoading loading() {
    return loading;
  }

  /**
   * Returns whether scripts run; false without a window, or if a sandbox forbids scripts.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#concept-n-script">scripting is
   *     enabled</a>
   */
  boolean isScriptingEnabled() {
    return hasWindow() && !window.sandboxing().scripts();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/dom.html#update-the-current-document-readiness">update
   * the current document readiness</a>
   */
  void updateReadiness(Readiness next) {
    readiness = next;
    fire(new Event(realm(), "readystatechange", false, false));
  }

  /** Returns the {@code Node} of a jsoup node; the first call creates the {@code Node}. */
  Node nodeOf(org.jsoup.nodes.Node node) {
    Node known = known(node);
    return known == null ? wrap(node) : known;
  }

  private Node wrap(org.jsoup.nodes.Node node) {
    return switch (node) {
      case org.jsoup.nodes.Element element -> ElementKinds.make(this, element);
      case TextNode text -> new CharacterData.Text(this, text);
      case DataNode data -> new CharacterData.Text(this, data);
      case CharacterData.ProcessingInstruction.Tree instruction ->
          new CharacterData.ProcessingInstruction(this, instruction);
      case org.jsoup.nodes.Comment comment -> new CharacterData.Comment(this, comment);
      case org.jsoup.nodes.DocumentType type -> new DocumentType(this, type);
      default -> throw new IllegalStateException("no interface for " + node.getClass().getName());
    };
  }

  /** Creates the {@code Element} object of a jsoup element that no parser has made. */
  Element makeElement(org.jsoup.nodes.Element element) {
    Element made = ElementKinds.make(this, element);
    if (made instanceof HtmlScriptElement script) {
      script.madeByScript();
    }
    return made;
  }

  /**
   * Creates an HTML element; {@code localName} is valid and in lower case.
   *
   * @see <a href="https://dom.spec.whatwg.org/#concept-create-element">create an element</a>
   */
  Element createElementNode(String localName) {
    return makeElement(
        new org.jsoup.nodes.Element(
            Tag.valueOf(
                localName, Parser.NamespaceHtml, org.jsoup.parser.ParseSettings.preserveCase),
            ""));
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-document-createelement">createElement()</a> */
  private Element createElement(String localName) {
    // 1.
    if (!VALID_NAME.matcher(localName).matches()) {
      throw ScriptException.dom(
          "InvalidCharacterError",
          "Failed to execute 'createElement' on 'Document': The tag name provided ('"
              + localName
              + "') is not a valid name.");
    }
    // 2. to 5.
    return createElementNode(AsciiCase.lower(localName));
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-document-importnode">importNode()</a> */
  private Node importNode(Node node, boolean subtree) {
    if (node instanceof Document) {
      throw ScriptException.dom(
          "NotSupportedError",
          "Failed to execute 'importNode' on 'Document': The node provided is a document, which may not be imported.");
    }
    return node.cloneNode(this, subtree);
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-document-adoptnode">adoptNode()</a> */
  private Node adoptNode(Node node) {
    if (node instanceof Document) {
      throw ScriptException.dom(
          "NotSupportedError",
          "Failed to execute 'adoptNode' on 'Document': The node provided is of type '#document', which may not be adopted.");
    }
    Mutation.adopt(node, this);
    return node;
  }

  /** Returns the root element if it is an html element; else null. */
  private org.jsoup.nodes.@Nullable Element htmlElement() {
    org.jsoup.nodes.Element root = tree.firstElementChild();
    return root != null && ElementKinds.isHtml(root) && root.tagName().equals("html") ? root : null;
  }

  private @Nullable Node childOfHtml(String... names) {
    org.jsoup.nodes.Element html = htmlElement();
    if (html != null) {
      for (org.jsoup.nodes.Node child : html.childNodes()) {
        if (child instanceof org.jsoup.nodes.Element element
            && ElementKinds.isHtml(element)
            && List.of(names).contains(element.tagName())) {
          return nodeOf(element);
        }
      }
    }
    return null;
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/dom.html#the-body-element-2">the body
   * element</a>
   */
  @Nullable Node body() {
    return childOfHtml("body", "frameset");
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-document-compatmode">compatMode</a> */
  private String compatMode() {
    boolean quirks = tree.quirksMode() == org.jsoup.nodes.Document.QuirksMode.quirks;
    return quirks && contentType.equals(HTML_TYPE) ? "BackCompat" : "CSS1Compat";
  }

  private @Nullable Node doctype() {
    return children().stream()
        .filter(each -> each instanceof DocumentType)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Node head() {
    return childOfHtml("head");
  }

  /** <a href="https://html.spec.whatwg.org/multipage/dom.html#dom-document-body">body</a> */
  private void setBody(@Nullable Node given) {
    // 1.
    if (!(given instanceof HtmlElement body)
        || !(body.localName().equals("body") || body.localName().equals("frameset"))) {
      throw ScriptException.dom(
          "HierarchyRequestError",
          "Failed to set the 'body' property on 'Document': The new body element is of type '"
              + (given == null ? "null" : given.nodeName())
              + "'. It must be either a 'BODY' or 'FRAMESET' element.");
    }
    // 2. and 3.
    Node old = body();
    Node parent = old == null ? null : old.parent();
    if (old == given) {
      return;
    }
    if (old != null && parent != null) {
      Mutation.replace(parent, given, old);
      return;
    }
    // 4. and 5.
    Node root = orNull(tree.firstElementChild());
    if (root == null) {
      throw ScriptException.dom(
          "HierarchyRequestError",
          "Failed to set the 'body' property on 'Document': No document element exists.");
    }
    Mutation.append(root, given, "appendChild");
  }

  private org.jsoup.nodes.@Nullable Element titleElement() {
    return tree.nodeStream(org.jsoup.nodes.Element.class)
        .filter(each -> ElementKinds.isHtml(each) && each.tagName().equals("title"))
        .findFirst()
        .orElse(null);
  }

  /** <a href="https://html.spec.whatwg.org/multipage/dom.html#document.title">document.title</a> */
  private String title() {
    org.jsoup.nodes.Element title = titleElement();
    return title == null
        ? ""
        : childText(title).replaceAll("[\\t\\n\\f\\r ]+", " ").replaceAll("^ | $", "");
  }

  /** <a href="https://html.spec.whatwg.org/multipage/dom.html#document.title">document.title</a> */
  private void setTitle(String title) {
    Node element = orNull(titleElement());
    if (element == null) {
      Node head = head();
      if (head == null) {
        return;
      }
      element = Mutation.append(head, createElementNode("title"), "appendChild");
    }
    Mutation.stringReplaceAll(element, title);
  }

  Window window() {
    return window;
  }

  @Override
  int nodeType() {
    return DOCUMENT_NODE;
  }

  @Override
  String nodeName() {
    return "#document";
  }

  @Override
  @Nullable String textContent() {
    return null;
  }

  @Override
  Node cloneSingle(Document document) {
    throw ScriptException.dom(
        "NotSupportedError",
        "Failed to execute 'cloneNode' on 'Node': Documents cannot be cloned.");
  }

  @Override
  boolean hasSameData(Node other) {
    return true;
  }

  private boolean hasWindow() {
    return window.documentOrNull() == this;
  }

  private String visibilityState() {
    return hasWindow() ? PageVisibility.of(realm()).state() : "hidden";
  }

  @Nullable Window defaultView() {
    return hasWindow() ? window : null;
  }

  /** Returns the window; null for load events, or without a window. */
  @Override
  protected @Nullable EventTarget getTheParent(Event event) {
    return event.type().equals("load") || !hasWindow() ? null : window;
  }

  @Override
  protected boolean hasPassiveScrollListeners() {
    return true;
  }

  /**
   * Creates an event without a type; script must initialize the event.
   *
   * @see <a href="https://dom.spec.whatwg.org/#dom-document-createevent">createEvent()</a>
   */
  private Event createEvent(String name) {
    // 1. to 4., for the names whose interfaces are implemented
    String constructor =
        switch (AsciiCase.lower(name)) {
          case "beforeunloadevent" -> "BeforeUnloadEvent";
          case "compositionevent" -> "CompositionEvent";
          case "customevent" -> "CustomEvent";
          case "event", "events", "htmlevents", "svgevents" -> "Event";
          case "focusevent" -> "FocusEvent";
          case "hashchangeevent" -> "HashChangeEvent";
          case "keyboardevent" -> "KeyboardEvent";
          case "messageevent" -> "MessageEvent";
          case "mouseevent", "mouseevents" -> "MouseEvent";
          case "storageevent" -> "StorageEvent";
          case "uievent", "uievents" -> "UIEvent";
          default ->
              throw ScriptException.dom(
                  "NotSupportedError",
                  "Failed to execute 'createEvent' on 'Document': The provided event type ('"
                      + name
                      + "') is invalid.");
        };
    // 5. to 9.
    Event event =
        constructor.equals("BeforeUnloadEvent")
            ? new BeforeUnloadEvent(realm(), "", false)
            : new Event(realm(), constructor, "", false, false);
    event.unsetInitializedFlag();
    return event;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Document", Document.class)
        .getter("URL", Document::url)
        .getter("documentURI", Document::url)
        .getter("characterSet", document -> document.encoding.standardName())
        .getter("charset", document -> document.encoding.standardName())
        .getter("inputEncoding", document -> document.encoding.standardName())
        .getter("contentType", document -> document.contentType)
        .getter("compatMode", Document::compatMode)
        .getter("documentElement", document -> document.orNull(document.tree.firstElementChild()))
        .operation(
            "getElementsByTagName",
            (document, args) -> HtmlCollection.byTagName(document, args.string(0)))
        .operation(
            "getElementsByClassName",
            (document, args) -> HtmlCollection.byClassName(document, args.string(0)))
        .getter("doctype", Document::doctype)
        .operation("createElement", (document, args) -> document.createElement(args.string(0)))
        .operation("createDocumentFragment", (document, args) -> new DocumentFragment(document))
        .operation(
            "createTextNode", (document, args) -> CharacterData.Text.of(document, args.string(0)))
        .operation(
            "createComment", (document, args) -> CharacterData.Comment.of(document, args.string(0)))
        .operation(
            "importNode",
            (document, args) ->
                document.importNode(
                    args.object(0, Node.class),
                    args.any(1).isBoolean()
                        ? args.bool(1)
                        : !args.unionDictionary(1, "ImportNodeOptions").bool("selfOnly")))
        .operation("adoptNode", (document, args) -> document.adoptNode(args.object(0, Node.class)))
        .operation("createEvent", (document, args) -> document.createEvent(args.string(0)))
        .getter("implementation", document -> document.implementation)
        .getter("location", document -> document.hasWindow() ? document.window.location() : null)
        .getter("readyState", document -> document.readiness.name().toLowerCase(Locale.ROOT))
        .getter("title", Document::title)
        .setter("title", (document, args) -> document.setTitle(args.string(0)))
        .getter("body", Document::body)
        .setter("body", (document, args) -> document.setBody(args.objectOrNull(0, Node.class)))
        .getter("head", Document::head)
        .getter("currentScript", document -> document.currentScript)
        .getter("defaultView", Document::defaultView)
        .operation("hasFocus", (document, args) -> false)
        .getter("hidden", document -> document.visibilityState().equals("hidden"))
        .getter("visibilityState", Document::visibilityState)
        .getter("wasDiscarded", document -> document.discarded);
  }
}
