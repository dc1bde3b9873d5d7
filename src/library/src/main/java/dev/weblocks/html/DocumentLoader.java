package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.dom.Event;
import dev.weblocks.encoding.Decoding;
import dev.weblocks.encoding.Encoding;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.MimeType;
import dev.weblocks.url.UrlRecord;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jsoup.nodes.Entities;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jspecify.annotations.Nullable;

/**
 * The loader of one document into a window: parses the response piece by piece, runs its scripts in
 * place, and fires the load events.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/parsing.html">HTML: parsing</a>
 */
final class DocumentLoader {

  /** A parsed node, kept out of the tree until the current script has run, and its parent. */
  private record Ahead(org.jsoup.nodes.Element parent, org.jsoup.nodes.Node node) {}

  private final List<Ahead> ahead = new ArrayList<>();

  private org.jsoup.nodes.@Nullable Element lastStop;
  private boolean parsed;
  private boolean contentLoaded;

  private final CompletableFuture<Void> loaded;
  private final StreamParser parser;
  private final Window window;
  private final Document document;

  private DocumentLoader(
      CompletableFuture<Void> loaded,
      Window window,
      FetchResponse response,
      @Nullable UrlRecord aboutBaseUrl,
      boolean discarded) {
    this.loaded = loaded;
    this.window = window;
    this.parser = new StreamParser(Parser.htmlParser());
    MimeType type = response.mimeType();
    byte[] bytes = response.bytes();
    Encoding encoding = EncodingSniffing.sniff(bytes, type, encodingOfContainer(window));
    String text = Decoding.decode(window.realm(), bytes, encoding);
    String contentType = type == null ? Document.HTML_TYPE : type.essence();
    parser.parse(new StringReader(Markup.preprocess(markupOf(contentType, text))), response.url());
    this.document = new Document(window, parser.document(), discarded);
    document.inheritBaseUrl(aboutBaseUrl);
    document.setSource(encoding, contentType);
    window.setDocument(document);
    document
        .scripts()
        .parseWith(
            this::continueAfterScript, steps -> orFail(window.realm().agent(), loaded, steps));
  }

  /**
   * Loads a document into a window that has none, or an initial one. Called on the event loop.
   *
   * @param aboutBaseUrl the base URL of an {@code about:} document
   * @param discarded whether the window was discarded before and is now reopened
   * @param onLoaded runs after the load event
   * @param onFailure receives an exception that prevented loading
   */
  static void load(
      Window window,
      FetchResponse response,
      @Nullable UrlRecord aboutBaseUrl,
      boolean discarded,
      Runnable onLoaded,
      Consumer<Throwable> onFailure) {
    CompletableFuture<Void> loaded = new CompletableFuture<>();
    loaded.whenComplete((done, failure) -> {
      if (failure == null) {
        onLoaded.run();
      } else {
        onFailure.accept(failure);
      }
    });
    new DocumentLoader(loaded, window, response, aboutBaseUrl, discarded).parse();
  }

  /** Returns the encoding of the container document if it has the same origin; else null. */
  private static @Nullable Encoding encodingOfContainer(Window window) {
    Window parent = window.navigable().parentWindow();
    return parent == null
            || parent.realm().agent() != window.realm().agent()
            || !parent.realm().settings().origin().equals(window.realm().settings().origin())
        ? null
        : parent.document().encoding();
  }

  /**
   * Returns the markup of a text: HTML and XML as is, other text in a pre element, else empty.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#loading-a-document">HTML:
   *     loading a document</a>
   */
  private static String markupOf(String essence, String text) {
    if (essence.equals(Document.HTML_TYPE) || essence.endsWith("xml")) {
      return text;
    }
    return essence.startsWith("text/") || essence.endsWith("json") || essence.endsWith("javascript")
        ? "<pre>\n" + Entities.escape(text) + "</pre>"
        : "";
  }

  /**
   * Runs steps. If they throw an exception, completes {@code loaded} with it and rethrows it. While
   * the agent is ending, only rethrows it, because the end of an agent is reported separately.
   */
  static void orFail(Agent agent, CompletableFuture<Void> loaded, Runnable steps) {
    try {
      steps.run();
    } catch (RuntimeException | Error defect) {
      if (!agent.isEnding()) {
        loaded.completeExceptionally(defect);
      }
      throw defect;
    }
  }

