package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.fetch.FetchController;
import dev.weblocks.fetch.FetchInterceptor;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.file.BlobUrlStore;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.global.Reports;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The common steps of dedicated, shared and service workers, from the URL of a script to its
 * execution.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#run-a-worker">run a worker</a>
 */
public final class RunWorker {

  private RunWorker() {}

  /**
   * Returns the URL of the script, from the argument of a constructor.
   *
   * @param name the interface of the constructor
   * @throws ScriptException a SyntaxError for an invalid URL; a SecurityError for another origin,
   *     as in browsers (in the standard, the fetch fails instead)
   */
  static UrlRecord scriptUrl(Realm outside, String given, String name) {
    UrlRecord url = GlobalScope.of(outside).encodingParse(given);
    if (url == null) {
      throw ScriptException.dom(
          "SyntaxError", "Failed to construct '" + name + "': '" + given + "' is not a valid URL.");
    }
    if (!isSameOrigin(outside, url)) {
      throw ScriptException.dom(
          "SecurityError",
          "Failed to construct '%s': The script at '%s' is not same-origin with '%s'."
              .formatted(name, url, outside.settings().origin().serialize()));
    }
    return url;
  }

  private static boolean isSameOrigin(Realm outside, UrlRecord url) {
    Origin origin = outside.settings().origin();
    return switch (url.scheme()) {
      case "data" -> true; // the worker gets a new opaque origin
      case "blob" -> {
        BlobUrlStore.Entry entry = BlobUrlStore.of(outside.agent().userAgent()).resolve(url);
        Origin maker = entry == null ? url.tupleOrigin() : entry.environment().origin();
        yield maker == null || origin.equals(maker); // without owner, the fetch fails
      }
      default -> origin.equals(url.tupleOrigin());
    };
  }

  /**
   * Fetches the script of a worker. Callable on any thread; the callbacks run in tasks on the event
   * loop of the worker's agent.
   *
   * @param agent the agent of the worker; the fetch is aborted when it ends
   * @param outside the environment that creates the worker
   * @param type the type of the worker
   * @param request a request of mode same-origin; this method sets its client
   * @param onScript receives a script that may be run
   * @param onFailure receives a message for the console, which script must not see; null for none
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-classic-worker-script">fetch
   *     a classic worker script</a>
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-module-worker-script-tree">fetch
   *     a module worker script graph</a>
   */
  public static void fetchScript(
      Agent agent,
      EnvironmentSettings outside,
      WorkerType type,
      FetchRequest request,
      Consumer<FetchResponse> onScript,
      Consumer<@Nullable String> onFailure) {
    FetchRequest.ReservedClient inside = request.reservedClient();
    if (inside != null) {
      FetchInterceptor interceptor = FetchInterceptor.of(agent.userAgent());
      if (request.currentUrl().scheme().equals("blob")) {
        interceptor.inherit(inside, request.currentUrl(), outside);
      }
      agent.onEnd(() -> interceptor.discard(inside));
    }
    FetchController controller =
        Fetcher.start(agent.userAgent(), request.toBuilder().client(outside).build());
    AtomicReference<@Nullable FetchController> underWay = new AtomicReference<>(controller);
    agent.onEnd(() -> {
      FetchController left = underWay.get();
      if (left != null) {
        left.abort();
      }
    });
    controller
        .response()
        .whenComplete((response, failure) -> {
          underWay.set(null); // so that the agent does not retain the response
          agent.queueTask(
              TaskSource.NETWORKING,
              "script " + request.url(),
              () -> {
                if (failure != null || !isSameOrigin(outside, response) || !response.ok()) {
                  onFailure.accept(null);
                } else if (isRefused(type, response)) {
                  String remedy = JavaScriptMimeType.remedy(response);
                  onFailure.accept(notStarted(request.url(), "it " + remedy));
                } else {
                  onScript.accept(response);
                }
              });
        });
  }

  /** Returns whether redirects have led to no other origin than that of a worker's creator. */
  private static boolean isSameOrigin(EnvironmentSettings outside, FetchResponse response) {
    UrlRecord landed = UrlParser.parse(response.url());
    // a data or blob URL is always that of the request itself
    return landed != null
        && (landed.scheme().equals("data")
            || landed.scheme().equals("blob")
            || outside.origin().equals(landed.tupleOrigin()));
  }

  /** Returns whether a response is no script for a worker because of its MIME type. */
  private static boolean isRefused(WorkerType type, FetchResponse response) {
    boolean typeCounts = type == WorkerType.MODULE || isHttp(response.url());
    return typeCounts && !JavaScriptMimeType.isTypeOf(response);
  }

