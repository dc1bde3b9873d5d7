package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.CallStack;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventHandlers;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.dom.RelativeTime;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The global object of a realm. It has the members that windows and workers share.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#windoworworkerglobalscope">HTML</a>
 */
public abstract class GlobalScope extends EventTarget {

  private final Timers timers;
  private @Nullable Performance performance;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#in-error-reporting-mode">in
   * error reporting mode</a>
   */
  private boolean inErrorReportingMode;

  private boolean reportsRejections;
  private boolean preloaded;

  /** The information reported about an exception in a script whose errors are muted. */
  private static final ErrorInformation MUTED =
      new ErrorInformation("Script error.", "", 0, 0, null);

  private final Set<Source> mutedScripts = new HashSet<>();

  protected GlobalScope(Realm realm) {
    super(realm);
    this.timers = new Timers(realm);
    RelativeTime.originOf(realm);
  }

  /** Returns the global of a realm. */
  public static GlobalScope of(Realm realm) {
    return realm.supplements().require(GlobalScope.class);
  }

  /**
   * Returns whether the document is fully active; always true for a global without a document.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#fully-active">HTML</a>
   */
  public boolean isFullyActive() {
    return true;
  }

  /**
   * Returns the base of relative URLs that script passes to an API.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#api-base-url">API base
   *     URL</a>
   */
  public UrlRecord apiBaseUrl() {
    return UrlParser.parseAbsolute(realm().settings().creationUrl());
  }

  /**
   * Parses a URL that script passes to an API; its query is encoded in the encoding of the document
   * of a window, else in UTF-8.
   *
   * @return null on failure
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url">encoding-parse
   *     a URL</a>
   */
  public @Nullable UrlRecord encodingParse(String url) {
    return UrlParser.parse(url, apiBaseUrl());
  }

  /**
   * Mutes the errors of a classic script fetched cross-origin without CORS: reports lack details.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#muted-errors">muted
   *     errors</a>
   */
  public final void muteErrors(Source script) {
    mutedScripts.add(script);
  }

  /** Makes this the realm's global object and listens for unhandled rejections. */
  public final void becomeGlobal() {
    realm().supplements().put(GlobalScope.class, this);
    handlers().handleSpecially(this::callSpecialHandler);
    binding().global().brand(this);
    reportsRejections = binding().promises().onUnhandledRejection(this::unhandledRejection);
  }

  /**
   * Runs the preload scripts; no-op after the first call. Their exceptions go to {@link Reports},
   * and fire no event: the first scripts of the page run later.
   */
  public final void runPreloadScripts() {
    if (preloaded) {
      return;
    }
    preloaded = true;
    GlobalSettings.of(realm().agent().userAgent())
        .preloadScripts()
        .forEach(script -> binding().scripts().run(script, value -> {}, this::preloadFailed));
  }

  private void preloadFailed(PolyglotException thrown) {
    Value exception = thrown.getGuestObject();
    if (exception != null) { // null for a failure of the engine, which is reported
      Reports.of(realm()).preloadFailed(realm(), informationOf(exception));
    }
  }

  /** Returns whether the context reports unhandled rejections of promises to this global. */
  public final boolean reportsRejections() {
    return reportsRejections;
  }

  /** Handles an exception that no listener handled; by default, sends it to {@link Reports}. */
  protected void reportUnhandled(ErrorInformation error) {
    Reports.of(realm()).uncaughtError(realm(), error);
  }

  /**
   * Reports an exception.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception">report an
   *     exception</a>
   */
  public final void reportException(Value exception) {
    // 2. and 3.
    SourceSection at = thrownAt(exception);
    if (at != null && mutedScripts.contains(at.getSource())) {
      report(MUTED, binding().values().nullValue()); // 4.
    } else {
      report(extractError(exception, at), exception);
    }
  }

  /** Returns the information about an exception, without reporting the exception. */
  public final ErrorInformation informationOf(Value exception) {
    return extractError(exception, thrownAt(exception));
  }

  private @Nullable SourceSection thrownAt(Value exception) {
    SourceSection known = binding().scripts().takeThrownAt();
    SourceSection section = sourceOf(exception);
    return section == null ? known : section;
  }

  /**
   * Reports an error of a worker that neither the worker nor the error event of its {@code Worker}
   * object has handled. The error of the event is null.
   */
  public final void reportFromWorker(ErrorInformation error) {
    // 5.
    report(error, binding().values().nullValue());
  }

  /**
   * Runs steps 6 and 7 of "report an exception". Does nothing if the agent is about to end, since
   * the end may be what the script has met.
   */
  private void report(ErrorInformation error, Value exception) {
    if (isEnding()) {
      return;
    }
    boolean notHandled = true;
    // 6.
    if (!inErrorReportingMode) {
      inErrorReportingMode = true;
      try {
        notHandled = fire(error.event(realm(), exception));
      } finally {
        inErrorReportingMode = false;
      }
    }
    // 7.
    if (notHandled) {
      reportUnhandled(error);
    }
  }

  private boolean isEnding() {
    return realm().agent().userAgent().isEnding(realm().agent());
  }