  private void parse() {
    orFail(
        window.realm().agent(),
        loaded,
        () -> {
          window.runPreloadScripts();
          if (!window.isDestroyed()) {
            parseOn();
          }
        });
  }

  /** Continues parsing until a script must be fetched; called again after that script has run. */
  private void parseOn() {
    org.jsoup.nodes.Element next;
    while ((next = nextStop()) != null) {
      if (window.isDestroyed()) {
        return;
      }
      hideWhatFollows(next);
      document.treeChanged();
      runInsertionSteps(next);
      if (document.nodeOf(next) instanceof HtmlScriptElement script) {
        script.prepare();
        if (document.scripts().blocksParser()) {
          return;
        }
      }
    }
    document.treeChanged();
    runInsertionSteps(document.tree());
    Mutation.withSteps(document).forEach(Node::runInsertionSteps);
    endOfDocument();
  }

  /**
   * Runs the insertion steps of all elements after the previous stop of the parser, which is now at
   * {@code stop}. If the document does not contain the previous stop, begins at the first element.
   */
  private void runInsertionSteps(org.jsoup.nodes.Element stop) {
    org.jsoup.nodes.Node at = lastStop;
    if (at == null || Node.rootOf(at) != document.tree()) {
      at = document.tree();
    }
    lastStop = stop;
    List<Node> withSteps = new ArrayList<>();
    List<TextNode> spaces = new ArrayList<>();
    for (at = following(at); at != null; ) {
      org.jsoup.nodes.Node next = following(at);
      if (at instanceof org.jsoup.nodes.Element element
          && (Node.known(element) != null || ElementKinds.hasSteps(element))) {
        withSteps.add(document.nodeOf(element));
      } else if (at instanceof TextNode text && isWhiteSpaceAroundBody(text)) {
        spaces.add(text);
      } else if (at instanceof org.jsoup.nodes.ProcessingInstruction instruction) {
        CharacterData.ProcessingInstruction.Tree.inPlaceOf(instruction);
      }
      at = next;
    }
    placeWhiteSpace(spaces);
    withSteps.forEach(Node::runInsertionSteps);
  }

  private boolean isWhiteSpaceAroundBody(TextNode text) {
    org.jsoup.nodes.Node parent = text.parent();
    return (parent == document.tree() || (parent != null && parent.parent() == document.tree()))
        && text.isBlank()
        && Node.known(text) == null;
  }

  /**
   * Puts white space beside the head and the body where HTML has it: before the head nowhere, after
   * the body at its end. jsoup leaves it in the element in which the source has it.
   *
   * @param spaces children of the document and of the root, in tree order
   * @see <a href="https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterbody">HTML:
   *     the "after body" insertion mode</a>
   */
  private void placeWhiteSpace(List<TextNode> spaces) {
    org.jsoup.nodes.Element html = document.tree().firstElementChild();
    if (html == null || spaces.isEmpty()) {
      return;
    }
    org.jsoup.nodes.Element head = html.firstElementChild();
    org.jsoup.nodes.Element second = head == null ? null : head.nextElementSibling();
    org.jsoup.nodes.Element body = second != null && second.nameIs("body") ? second : null;
    StringBuilder afterBody = new StringBuilder();
    List<TextNode> misplaced = new ArrayList<>();
    for (TextNode text : spaces) {
      boolean inDocument = text.parent() == document.tree();
      org.jsoup.nodes.Element before = inDocument ? html : body;
      if (body != null && before != null && text.siblingIndex() > before.siblingIndex()) {
        afterBody.append(text.getWholeText());
        misplaced.add(text);
      } else if (inDocument || head == null || text.siblingIndex() < head.siblingIndex()) {
        misplaced.add(text);
      }
    }
    for (org.jsoup.nodes.Element parent : List.of(document.tree(), html)) {
      removeAll(parent, misplaced.stream().filter(each -> each.parent() == parent).toList());
    }
    if (body != null && !afterBody.isEmpty()) {
      if (body.lastChild() instanceof TextNode last) {
        last.text(last.getWholeText() + afterBody);
      } else {
        body.appendChild(new TextNode(afterBody.toString()));
      }
    }
  }

