package dev.weblocks.fetch;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.ModuleFile;
import dev.weblocks.agent.ModuleLoader;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.binding.CallStack;
import dev.weblocks.binding.Promises;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The module scripts of a realm, and its module map. Used on the event loop of its agent. The
 * engine links and evaluates modules and keeps their records. It loads each module once,
 * synchronously in the import that needs it; the agent pauses until that module is fetched.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#module-script">module
 *     script</a>
 */
public final class ModuleScripts {

  /** A listener for the outcome of a top-level module script, called on the event loop. */
  public interface Listener {

    /**
     * Called when the script has run to its end or first top-level await, and microtasks have run.
     *
     * @param awaits whether the script, or a module that it depends on, has a top-level await
     */
    default void onStarted(boolean awaits) {}

    /** Called when the script and all its dependencies have been evaluated to the end. */
    default void onEvaluated() {}

    /** Called when the script or its linking has thrown an exception, which has been reported. */
    default void onThrown() {}

    /**
     * Called when the script cannot run; nothing has been evaluated and nothing reported.
     *
     * @param error the script's error to rethrow: a module cannot be parsed, or a specifier
     *     resolves to no URL; null if a module could not be fetched
     * @param reason why not, for the console, if there is no error
     */
    void onFailed(@Nullable Value error, String reason);
  }

  /** The outcome of loading a top-level module script, final when {@link #load} returns. */
  private static final class Loading {
    /** Why a module could not be fetched. */
    @Nullable String failure;

    @Nullable String resolutionError;

    /** The error of a JSON module that cannot be parsed. */
    @Nullable Value notJson;

    boolean complete;
    @Nullable Value reason;
  }

  /** The end of the engine's error message for a JSON module imported as script, or vice versa. */
  private static final String WRONG_TYPE = "Invalid module type was asserted";

  private final Realm realm;
  private final RealmBinding binding;
  private final ModuleMap modules;
  private final Value importAndCount;
  private final ActiveScripts active;

  /** The URL scheme of internal modules and inline scripts; pages cannot guess it. */
  private final String secret;

  private final Map<String, ModuleFile> ownModules = new HashMap<>();

  /** The specifiers of JSON modules that own modules import. */
  private final Set<String> importedJson = new HashSet<>();

  private int runs;
  private @Nullable Loading loading;

  /** The inline module that is being loaded and run; null for none. */
  private ModuleMap.@Nullable Fetched inline;

  /** The URL of the external script that is being loaded and run; null for none. */
  private @Nullable String topLevel;

  private ModuleScripts(Realm realm) {
    this.realm = realm;
    this.binding = RealmBinding.of(realm);
    this.modules = new ModuleMap(realm);
    this.secret = CallStack.HIDDEN + realm.agent().userAgent().ids().nextUuid() + ":";
    this.importAndCount = realm.evaluate(Resources.script(ModuleScripts.class, "modules.js"));
    this.active = new ActiveScripts(realm.agent(), binding, importAndCount);
  }

  /** Returns the module scripts of a realm whose global object exists. */
  public static ModuleScripts of(Realm realm) {
    return realm.supplements().get(ModuleScripts.class, () -> new ModuleScripts(realm));
  }

  /**
   * Returns the source of a classic script, changed so that data URLs in its {@code import()} calls
   * are fetched like other URLs, and the types of these calls compared here.
   *
   * @param url the URL that stacks show
   */
  public static Source classicScript(String text, String url) {
    String seen =
        text.contains("data:") || ModuleRequests.mayHaveTypedCall(text)
            ? ModuleSpecifiers.forEngine(text, ModuleRequests.of(text), /* remapsUrls= */ false)
            : text;
    return ScriptSource.classic(seen, url);
  }

  /** Returns the loader of modules for the engine; it uses the module map of the current realm. */
  public static ModuleLoader loaderOf(Agent agent) {
    return (importer, specifier, exact) ->
        of(agent.currentRealm()).find(importer, specifier, exact);
  }

