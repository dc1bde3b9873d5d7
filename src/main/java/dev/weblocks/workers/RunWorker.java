package dev.weblocks.workers;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Platform;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
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
   * Fetches the script of a worker. On the event loop of {@code outside}; comes back there in a
   * task.
   *
   * @param outside who asks for the worker
   * @param onScript gets a script that may be run
   * @param onFailure gets a reason for the host, not for script
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-classic-worker-script">fetch
   *     a classic worker script</a>
   */
  public static void fetchScript(
      Realm outside, UrlRecord url, Consumer<FetchResponse> onScript, Consumer<String> onFailure) {
    Fetcher.fetchFor(
        outside,
        FetchRequest.to(url)
            .destination(FetchRequest.Destination.WORKER)
            .mode(FetchRequest.Mode.SAME_ORIGIN)
            .build(),
        response -> {
          String refusal = refusal(outside.settings(), response);
          if (refusal == null) {
            onScript.accept(response);
          } else {
            onFailure.accept(refusal);
          }
        },
        onFailure);
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
    if (!isSameOrigin(outside, landed)) {
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

  static boolean isHttp(UrlRecord url) {
    return url.scheme().equals("http") || url.scheme().equals("https");
  }

  static boolean isSameOrigin(EnvironmentSettings outside, UrlRecord url) {
    return outside.origin().equals(url.tupleOrigin());
  }

  /**
   * The environment of a worker.
   *
   * @param outside the environment of its owner
   * @param url where its script came from
   * @param globalName the name that its global is exposed by, beside {@code Worker}
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/workers.html#set-up-a-worker-environment-settings-object">set
   *     up a worker environment settings object</a>
   */
  public static EnvironmentSettings insideSettings(
      EnvironmentSettings outside, UrlRecord url, String globalName, IdSource ids) {
    return new EnvironmentSettings(
        ids.nextUuid(),
        url.href(),
        outside.origin(),
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