  /** Removes children; all at once, since jsoup takes linear time for each. */
  private static void removeAll(
      org.jsoup.nodes.Element parent, Collection<? extends org.jsoup.nodes.Node> children) {
    if (children.size() <= 1) {
      children.forEach(org.jsoup.nodes.Node::remove);
      return;
    }
    Set<org.jsoup.nodes.Node> removed = Collections.newSetFromMap(new IdentityHashMap<>());
    removed.addAll(children);
    List<org.jsoup.nodes.Node> kept = new ArrayList<>(parent.childNodes());
    kept.removeIf(removed::contains);
    parent.empty();
    parent.appendChildren(kept);
  }

  /** Returns the next node in tree order, null after the last. */
  private static org.jsoup.nodes.@Nullable Node following(org.jsoup.nodes.Node node) {
    if (node.childNodeSize() > 0) {
      return node.childNode(0);
    }
    for (org.jsoup.nodes.Node at = node; at != null; at = at.parent()) {
      org.jsoup.nodes.Node next = at.nextSibling();
      if (next != null) {
        return next;
      }
    }
    return null;
  }

  /** Removes from the tree the nodes after a script, which the script must not see yet. */
  private void hideWhatFollows(org.jsoup.nodes.Node script) {
    for (org.jsoup.nodes.Node at = script; at != null; at = at.parent()) {
      if (at.parent() instanceof org.jsoup.nodes.Element parent) {
        List<org.jsoup.nodes.Node> following =
            List.copyOf(parent.childNodes().subList(at.siblingIndex() + 1, parent.childNodeSize()));
        following.forEach(each -> ahead.add(new Ahead(parent, each)));
        removeAll(parent, following);
      }
    }
  }

  private void showWhatFollows() {
    ahead.forEach(each -> each.parent().appendChild(each.node()));
    ahead.clear();
  }

  private org.jsoup.nodes.@Nullable Element nextStop() {
    showWhatFollows();
    Iterator<org.jsoup.nodes.Element> parsing = parser.iterator();
    while (parsing.hasNext()) {
      org.jsoup.nodes.Element whole = parsing.next();
      boolean scripting = document.isScriptingEnabled();
      if (scripting && Markup.isNoscript(whole)) {
        Markup.makeText(whole);
      } else if (ElementKinds.mayRunScript(whole) && !(scripting && isInNoscript(whole))) {
        return whole;
      }
    }
    return null;
  }

  /** Returns whether an element becomes text when its noscript element ends. */
  private static boolean isInNoscript(org.jsoup.nodes.Element element) {
    for (org.jsoup.nodes.Element at = element.parent(); at != null; at = at.parent()) {
      if (Markup.isNoscript(at)) {
        return true;
      }
    }
    return false;
  }

  /** Continues loading when a parser-blocking or deferred script has become ready. */
  private void continueAfterScript() {
    if (document.scripts().blocksParser()) {
      document.scripts().executeParsingBlocking();
      if (!document.scripts().blocksParser()) {
        parse();
      }
    } else if (parsed) {
      executeDeferred();
    }
  }

  /** <a href="https://html.spec.whatwg.org/multipage/parsing.html#the-end">the end</a> */
  private void endOfDocument() {
    document.updateReadiness(Document.Readiness.INTERACTIVE); // 3
    parsed = true;
    executeDeferred();
  }

  /** Runs steps 5 to 9 of "the end"; returns early if a script is not ready. */
  private void executeDeferred() {
    // 5
    if (!document.scripts().executeWhenParsed()) {
      return;
    }
    if (contentLoaded) {
      return;
    }
    contentLoaded = true;
    // 6
    window
        .realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "DOMContentLoaded",
            () -> {
              document.fire(new Event(window.realm(), "DOMContentLoaded", true, false));
              WhenParsed.of(window.realm()).parsed();
            });
    // 7 and 8
    document.loading().whenNothingDelaysLoad(this::queueLoad);
  }

  private void queueLoad() {
    // 9
    window
        .realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "load",
            () -> {
              if (document.loading().isLoadEventDelayed()) {
                document
                    .loading()
                    .whenNothingDelaysLoad(this::queueLoad); // delayed in DOMContentLoaded
                return;
              }
              document.updateReadiness(Document.Readiness.COMPLETE);
              window.fireWithTarget(new Event(window.realm(), "load", false, false), document);
              window.pageShow();
              loaded.complete(null);
            });
  }
}
