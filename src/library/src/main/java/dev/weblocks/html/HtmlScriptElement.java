package dev.weblocks.html;

import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.encoding.Decoding;
import dev.weblocks.encoding.Encoding;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.MimeType;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.global.Reports;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code HTMLScriptElement} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/scripting.html#the-script-element">HTML</a>
 */
final class HtmlScriptElement extends HtmlElement {

  /** The result of preparation: the script to run, or a failure. */
  private sealed interface Result {
    record Classic(Source source) implements Result {}

    /** A module whose fetch by {@link ModuleScripts} has succeeded or failed. */
    record Module(UrlRecord url) implements Result {}

    record InlineModule(String text, UrlRecord baseUrl) implements Result {}

    record Failed() implements Result {}
  }

  /**
   * The <a href="https://html.spec.whatwg.org/multipage/scripting.html#parser-document">parser
   * document</a>; null unless the parser of a document made the element.
   */
  private @Nullable Document parserDocument;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#preparation-time-document">preparation-time
   * document</a>
   */
  private @Nullable Document preparationTimeDocument;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/scripting.html#script-force-async">force
   * async</a>
   */
  private boolean forceAsync;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/scripting.html#concept-script-external">from an
   * external file</a>
   */
  private boolean fromExternalFile;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/scripting.html#already-started">already
   * started</a>
   */
  private boolean alreadyStarted;

  /** The result of preparation; null while it is "uninitialized". */
  private @Nullable Result result;

  private Runnable stepsWhenReady = () -> {};
  private boolean delaysLoadEvent;

