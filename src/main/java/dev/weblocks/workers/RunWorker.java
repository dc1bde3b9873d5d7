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
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * What dedicated, shared and service workers have in common on their way from a URL to a script
 * that runs.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#run-a-worker">run a worker</a>
 */
public final class RunWorker {

  private RunWorker() {}

  /**
   * The URL of a script that a constructor was given.
   *
   * @param name the interface whose constructor it is
   * @throws ScriptException a SyntaxError; a SecurityError for another origin, at once as in
   *     browsers, where the standard lets the fetch fail
   */
  static UrlRecord scriptUrl(Realm outside, String given, String name) {
    UrlRecord url = UrlParser.parse(given, GlobalScope.of(outside).apiBaseUrl());
    if (url == null) {
      throw ScriptException.dom(
          "SyntaxError", "Failed to construct '" + name + "': '" + given + "' is not a valid URL");
    }
    if (!mayRun(outside.settings(), url)) {
      throw ScriptException.dom(
          "SecurityError",
          "Failed to construct '"
              + name
              + "': the script at '"
              + url
              + "' has another origin than '"
              + outside.settings().origin().serialize()
              + "'");
    }
    return url;
  }

  /**
   * Fetches the script of a worker. Any thread; comes back on the event loop of the worker's agent,
   * in a task.
   *
   * @param agent of the worker; the fetch is aborted when it ends
   * @param outside who asks for the worker
   * @param request of mode same-origin; its client is set here
   * @param onScript gets a script that may be run
   * @param onFailure gets a reason for the host, not for script
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-classic-worker-script">fetch
   *     a classic worker script</a>
   */
  public static void fetchScript(
      Agent agent,
      EnvironmentSettings outside,
      FetchRequest request,
      Consumer<FetchResponse> onScript,
      Consumer<String> onFailure) {
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
          underWay.set(null); // the agent does not keep the response as long as it lives
          agent
              .eventLoop()
              .queueTask(
                  TaskSource.NETWORKING,
                  null,
                  "script " + request.url(),
                  () -> {
                    String refusal =
                        failure == null
                            ? refusal(outside, response)
                            : String.valueOf(failure.getMessage());
                    if (refusal == null) {
                      onScript.accept(response);
                    } else {
                      onFailure.accept(refusal);
                    }
                  });
        });
  }

  /**
   * Why a response is no script for a worker; null if it is one.
   *
   * @param outside who asks for the worker: redirects must not lead to another origin
   */
  public static @Nullable String refusal(EnvironmentSettings outside, FetchResponse response) {
    UrlRecord landed = UrlParser.parse(response.url());
    if (landed == null) {
      return "'" + response.url() + "' is not a valid URL";
    }
    if (!mayRun(outside, landed)) {
      return "'" + landed + "' is of another origin than '" + outside.origin().serialize() + "'";
    }
    if (!response.ok()) {
      return "the status of '" + landed + "' is " + response.status();
    }
    if (isHttp(landed) && !JavaScriptMimeType.isTypeOf(response)) {
      return "the MIME type of '" + landed + "' is not one of JavaScript";
    }
    return null;
  }

  private static boolean isHttp(UrlRecord url) {
    return url.scheme().equals("http") || url.scheme().equals("https");
  }

  private static boolean mayRun(EnvironmentSettings outside, UrlRecord url) {
    return url.scheme().equals("data") || outside.origin().equals(url.tupleOrigin());
  }

  /**
   * The environment of a worker.
   *
   * @param outside the environment of its owner
   * @param url where its script came from
   * @param globalName the name that its global is exposed by, beside {@code Worker}
   * @param id of the environment, the same as in the request for the script
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
        Set.of("Worker", globalName));
  }

  /**
   * Makes realm and global of a worker, with all interfaces. On the event loop of its agent.
   *
   * @param make makes the global, which becomes that of the realm
   */
  public static <G extends WorkerGlobalScope> G createGlobal(
      Agent agent, EnvironmentSettings inside, Function<? super Realm, ? extends G> make) {
    Realm realm = agent.createRealm(inside);
    Platform.of(agent.userAgent()).install(realm);
    G global = make.apply(realm);
    global.becomeGlobal();
    return global;
  }

  /**
   * Runs the script of a worker. On the event loop of its agent; what it throws is reported.
   *
   * @param whenRun told in that turn or, for what takes longer, a later one whether the script ran
   *     to its end without an exception
   */
  public static void runScript(
      WorkerGlobalScope global, FetchResponse script, Consumer<Boolean> whenRun) {
    whenRun.accept(global.binding().runClassicScript(source(script)));
  }

  /** The text of a response as a classic script. */
  static Source source(FetchResponse response) {
    return Source.newBuilder("js", response.text(), response.url()).buildLiteral();
  }
}