  /**
   * Fetches a top-level module script with all its dependencies, and calls back in a task. Modules
   * already fetched or in flight are not fetched again.
   *
   * @param integrity integrity metadata of the script; null for that of the import map
   * @param onReady called whether or not the fetch succeeded; {@link #run(UrlRecord, Listener)}
   *     reports a failure
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-module-script-tree">fetch
   *     an external module script graph</a>
   */
  public void fetchGraph(
      UrlRecord url,
      FetchRequest.Credentials credentials,
      @Nullable String integrity,
      Runnable onReady) {
    new ModuleGraph(realm, modules, onReady)
        .add(url, credentials, FetchRequest.CLIENT_REFERRER, false, integrity);
  }

  /**
   * Fetches all dependencies of a module script in a document, and calls back in a task.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-an-inline-module-script-graph">fetch
   *     an inline module script graph</a>
   */
  public void fetchInlineGraph(
      String text, UrlRecord baseUrl, FetchRequest.Credentials credentials, Runnable onReady) {
    new ModuleGraph(realm, modules, onReady)
        .addInline(ModuleMap.Fetched.script(text, baseUrl, credentials));
  }

  /**
   * Adds an import map to the one of the window. If its text is not an import map, reports an
   * exception.
   *
   * @param text JSON
   */
  public void registerImportMap(String text, UrlRecord baseUrl) {
    modules.resolution().register(text, baseUrl);
  }

  /**
   * Runs a script that {@link #fetchGraph} has fetched. Called in a task, with no script on the
   * stack.
   */
  public void run(UrlRecord url, Listener listener) {
    topLevel = url.href();
    try {
      run(ModuleSpecifiers.engineSpecifier(topLevel, /* remapsUrls= */ false), listener);
    } finally {
      topLevel = null;
    }
  }

  /**
   * Runs a top-level module script from its text. Called in a task, with no script on the stack.
   *
   * @param url the absolute URL of the text
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public void run(String url, String text, Listener listener) {
    run(url, text, FetchRequest.Credentials.SAME_ORIGIN, listener);
  }

  /** Like {@link #run(String, String, Listener)}, with the credentials mode for dependencies. */
  public void run(
      String url, String text, FetchRequest.Credentials credentials, Listener listener) {
    UrlRecord parsed = UrlParser.parseAbsolute(url);
    modules.add(parsed, ModuleMap.Fetched.script(text, parsed, credentials));
    run(parsed, listener);
  }

