package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.dom.Event;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.global.Reports;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jsoup.nodes.Entities;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jspecify.annotations.Nullable;

/**
 * Loads one document into a new window: fetches it, parses it piece by piece, runs its scripts
 * where they stand, and fires the load events.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/parsing.html">HTML: parsing</a>
 */
final class DocumentLoader {

  /** Types that mean a classic script. */
  private static final Set<String> CLASSIC =
      Set.of(
          "",
          "application/ecmascript",
          "application/javascript",
          "application/x-ecmascript",
          "application/x-javascript",
          "text/ecmascript",
          "text/javascript",
          "text/javascript1.0",
          "text/javascript1.1",
          "text/javascript1.2",
          "text/javascript1.3",
          "text/javascript1.4",
          "text/javascript1.5",
          "text/jscript",
          "text/livescript",
          "text/x-ecmascript",
          "text/x-javascript");

  /** A node that the parser has put into the tree too early, and where it belongs. */
  private record Ahead(org.jsoup.nodes.Element parent, org.jsoup.nodes.Node node) {}

  private final List<Ahead> ahead = new ArrayList<>();

  /** A module script; without URL it stands in the document. */
  private final class ModuleElement {
    private final HtmlScriptElement script;
    private final boolean async;
    private final @Nullable UrlRecord url;

    /** What its specifiers are relative to, and its text, as they are when it is parsed. */
    private final UrlRecord baseUrl = document.baseUrl();

    private final String text;
    private boolean ready;