  /** Creates the object of a jsoup element, marked as made by a parser. */
  HtmlScriptElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
    parserDocument = document;
  }

  /** Marks the element as not made by a parser. */
  void madeByScript() {
    parserDocument = null;
    forceAsync = true;
  }

  /** Marks the element as made by the parser of a fragment. */
  void markAlreadyStarted() {
    parserDocument = null;
    alreadyStarted = true;
  }

  @Override
  protected void copySpecialsTo(Element copy) {
    ((HtmlScriptElement) copy).alreadyStarted = alreadyStarted;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-child-text-content">child text content</a> */
  String text() {
    return childText(tree());
  }

  @Override
  protected void inserted() {
    prepareIfConnected();
  }

  @Override
  protected void childrenChanged() {
    prepareIfConnected();
  }

  @Override
  protected void attributeChanged(
      String localName, @Nullable String oldValue, @Nullable String newValue) {
    if (localName.equals("async") && newValue != null) {
      forceAsync = false;
    } else if (localName.equals("src") && oldValue == null) {
      prepareIfConnected();
    }
  }

  private void prepareIfConnected() {
    if (parserDocument == null && isConnected()) {
      prepare();
    }
  }

  /**
   * Returns the type of the script.
   *
   * @return "classic", "module", "importmap", or null for no script
   */
  private @Nullable String scriptType() {
    // 8.
    String type = attribute("type");
    String language = attribute("language");
    String typeString;
    if (type != null) {
      typeString = type.isEmpty() ? "text/javascript" : strip(type);
    } else {
      typeString = language == null || language.isEmpty() ? "text/javascript" : "text/" + language;
    }
    // 9. to 12.
    String lower = AsciiCase.lower(typeString);
    if (MimeType.isJavaScript(lower)) {
      return "classic";
    }
    return lower.equals("module") || lower.equals("importmap") ? lower : null;
  }

  private static String strip(String text) {
    return text.replaceAll("^[\\t\\n\\f\\r ]+|[\\t\\n\\f\\r ]+$", "");
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element">prepare
   * the script element</a>. Script-blocking style sheets are not implemented.
   */
  void prepare() {
    // 1.
    if (alreadyStarted) {
      return;
    }
    // 2. and 3.
    Document parser = parserDocument;
    parserDocument = null;
    // 4.
    if (parser != null && attribute("async") == null) {
      forceAsync = true;
    }
    // 5. to 7.
    String text = text();
    if ((attribute("src") == null && text.isEmpty()) || !isConnected()) {
      return;
    }
    // 8. to 12.
    String type = scriptType();
    if (type == null) {
      return;
    }
    // 13.
    if (parser != null) {
      parserDocument = parser;
      forceAsync = false;
    }
    // 14. and 15.
    alreadyStarted = true;
    preparationTimeDocument = document();
    // 16.
    boolean parserInserted = parser != null;
    if (parserInserted && parser != document()) {
      return;
    }
    // 17. and 18.
    boolean module = type.equals("module");
    boolean classic = type.equals("classic");
    if (!document().isScriptingEnabled() || (attribute("nomodule") != null && classic)) {
      return;
    }
    // 20.
    if (classic && isForOtherEvent()) {
      return;
    }
    // 21.
    Encoding encoding = Encoding.get(attributeOrEmpty("charset"));
    if (encoding == null) {
      encoding = document().encoding();
    }
    // 22. and 23.
    String crossOrigin = crossOrigin();
    boolean withCredentials = "use-credentials".equals(crossOrigin);
    // 32. and 33.
    if (attribute("src") != null) {
      if (type.equals("importmap")) {
        realm().queueTask(TaskSource.DOM_MANIPULATION, "import map with src", this::fail);
        return;
      }
      String src = attributeOrEmpty("src");
      UrlRecord url = src.isEmpty() ? null : document().encodingParse(src);
      if (url == null) {
        realm().queueTask(TaskSource.DOM_MANIPULATION, "bad script URL", this::fail);
        return;
      }
      fromExternalFile = true;
      delayLoadEvent();
      if (module) {
        ModuleScripts.of(document().realm())
            .fetchGraph(
                url,
                moduleCredentials(withCredentials),
                attribute("integrity"),
                () -> markAsReady(new Result.Module(url)));
      } else {
        fetch(url, crossOrigin, withCredentials, encoding);
      }
    } else if (module) {
      delayLoadEvent();
      UrlRecord baseUrl = document().baseUrl();
      ModuleScripts.of(document().realm())
          .fetchInlineGraph(
              text,
              baseUrl,
              moduleCredentials(withCredentials),
              () -> markAsReady(new Result.InlineModule(text, baseUrl)));
    } else if (type.equals("importmap")) {
      ModuleScripts.of(document().realm()).registerImportMap(text, document().baseUrl());
      return;
    } else {
      // 35., the last
      result = new Result.Classic(ModuleScripts.classicScript(text, document().sourceName()));
      execute();
      return;
    }
    // 34.
    DocumentScripts scripts = document().scripts();
    if (attribute("async") != null || forceAsync) {
      stepsWhenReady = this::execute;
    } else if (!parserInserted) {
      scripts.addInOrder(this);
      stepsWhenReady = scripts::executeInOrder;
    } else if (attribute("defer") != null || module) {
      scripts.addWhenParsed(this);
      stepsWhenReady = scripts::parserScriptIsReady;
    } else {
      scripts.setParsingBlocking(this);
      stepsWhenReady = scripts::parserScriptIsReady;
    }
  }

  /** Returns whether {@code for} and {@code event} name an event other than load of the window. */
  private boolean isForOtherEvent() {
    String forWhat = attribute("for");
    String event = attribute("event");
    if (forWhat == null || event == null) {
      return false;
    }
    String name = AsciiCase.lower(strip(event));
    return !AsciiCase.lower(strip(forWhat)).equals("window")
        || !(name.equals("onload") || name.equals("onload()"));
  }

  private static FetchRequest.Credentials moduleCredentials(boolean withCredentials) {
    return withCredentials
        ? FetchRequest.Credentials.INCLUDE
        : FetchRequest.Credentials.SAME_ORIGIN;
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-classic-script">fetch a
   * classic script</a>
   */
  private void fetch(
      UrlRecord url, @Nullable String crossOrigin, boolean withCredentials, Encoding encoding) {
    // https://html.spec.whatwg.org/multipage/urls-and-fetching.html#create-a-potential-cors-request
    boolean cors = crossOrigin != null;
    Fetcher.fetchFor(
        document().realm(),
        FetchRequest.to(url)
            .destination(FetchRequest.Destination.SCRIPT)
            .mode(cors ? FetchRequest.Mode.CORS : FetchRequest.Mode.NO_CORS)
            .credentials(
                cors && !withCredentials
                    ? FetchRequest.Credentials.SAME_ORIGIN
                    : FetchRequest.Credentials.INCLUDE)
            .integrity(attributeOrEmpty("integrity"))
            .build(),
        response -> markAsReady(response.ok() ? classic(response, encoding) : new Result.Failed()),
        reason -> markAsReady(new Result.Failed()));
  }

  private Result classic(FetchResponse response, Encoding fallback) {
    Encoding encoding = EncodingSniffing.ofScript(response, fallback);
    String text = Decoding.decode(document().realm(), response.bytes(), encoding);
    Source source = ModuleScripts.classicScript(text, response.url());
    if (response.type() == FetchResponse.Type.OPAQUE) {
      GlobalScope.of(document().realm()).muteErrors(source);
    }
    return new Result.Classic(source);
  }

  private void delayLoadEvent() {
    delaysLoadEvent = true;
    document().loading().delayLoadEvent();
  }

  /**
   * Stores the result and runs the steps that wait for it. Called in a task.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/scripting.html#mark-as-ready">mark as
   *     ready</a>
   */
  private void markAsReady(Result found) {
    Document document = document();
    document
        .scripts()
        .guarded(() -> {
          result = found;
          stepsWhenReady.run();
        });
  }

  boolean isReady() {
    return result != null;
  }

  /**
   * Executes the script, then stops delaying the load event.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/scripting.html#execute-the-script-element">execute
   *     the script element</a>
   */
  void execute() {
    Document document = document();
    // 1. and 2.
    if (preparationTimeDocument == document) {
      run(document);
    }
    Document delayed = preparationTimeDocument;
    if (delaysLoadEvent && delayed != null) {
      delaysLoadEvent = false;
      delayed.loading().loadEventMayCome();
    }
  }

  /** Runs steps 4 to 8 of {@link #execute}. */
  private void run(Document document) {
    switch (result) {
      case null -> throw new IllegalStateException("a script ran before it was ready");
      case Result.Failed failed -> fail();
      case Result.Classic classic -> {
        HtmlScriptElement old = document.currentScript();
        document.setCurrentScript(this);
        try {
          document.binding().scripts().run(classic.source());
        } finally {
          document.setCurrentScript(old);
        }
        if (fromExternalFile) {
          fire(new Event(realm(), "load", false, false));
        }
      }
      case Result.Module module ->
          ModuleScripts.of(document.realm()).run(module.url(), new ModuleEvents(document));
      case Result.InlineModule module ->
          ModuleScripts.of(document.realm())
              .runInline(
                  document.sourceName(),
                  module.baseUrl(),
                  module.text(),
                  new ModuleEvents(document));
    }
  }

  private final class ModuleEvents implements ModuleScripts.Listener {
    private final Document document;

    ModuleEvents(Document document) {
      this.document = document;
    }

    @Override
    public void onStarted(boolean awaits) {
      fireLoad();
    }

    @Override
    public void onFailed(@Nullable Value error, String reason) {
      if (error == null) {
        fail(": " + reason);
      } else {
        GlobalScope.of(document.realm()).reportException(error);
        fireLoad();
      }
    }

    private void fireLoad() {
      if (fromExternalFile) {
        fire(new Event(realm(), "load", false, false));
      }
    }
  }

  private void fail() {
    fail("");
  }

  private void fail(String reason) {
    Reports.of(realm())
        .consoleMessage(
            realm(), "error", "script failed to load: " + Reflection.url(this, "src") + reason);
    fire(new Event(realm(), "error", false, false));
  }

  /** Returns the state of the attribute {@code crossorigin}; null for none. */
  private @Nullable String crossOrigin() {
    String value = attribute("crossorigin");
    if (value == null) {
      return null;
    }
    return AsciiCase.lower(value).equals("use-credentials") ? "use-credentials" : "anonymous";
  }

  private void setCrossOrigin(@Nullable String value) {
    if (value == null) {
      removeAttribute("crossorigin");
    } else {
      setAttribute("crossorigin", value);
    }
  }

  /** <a href="https://html.spec.whatwg.org/multipage/scripting.html#dom-script-async">async</a> */
  private void setAsync(boolean value) {
    // 1.
    forceAsync = false;
    // 2. and 3.
    if (value) {
      setAttribute("async", "");
    } else {
      removeAttribute("async");
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLScriptElement", HtmlScriptElement.class)
        .getter("async", script -> script.forceAsync || script.attribute("async") != null)
        .setter("async", (script, args) -> script.setAsync(args.bool(0)))
        .getter("crossOrigin", HtmlScriptElement::crossOrigin)
        .setter("crossOrigin", (script, args) -> script.setCrossOrigin(args.stringOrNull(0)))
        .getter("text", HtmlScriptElement::text)
        .setter("text", (script, args) -> script.setTextContent(args.string(0)))
        .staticOperation(
            "supports", args -> Set.of("classic", "module", "importmap").contains(args.string(0)));
  }
}