  /**
   * Runs a module script that is inline in a document. Called in a task, with no script on the
   * stack.
   *
   * @param name the URL that stacks show
   * @param baseUrl the value of {@code import.meta.url}
   */
  public void runInline(String name, UrlRecord baseUrl, String text, Listener listener) {
    binding.scripts().willRunModule(text);
    ModuleMap.Fetched module =
        ModuleMap.Fetched.script(text, baseUrl, FetchRequest.Credentials.SAME_ORIGIN);
    inline = module;
    String specifier = secret + "inline-" + ++runs;
    ownModules.put(
        specifier,
        new OwnModule(
            name,
            OwnModule.asUri(baseUrl.href()),
            ModuleSpecifiers.forEngine(
                text, module.requests(), modules.resolution().remapsUrls())));
    run(specifier, listener);
    ownModules.remove(specifier);
    inline = null;
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#run-a-module-script">run a
   * module script</a> whose descendants have been fetched
   */
  private void run(String specifier, Listener listener) {
    if (realm.agent().isRunningScript()) {
      throw new IllegalStateException("a module script cannot run while other script is running");
    }
    Loading load = load(specifier);
    if (load.failure != null) {
      listener.onFailed(null, load.failure);
    } else if (load.resolutionError != null) {
      listener.onFailed(
          binding.values().exception(ScriptException.typeError(load.resolutionError)), "");
    } else if (!load.complete) {
      Value known = load.notJson == null ? load.reason : load.notJson;
      Value error = Objects.requireNonNull(known, "the engine reported no reason of a failure");
      boolean wrongType = binding.errors().text(error).endsWith(WRONG_TYPE);
      listener.onFailed(wrongType ? null : error, "an import has another type than its module");
    } else {
      evaluate(specifier, listener);
    }
  }

  /**
   * Makes the engine load a module with all its dependencies, without evaluating any. An internal
   * module imports it; the engine can load that internal module, but not link it.
   */
  private Loading load(String specifier) {
    String last = secret + "loaded-" + ++runs;
    Loading load = new Loading();
    ownModules.put(
        last,
        new OwnModule(last, URI.create(last), "") {
          @Override
          public String text() {
            load.complete = true;
            return "";
          }
        });
    String importer =
        ownModule(
            "load",
            "import %s; export {x} from %s"
                .formatted(OwnModule.quoted(specifier), OwnModule.quoted(last)));
    loading = load;
    try {
      importModule(importer, awaits -> {}, () -> {}, reason -> load.reason = reason);
    } finally {
      loading = null;
      ownModules.remove(last);
      ownModules.remove(importer);
    }
    return load;
  }

  private void evaluate(String specifier, Listener listener) {
    boolean[] waits = new boolean[1];
    String importer = ownModule("run", "import " + OwnModule.quoted(specifier));
    importModule(
        importer,
        awaits -> waits[0] = awaits,
        listener::onEvaluated,
        reason -> {
          GlobalScope.of(realm).reportException(reason);
          listener.onThrown();
        });
    ownModules.remove(importer);
    listener.onStarted(waits[0]);
  }

  private String ownModule(String kind, String text) {
    String specifier = secret + kind + "-" + ++runs;
    ownModules.put(specifier, new OwnModule(specifier, URI.create(specifier), text));
    return specifier;
  }

  /**
   * Imports an internal module. It has no exports, so its namespace cannot be a thenable.
   *
   * @param onCount receives whether evaluation still continues, after more microtasks than a module
   *     without top-level await takes
   */
  private void importModule(
      String specifier, Consumer<Boolean> onCount, Runnable onFulfilled, Consumer<Value> onError) {
    boolean[] settled = new boolean[1];
    Value count =
        binding
            .values()
            .function(
                "count of microtasks",
                none -> {
                  onCount.accept(!settled[0]);
                  return null;
                });
    Promises promises = binding.promises();
    promises.atomically(() ->
        promises.react(
            realm.agent().call(importAndCount, specifier, count),
            value -> {
              settled[0] = true;
              onFulfilled.run();
            },
            reason -> {
              settled[0] = true;
              onError.accept(reason);
            }));
  }

  /** Returns a module, as {@link ModuleLoader#find} specifies. */
  private ModuleFile find(@Nullable String importer, String specifier, boolean exact) {
    ModuleFile own = exact ? ownModules.get(specifier) : null;
    if (own != null) {
      return own;
    }
    String written = ModuleSpecifiers.asWritten(specifier);
    boolean isPath = importer == null && specifier.equals(exact ? topLevel : written);
    ModuleResolution.Resolved resolved = resolve(importer, written, isPath);
    UrlRecord url = resolved.url();
    if (!specifier.startsWith(secret) && isForbidden(url)) {
      String message = "import() is disallowed on ServiceWorkerGlobalScope.";
      return new OwnModule(secret + "forbidden", OwnModule.NO_URI, OwnModule.throwing(message));
    }
    if (url == null) {
      return unresolved(importer, written, resolved.failure());
    }
    Remote remote = new Remote(url, importer);
    if (ModuleSpecifiers.isTyped(specifier)) {
      return typed(remote, written, ModuleSpecifiers.isTypedJson(specifier));
    }
    boolean ofOwn = specifier.startsWith(secret) || importedJson.contains(specifier);
    boolean mayFail = loading == null && !ofOwn && !modules.isWhole(url);
    ModuleFile thrower = mayFail ? throwerFor(remote, written) : null;
    return thrower == null ? remote : thrower;
  }

  /** Returns the module of a specifier that resolves to no URL. */
  private ModuleFile unresolved(
      @Nullable String importer, String specifier, @Nullable String failure) {
    Loading load = loading;
    if (load == null) {
      return thrower(
          importer,
          specifier,
          failure == null ? ModuleSpecifiers.dynamicFailure(specifier) : failure);
    }
    return new OwnModule(secret + "unresolved", OwnModule.NO_URI, "") {
      @Override
      public String text() throws IOException {
        if (load.resolutionError == null) {
          load.resolutionError =
              failure == null ? ModuleSpecifiers.staticFailure(specifier) : failure;
        }
        throw new IOException("resolution failed");
      }
    };
  }

  /**
   * Returns a module that throws the reason why an {@code import()} fails; null if it does not
   * fail.
   */
  private @Nullable ModuleFile throwerFor(Remote remote, String specifier) {
    ModuleMap.Fetched module = remote.module();
    String wrongType =
        module.text() == null && !module.wrongType()
            ? null
            : typeFailure(remote.url, specifier, module, String::isEmpty);
    String failure =
        wrongType == null
            ? modules.awaitGraph(remote.url, module)
            : ModuleMap.FAILED + remote.url + ": " + wrongType;
    return failure == null ? null : thrower(remote.importer, specifier, failure);
  }

  /**
   * Returns the module of an {@code import()} call with a type: one with the default export of the
   * JSON module, or one that throws the reason why the call fails.
   */
  private ModuleFile typed(Remote remote, String specifier, boolean asJson) {
    ModuleMap.Fetched module = remote.module();
    String url = remote.url.href();
    if (module.text() == null) {
      return thrower(remote.importer, specifier, ModuleMap.FAILED + url);
    }
    if (!asJson || !module.json()) {
      String known =
          typeFailure(
              remote.url,
              specifier,
              module,
              type -> !type.isEmpty() && type.equals("json") == asJson);
      String failure =
          known != null
              ? known
              : asJson ? url + " is JavaScript: leave out with" : "'json' is the only type";
      return thrower(remote.importer, specifier, ModuleMap.FAILED + url + ": " + failure);
    }
    Value notJson = ImportFailures.notJson(binding, remote.url, module.text());
    String seen = ModuleSpecifiers.engineSpecifier(url, /* remapsUrls= */ false);
    importedJson.add(seen);
    return OwnModule.ofJson(secret + "typed-" + url, seen, notJson);
  }

  /** Returns a module that throws a message; its path is the same if the import is repeated. */
  private ModuleFile thrower(@Nullable String importer, String specifier, String message) {
    String what = importer + " " + specifier + " " + message; // not every specifier is a valid path
    String path = secret + HexFormat.of().formatHex(what.getBytes(StandardCharsets.UTF_16BE));
    return new OwnModule(path, OwnModule.NO_URI, OwnModule.throwing(message));
  }

  /**
   * Returns why an {@code import()} call expects another type of module; null if it does not, or if
   * its script is no module that shows that.
   *
   * @param ofType accepts the type of the call
   */
  private @Nullable String typeFailure(
      UrlRecord url, String specifier, ModuleMap.Fetched module, Predicate<String> ofType) {
    String script = active.innermost();
    CompletableFuture<ModuleMap.Fetched> known = script == null ? null : modules.find(script);
    String text = known != null && known.isDone() ? known.join().text() : null;
    return script == null || text == null
        ? null
        : ImportFailures.ofCall(script, text, specifier, ofType, url, module);
  }

  /**
   * Step 2 of <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#hostloadimportedmodule">HostLoadImportedModule</a>:
   * service workers cannot use {@code import()}. Modules that their script imports statically are
   * already in the module map; an {@code import()} of one of those is not detected.
   */
  private boolean isForbidden(@Nullable UrlRecord url) {
    return loading == null
        && realm.settings().globalNames().contains("ServiceWorker")
        && (url == null || modules.find(url.href()) == null);
  }

  /**
   * Resolves a specifier. The URL of a top-level script, which an own module imports, is not
   * mapped.
   *
   * @param isPath whether an absolute URL is that of a top-level script, or the path of a module
   */
  private ModuleResolution.Resolved resolve(
      @Nullable String importer, String specifier, boolean isPath) {
    UrlRecord absolute = UrlParser.parse(specifier);
    if (absolute != null && (isPath || (importer != null && importer.startsWith(secret)))) {
      return new ModuleResolution.Resolved(absolute, null);
    }
    ModuleResolution resolution = modules.resolution();
    boolean needsBase = ModuleSpecifiers.isRelative(specifier) || resolution.usesBaseUrl();
    return resolution.resolve(
        importer != null
            ? baseUrl(importer)
            : needsBase ? activeBaseUrl() : GlobalScope.of(realm).apiBaseUrl(),
        specifier);
  }

  private UrlRecord activeBaseUrl() {
    for (String script : active.urls()) {
      if (UrlParser.parse(script) != null) {
        return baseUrl(script);
      }
    }
    return GlobalScope.of(realm).apiBaseUrl();
  }

  /** Returns the base URL of a script, given the URL that stacks show. */
  private UrlRecord baseUrl(String script) {
    CompletableFuture<ModuleMap.Fetched> module = modules.find(script);
    if (module != null && module.isDone()) {
      return module.join().baseUrl();
    }
    UrlRecord url = UrlParser.parse(script);
    UrlRecord document = UrlParser.parse(realm.settings().creationUrl());
    return url == null
            || (document != null && url.withFragment(null).equals(document.withFragment(null)))
        ? GlobalScope.of(realm).apiBaseUrl()
        : url;
  }

  private final class Remote implements ModuleFile {
    private final UrlRecord url;
    private final @Nullable String importer;

    Remote(UrlRecord url, @Nullable String importer) {
      this.url = url;
      this.importer = importer;
    }

    @Override
    public String path() {
      return url.href();
    }

    @Override
    public URI uri() {
      return OwnModule.asUri(module().baseUrl().href());
    }

    @Override
    public boolean isJson() {
      return module().json() && module().text() != null;
    }

    @Override
    public String text() throws IOException {
      ModuleMap.Fetched module = module();
      String text = module.text();
      Loading load = loading;
      if (load != null) {
        load.failure = staticFailure(module);
        load.notJson =
            text != null && module.json() ? ImportFailures.notJson(binding, url, text) : null;
        if (load.failure != null || load.notJson != null) {
          throw new IOException("the import fails");
        }
      }
      if (text == null) {
        return OwnModule.throwing(ModuleMap.FAILED + url);
      }
      if (module.json()) {
        return text;
      }
      binding.scripts().willRunModule(text);
      return ModuleSpecifiers.forEngine(text, module.requests(), modules.resolution().remapsUrls());
    }

    /** Returns why the import of a module that is being loaded fails; null if it does not. */
    private @Nullable String staticFailure(ModuleMap.Fetched module) {
      CompletableFuture<ModuleMap.Fetched> known = importer == null ? null : modules.find(importer);
      ModuleMap.Fetched by = known == null || !known.isDone() ? inline : known.join();
      String failure = by == null ? null : modules.failureOfImport(by, url, module);
      return failure == null && module.text() == null ? "it " + module.problem() : failure;
    }

    private ModuleMap.Fetched module() {
      CompletableFuture<ModuleMap.Fetched> known = modules.find(url.href());
      if (known != null) {
        return modules.await(url, known);
      }
      CompletableFuture<ModuleMap.Fetched> from = importer == null ? null : modules.find(importer);
      ModuleMap.Fetched by = from != null && from.isDone() ? from.join() : null;
      return modules.await(
          url,
          by == null
              ? modules.fetch(
                  url,
                  FetchRequest.Credentials.SAME_ORIGIN,
                  FetchRequest.CLIENT_REFERRER,
                  false,
                  null)
              : modules.fetch(url, by.credentials(), by.baseUrl().href(), false, null));
    }
  }
}