    ModuleElement(HtmlScriptElement script, boolean async, @Nullable UrlRecord url) {
      this.script = script;
      this.async = async;
      this.url = url;
      this.text = url == null ? script.text() : "";
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#list-of-scripts-that-will-execute-when-the-document-has-finished-parsing">list
   * of scripts that will execute when the document has finished parsing</a>
   */
  private final Deque<ModuleElement> deferred = new ArrayDeque<>();

  /**
   * How many there are in the <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#set-of-scripts-that-will-execute-as-soon-as-possible">set
   * of scripts that will execute as soon as possible</a>.
   */
  private int executeSoon;

  private boolean parsed;
  private boolean contentLoaded;

  private final boolean scripting;
  private final CompletableFuture<Void> loaded;
  private final StreamParser parser;
  private final Window window;
  private final Document document;

  private DocumentLoader(
      CompletableFuture<Void> loaded,
      Window window,
      FetchResponse response,
      @Nullable UrlRecord aboutBaseUrl,
      boolean scripting,
      boolean discarded) {
    this.loaded = loaded;
    this.window = window;
    this.scripting = scripting;
    this.parser = new StreamParser(Parser.htmlParser());
    parser.parse(new StringReader(markupOf(response)), response.url());
    this.document = new Document(window, parser.document(), discarded);
    document.inheritBaseUrl(aboutBaseUrl);
    window.setDocument(document);
  }

  /**
   * Loads a document into a window that has none. On its event loop.
   *
   * @param aboutBaseUrl what the URLs of an {@code about:} document are relative to
   * @param scripting whether its scripts run
   * @param discarded whether this is a window again that was discarded
   * @param onLoaded runs after the load event
   * @param onFailure gets a defect that kept it from being loaded
   */
  static void load(
      Window window,
      FetchResponse response,
      @Nullable UrlRecord aboutBaseUrl,
      boolean scripting,
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
    new DocumentLoader(loaded, window, response, aboutBaseUrl, scripting, discarded).parse();
  }

  /**
   * What is shown of a response: pages as they are, other texts as they stand, of anything else
   * nothing.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-lifecycle.html#loading-a-document">HTML:
   *     loading a document</a>
   */
  private static String markupOf(FetchResponse response) {
    String type = response.header("content-type");
    String essence =
        type == null ? "text/html" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (essence.isEmpty() || essence.equals("text/html") || essence.endsWith("xml")) {
      return response.text();
    }
    return essence.startsWith("text/") || essence.endsWith("json") || essence.endsWith("javascript")
        ? "<pre>\n" + Entities.escape(response.text()) + "</pre>"
        : "";
  }

  /**
   * Whoever waits for the document learns of a defect on the way; of an ending agent, at its end.
   */
  private static void orFail(Agent agent, CompletableFuture<Void> loaded, Runnable steps) {
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
    orFail(window.realm().agent(), loaded, this::parseOn);
  }

  /** Parses on; leaves where a script has to be fetched, and is called again with its response. */
  private void parseOn() {
    org.jsoup.nodes.Element next;
    while ((next = nextStop()) != null) {
      if (window.isDestroyed()) {
        return;
      }
      hideWhatFollows(next);
      document.treeChanged();
      runInsertionSteps();
      if (!(document.nodeOf(next) instanceof HtmlScriptElement script)
          || script.isAlreadyStarted()) {
        continue;
      }
      if (!scripting) {
        continue;
      }
      script.markAlreadyStarted();
      String type = script.attributeOrEmpty("type").strip().toLowerCase(Locale.ROOT);
      if (type.equals("module")) {
        prepareModule(script);
      } else if (!CLASSIC.contains(type) || script.attribute("nomodule") != null) {
        continue; // a data block, or for those who know no modules
      } else if (script.attribute("src") == null) {
        execute(script, ModuleScripts.classicScript(script.text(), document.sourceName()));
      } else {
        fetch(script);
        return;
      }
    }
    document.treeChanged();
    runInsertionSteps();
    endOfDocument();
  }

  /** For all that the parser has put into the document. */
  private void runInsertionSteps() {
    Mutation.withSteps(document).forEach(Node::runInsertionSteps);
  }

  /**
   * The parser gives a script only when it has begun the next element, which the script must not
   * find in the document yet.
   */
  private void hideWhatFollows(org.jsoup.nodes.Node script) {
    for (org.jsoup.nodes.Node at = script; at != null; at = at.parent()) {
      org.jsoup.nodes.Node next;
      while ((next = at.nextSibling()) != null) {
        ahead.add(new Ahead((org.jsoup.nodes.Element) Objects.requireNonNull(next.parent()), next));
        next.remove();
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
      if (ElementKinds.mayRunScript(whole)) {
        return whole;
      }
    }
    return null;
  }

  /**
   * The part for modules of <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element">prepare
   * the script element</a>.
   */
  private void prepareModule(HtmlScriptElement script) {
    UrlRecord url = null;
    String src = script.attribute("src");
    if (src != null) {
      // 31
      url = src.isEmpty() ? null : UrlParser.parse(src, document.baseUrl());
      if (url == null) {
        window
            .realm()
            .queueTask(TaskSource.DOM_MANIPULATION, "bad script URL", () -> reportFailure(script));
        return;
      }
    } else if (script.text().isEmpty()) {
      return; // 6
    }
    ModuleElement module = new ModuleElement(script, script.attribute("async") != null, url);
    if (module.async) {
      executeSoon++;
    } else {
      deferred.add(module);
    }
    boolean withCredentials =
        script.attributeOrEmpty("crossorigin").equalsIgnoreCase("use-credentials");
    FetchRequest.Credentials credentials =
        withCredentials ? FetchRequest.Credentials.INCLUDE : FetchRequest.Credentials.SAME_ORIGIN;
    ModuleScripts modules = ModuleScripts.of(window.realm());
    if (url != null) {
      modules.fetchGraph(url, credentials, () -> onReady(module));
    } else {
      modules.fetchInlineGraph(module.text, module.baseUrl, credentials, () -> onReady(module));
    }
  }

  /** In a task. */
  private void onReady(ModuleElement module) {
    orFail(
        window.realm().agent(),
        loaded,
        () -> {
          module.ready = true;
          if (module.async) {
            execute(module);
            executeSoon--;
            loadIfDone();
          } else if (parsed) {
            executeDeferred();
          }
        });
  }

  private void execute(ModuleElement module) {
    ModuleScripts modules = ModuleScripts.of(window.realm());
    ModuleScripts.Listener listener =
        new ModuleScripts.Listener() {
          @Override
          public void onStarted(boolean awaits) {
            fireLoad();
          }

          @Override
          public void onFailed(@Nullable Value error) {
            if (error == null) {
              reportFailure(module.script);
            } else {
              window.reportException(error);
              fireLoad();
            }
          }

          private void fireLoad() {
            if (module.url != null) {
              module.script.fire(new Event(window.realm(), "load", false, false));
            }
          }
        };
    if (module.url != null) {
      modules.run(module.url, listener);
    } else {
      modules.runInline(document.sourceName(), module.baseUrl, module.text, listener);
    }
  }

  private void fetch(HtmlScriptElement script) {
    String src = script.attributeOrEmpty("src");
    UrlRecord url = src.isEmpty() ? null : UrlParser.parse(src, document.baseUrl());
    if (url == null) {
      window.realm().queueTask(TaskSource.DOM_MANIPULATION, "bad script URL", () -> failed(script));
      return;
    }
    Fetcher.fetchFor(
        window.realm(),
        FetchRequest.to(url)
            .destination(FetchRequest.Destination.SCRIPT)
            .credentials(FetchRequest.Credentials.INCLUDE)
            .build(),
        response -> {
          if (response.ok()) {
            execute(script, ModuleScripts.classicScript(response.text(), response.url()));
            script.fire(new Event(window.realm(), "load", false, false));
            parse();
          } else {
            failed(script);
          }
        },
        reason -> failed(script));
  }

  private void failed(HtmlScriptElement script) {
    reportFailure(script);
    parse();
  }

  private void reportFailure(HtmlScriptElement script) {
    Reports.of(window.realm())
        .consoleMessage(window.realm(), "error", "script failed to load: " + script.src());
    script.fire(new Event(window.realm(), "error", false, false));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#execute-the-script-element">execute
   * the script element</a>
   */
  private void execute(HtmlScriptElement script, Source source) {
    document.setCurrentScript(script);
    window.binding().runClassicScript(source);
    document.setCurrentScript(null);
  }

  /** <a href="https://html.spec.whatwg.org/multipage/parsing.html#the-end">the end</a> */
  private void endOfDocument() {
    document.updateReadiness(Document.Readiness.INTERACTIVE); // 3
    parsed = true;
    executeDeferred();
  }

  /** Steps 5 to 9 of the end; leaves where a script is not ready. */
  private void executeDeferred() {
    // 5
    ModuleElement next;
    while ((next = deferred.peek()) != null) {
      if (!next.ready) {
        return;
      }
      deferred.remove();
      execute(next);
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
    loadIfDone();
  }

  private void loadIfDone() {
    // 7 and 8
    if (!contentLoaded || executeSoon > 0) {
      return;
    }
    window.whenNothingDelaysLoad(this::queueLoad);
  }

  private void queueLoad() {
    // 9
    window
        .realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "load",
            () -> {
              document.updateReadiness(Document.Readiness.COMPLETE);
              window.fireWithTarget(new Event(window.realm(), "load", false, false), document);
              window.pageShow();
              loaded.complete(null);
            });
  }
}