  /**
   * Reports a value. If the value has no source location, reports the location of the call.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#dom-reporterror">reportError()</a>
   */
  private void reportError(Value exception) {
    SourceSection section = sourceOf(exception);
    if (section == null) {
      section = sourceOf(binding().values().exception(ScriptException.typeError("")));
    }
    report(extractError(exception, section), exception);
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#extract-error">extract error
   * information</a>
   *
   * @param section the position at which the exception was thrown, null if unknown
   */
  private ErrorInformation extractError(Value exception, @Nullable SourceSection section) {
    RealmBinding binding = binding();
    String stack = binding.errors().stack(exception);
    String filename = "";
    int line = 0;
    int column = 0;
    if (section != null) {
      filename = CallStack.nameOf(section.getSource());
      line = section.getStartLine();
      column = section.getStartColumn();
    }
    return new ErrorInformation(
        "Uncaught " + binding.errors().text(exception), filename, line, column, stack);
  }

  /**
   * Returns the position at which page code threw an error; null if unknown, or if the value is not
   * an exception. Does not read the stack property, because a page may set it to anything.
   */
  private static @Nullable SourceSection sourceOf(Value exception) {
    if (!exception.isException()) {
      return null;
    }
    try {
      throw exception.throwException();
    } catch (PolyglotException thrown) {
      SourceSection section = thrown.getSourceLocation();
      if (section != null && !CallStack.isHidden(section.getSource())) {
        return section;
      }
      for (PolyglotException.StackFrame frame : thrown.getPolyglotStackTrace()) {
        SourceSection at = frame.isGuestFrame() ? frame.getSourceLocation() : null;
        if (at != null && !CallStack.isHidden(at.getSource())) {
          return at;
        }
      }
      return null;
    }
  }

  /** Calls {@code onerror} with its five arguments; the result true cancels the event. */
  protected @Nullable Boolean callSpecialHandler(Event event, Value callback) {
    if (!event.interfaceName().equals("ErrorEvent") || !event.type().equals("error")) {
      return null;
    }
    Value result =
        binding()
            .callbacks()
            .callAndReport(
                callback,
                object(),
                event.attribute("message"),
                event.attribute("filename"),
                event.attribute("lineno"),
                event.attribute("colno"),
                event.attribute("error"));
    return EventHandlers.returned(result, true);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#notify-about-rejected-promises">notify
   * about rejected promises</a>
   */
  private void unhandledRejection(Value reason, Value promise) {
    realm()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            "unhandled rejection",
            () -> {
              if (!isEnding()
                  && fire(
                      new Event(realm(), "PromiseRejectionEvent", "unhandledrejection", false, true)
                          .with("promise", promise)
                          .with("reason", reason))) {
                ErrorInformation error = extractError(reason, sourceOf(reason));
                Reports.of(realm())
                    .uncaughtError(
                        realm(),
                        new ErrorInformation(
                            error.message().replaceFirst("^Uncaught", "Uncaught (in promise)"),
                            error.filename(),
                            error.line(),
                            error.column(),
                            error.stack()));
              }
            });
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#dom-queuemicrotask">queueMicrotask()</a>
   */
  private void queueMicrotask(Value callback) {
    RealmBinding.of(binding().callbacks().associatedRealm(callback))
        .promises()
        .queueMicrotask(callback);
  }

  /** Throws a {@link ScriptException} if this global may not compile strings as code. */
  protected void ensureStringsMayBeCompiled() {}

  private int startTimer(Arguments args, boolean repeat) {
    Value handler = args.any(0);
    List<Value> rest = new ArrayList<>();
    for (int i = 0; i < args.variadicCount(2); i++) {
      rest.add(args.variadic(2, i));
    }
    Object[] arguments = rest.toArray();
    String label = repeat ? "setInterval()" : "setTimeout()";
    Runnable steps;
    if (handler.isString()) {
      ensureStringsMayBeCompiled();
      Source source = ScriptSource.classic(handler.asString(), realm().settings().creationUrl());
      steps = () -> binding().scripts().run(source);
    } else {
      RealmBinding ofHandler = RealmBinding.of(binding().callbacks().associatedRealm(handler));
      steps = () -> ofHandler.callbacks().callAndReport(handler, object(), arguments);
    }
    return timers.initialize(args.integer(1), repeat, label, steps);
  }

  /** <a href="https://html.spec.whatwg.org/multipage/webappapis.html#dom-btoa">btoa(data)</a> */
  private String btoa(String data) {
    String encoded = ForgivingBase64.encode(data);
    if (encoded == null) {
      throw invalidCharacter(
          "btoa", "The string to be encoded contains characters outside of the Latin1 range.");
    }
    return encoded;
  }

  /** <a href="https://html.spec.whatwg.org/multipage/webappapis.html#dom-atob">atob(data)</a> */
  private String atob(String data) {
    String decoded = ForgivingBase64.decode(data);
    if (decoded == null) {
      throw invalidCharacter("atob", "The string to be decoded is not correctly encoded.");
    }
    return decoded;
  }

  private ScriptException invalidCharacter(String operation, String why) {
    boolean window = realm().settings().globalNames().contains("Window");
    return ScriptException.dom(
        "InvalidCharacterError",
        "Failed to execute '%s' on '%s': %s"
            .formatted(operation, window ? "Window" : "WorkerGlobalScope", why));
  }

  private Performance performance() {
    Performance existing = performance;
    if (existing == null) {
      existing = new Performance(realm());
      performance = existing;
    }
    return existing;
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("WindowOrWorkerGlobalScope", GlobalScope.class)
        .getter("origin", global -> global.realm().settings().origin().serialize())
        .getter("isSecureContext", global -> global.realm().settings().secureContext())
        .getter("crossOriginIsolated", global -> false)
        .action("reportError", (global, args) -> global.reportError(args.any(0)))
        .operation("setTimeout", (global, args) -> global.startTimer(args, false))
        .action("clearTimeout", (global, args) -> global.timers.clear(args.integer(0)))
        .operation("setInterval", (global, args) -> global.startTimer(args, true))
        .action("clearInterval", (global, args) -> global.timers.clear(args.integer(0)))
        .action("queueMicrotask", (global, args) -> global.queueMicrotask(args.function(0)))
        .operation("btoa", (global, args) -> global.btoa(args.string(0)))
        .operation("atob", (global, args) -> global.atob(args.string(0)))
        .getter("performance", GlobalScope::performance);
  }
}
