package dev.weblocks.html;

import dev.weblocks.agent.Freezable;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.CustomEvent;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.messaging.MessageEvent;
import dev.weblocks.storage.StorageEvent;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.IdentityHashMap;
import java.util.Locale;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.TextNode;
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

  private final Window window;
  private final org.jsoup.nodes.Document tree;
  private final UrlRecord url;
  private final IdentityHashMap<org.jsoup.nodes.Node, Node> nodes = new IdentityHashMap<>();
  private Readiness readiness = Readiness.LOADING;
  private Element.@Nullable HtmlScriptElement currentScript;

  /** <a href="https://wicg.github.io/page-lifecycle/#document-discarded">discarded</a> */
  private final boolean discarded;

  /**
   * Makes the document of a window.
   *
   * @param discarded whether the window was discarded before, and is open again
   */
  Document(Window window, org.jsoup.nodes.Document tree, boolean discarded) {
    super(window.realm(), tree);
    this.window = window;
    this.tree = tree;
    this.discarded = discarded;
    this.url = UrlParser.parseAbsolute(window.realm().settings().creationUrl());
    nodes.put(tree, this);
  }

  String url() {
    return url.href();
  }

  /** What an inline script is called in stacks: the URL without fragment. */
  String sourceName() {
    return UrlSerializer.serialize(url, true);
  }

  /**
   * What the document's URLs are relative to.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url">
   *     document base URL</a>
   */
  UrlRecord baseUrl() {
    org.jsoup.nodes.Element base = tree.selectFirst("base[href]");
    return base == null ? url : frozenBaseUrl(base.attr("href"));
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url">set the
   * frozen base URL</a>
   */
  private UrlRecord frozenBaseUrl(String href) {
    UrlRecord parsed = UrlParser.parse(href, url); // 3
    return parsed == null // 4
            || parsed.scheme().equals("data")
            || parsed.scheme().equals("javascript")
        ? url
        : parsed;
  }

  void setCurrentScript(Element.@Nullable HtmlScriptElement script) {
    currentScript = script;
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

  /**
   * Has the document hear of it when its agent freezes and resumes.
   *
   * @see <a href="https://wicg.github.io/page-lifecycle/#change-frozenness-of-document">change the
   *     frozenness of a document</a>
   */
  void takePartInFreezing() {
    realm()
        .agent()
        .freezing()
        .add(
            realm(),
            new Freezable() {
              @Override
              public void beforeFreeze() {
                fire(new Event(realm(), "freeze", false, false));
              }

              @Override
              public void afterResume() {
                fire(new Event(realm(), "resume", false, false));
              }
            });
  }

  /** The one object for a node of the tree. */
  Node nodeOf(org.jsoup.nodes.Node node) {
    Node known = nodes.get(node);
    if (known == null) {
      known = wrap(node);
      nodes.put(node, known);
    }
    return known;
  }

  private Node wrap(org.jsoup.nodes.Node node) {
    return switch (node) {
      case org.jsoup.nodes.Element element ->
          switch (element.normalName()) {
            case "script" -> new Element.HtmlScriptElement(this, element);
            case "meta" -> new Element.HtmlMetaElement(this, element);
            default -> new Element.HtmlElement(this, element);
          };
      case TextNode text -> new CharacterData.Text(this, text);
      case DataNode data -> new CharacterData.Text(this, data);
      case org.jsoup.nodes.Comment comment -> new CharacterData.Comment(this, comment);
      case org.jsoup.nodes.DocumentType type -> new DocumentType(this, type);
      default -> throw new IllegalStateException("no interface for a " + node.getClass().getName());
    };
  }

  private @Nullable Node orNull(org.jsoup.nodes.@Nullable Element element) {
    return element == null ? null : nodeOf(element);
  }

  private org.jsoup.nodes.@Nullable Element childOfRoot(String name) {
    org.jsoup.nodes.Element root = tree.firstElementChild();
    if (root != null) {
      for (org.jsoup.nodes.Element child : root.children()) {
        if (child.normalName().equals(name)) {
          return child;
        }
      }
    }
    return null;
  }

  /** <a href="https://html.spec.whatwg.org/multipage/dom.html#document.title">document.title</a> */
  private String title() {
    org.jsoup.nodes.Element title = tree.selectFirst("title");
    return title == null ? "" : descendantText(title).strip().replaceAll("[\\t\\n\\f\\r ]+", " ");
  }

  Window window() {
    return window;
  }

  private HtmlCollection getElementsByTagName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return new HtmlCollection(
        realm(),
        this,
        () -> lower.equals("*") ? tree.select("html, html *") : tree.getElementsByTag(lower));
  }

  @Override
  Document document() {
    return this;
  }

  @Override
  int nodeType() {
    return 9;
  }

  @Override
  String nodeName() {
    return "#document";
  }

  @Override
  @Nullable String textContent() {
    return null;
  }

  /** The window, except for load events. */
  @Override
  protected @Nullable EventTarget getTheParent(Event event) {
    return event.type().equals("load") ? null : window;
  }

  @Override
  protected boolean hasPassiveScrollListeners() {
    return true;
  }

  /**
   * Makes an event without type, which script has to initialize.
   *
   * @see <a href="https://dom.spec.whatwg.org/#dom-document-createevent">createEvent()</a>
   */
  private Event createEvent(String name) {
    // 1. to 4., of the names whose interfaces there are
    Event event =
        switch (asciiLowercase(name)) {
          case "customevent" -> new CustomEvent(realm());
          case "event", "events", "htmlevents", "svgevents" -> new Event(realm(), "", false, false);
          case "messageevent" -> new MessageEvent(realm());
          case "storageevent" -> new StorageEvent(realm());
          default ->
              throw ScriptException.dom(
                  "NotSupportedError",
                  "Failed to execute 'createEvent' on 'Document': The provided event type ('"
                      + name
                      + "') is invalid.");
        };
    // 5. to 9.
    event.unsetInitializedFlag();
    return event;
  }

  private static String asciiLowercase(String text) {
    return text.codePoints()
        .map(c -> c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private @Nullable Node getElementById(String elementId) {
    return elementId.isEmpty() ? null : orNull(tree.getElementById(elementId));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Document", Document.class)
        .getter("URL", Document::url)
        .getter("documentURI", Document::url)
        .getter("documentElement", document -> document.orNull(document.tree.firstElementChild()))
        .operation(
            "getElementsByTagName",
            (document, args) -> document.getElementsByTagName(args.string(0)))
        .operation("createEvent", (document, args) -> document.createEvent(args.string(0)))
        .getter("location", document -> document.window.location())
        .getter("readyState", document -> document.readiness.name().toLowerCase(Locale.ROOT))
        .getter("title", Document::title)
        .getter("body", document -> document.orNull(document.childOfRoot("body")))
        .getter("head", document -> document.orNull(document.childOfRoot("head")))
        .getter("currentScript", document -> document.currentScript)
        .getter("defaultView", document -> document.window)
        .getter("wasDiscarded", document -> document.discarded)
        .with(self -> EventHandlers.define(self, "onreadystatechange"))
        .with(self -> EventHandlers.define(self, "onfreeze"))
        .with(self -> EventHandlers.define(self, "onresume"));
    implementations
        .mixin("NonElementParentNode", Document.class)
        .operation("getElementById", (document, args) -> document.getElementById(args.string(0)));
  }
}