  private static boolean isHttp(String url) {
    return url.startsWith("http:") || url.startsWith("https:");
  }

  /**
   * Returns the environment of a worker.
   *
   * @param outside the environment of the worker's owner
   * @param url the URL of the worker's script, after redirects
   * @param globalName the global name of the worker's interface, in addition to {@code Worker}
   * @param id the id of the environment, the same as in the request for the script
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/workers.html#set-up-a-worker-environment-settings-object">set
   *     up a worker environment settings object</a>
   */
  public static EnvironmentSettings insideSettings(
      EnvironmentSettings outside, UrlRecord url, String globalName, String id, IdSource ids) {
    Origin origin =
        url.scheme().equals("data") ? new Origin.Opaque(ids.nextUuid()) : outside.origin();
    return new EnvironmentSettings(
        id,
        url.href(),
        origin,
        outside.topLevelOrigin(),
        outside.secureContext(),
        outside.crossSiteAncestor(),
        Set.of("Worker", globalName));
  }

  /**
   * Creates the realm and the global of a worker, with all interfaces. Called on the event loop of
   * its agent.
   *
   * @param make creates the global of the realm
   */
  public static <G extends WorkerGlobalScope> G createGlobal(
      Agent agent, EnvironmentSettings inside, Function<? super Realm, ? extends G> make) {
    Realm realm = agent.createRealm(inside);
    Platform.of(agent.userAgent()).install(realm);
    G global = make.apply(realm);
    global.becomeGlobal();
    global.runPreloadScripts();
    return global;
  }

  /** The listener for the outcome of a worker's script. Exactly one method is called, once. */
  public interface Listener {

    /**
     * Called when the script has run to its end or up to its first top-level await, and microtasks
     * have run. If the script threw an exception, it has been reported.
     *
     * @param threw whether the script threw an exception
     */
    void onRun(boolean threw);

    /**
     * Called when the script could not be parsed, or a dependency of a module could not be loaded.
     */
    void onFailed();
  }

  /**
   * Runs a classic script as the script of a worker; see {@link #runScript(WorkerGlobalScope,
   * FetchResponse, WorkerType, FetchRequest.Credentials, Listener)}.
   *
   * @param whenRun receives whether the script ran to its end without an exception
   */
  public static void runScript(
      WorkerGlobalScope global, FetchResponse script, Consumer<Boolean> whenRun) {
    whenRun.accept(global.binding().scripts().run(source(script)));
  }

  /**
   * Runs the script of a worker. Called in a task on the event loop of its agent.
   *
   * @param credentials the credentials mode for the dependencies of a module
   */
  public static void runScript(
      WorkerGlobalScope global,
      FetchResponse script,
      WorkerType type,
      FetchRequest.Credentials credentials,
      Listener listener) {
    switch (type) {
      case CLASSIC -> runClassic(global, source(script), listener);
      case MODULE -> {
        global.forbidImportScripts();
        ModuleScripts.of(global.realm())
            .run(
                script.url(),
                script.text(),
                credentials,
                new ModuleRun(global, script.url(), listener));
      }
    }
  }

  /** Runs a classic script. A script that cannot be parsed is run, too, to report the error. */
  private static void runClassic(WorkerGlobalScope global, Source source, Listener listener) {
    boolean canBeParsed = global.realm().canParse(source);
    boolean ranToItsEnd = global.binding().scripts().run(source);
    if (canBeParsed) {
      listener.onRun(!ranToItsEnd);
    } else {
      listener.onFailed();
    }
  }

  /** Returns the message about a worker that does not start; no event contains the reason. */
  static String notStarted(Object url, String reason) {
    return "worker " + url + " did not start: " + reason;
  }

  /** Writes a message into the console of a realm; null for none. */
  static void report(Realm realm, @Nullable String message) {
    if (message != null) {
      Reports.of(realm).consoleMessage(realm, "error", message);
    }
  }

  private static final class ModuleRun implements ModuleScripts.Listener {
    private final WorkerGlobalScope global;
    private final String url;
    private final Listener listener;
    private boolean threw;

    ModuleRun(WorkerGlobalScope global, String url, Listener listener) {
      this.global = global;
      this.url = url;
      this.listener = listener;
    }

    @Override
    public void onThrown() {
      threw = true;
    }

    @Override
    public void onStarted(boolean awaits) {
      listener.onRun(threw);
    }

    @Override
    public void onFailed(@Nullable Value error, String reason) {
      String why = error == null ? reason : global.binding().errors().text(error);
      report(global.realm(), notStarted(url, why));
      listener.onFailed();
    }
  }

  static Source source(FetchResponse response) {
    return ModuleScripts.classicScript(response.text(), response.url());
  }
}
