package dev.weblocks.workers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.fetch.NetworkErrorException;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.global.Reports;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/**
 * The {@code WorkerGlobalScope} interface: the common part of the globals of all workers.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/workers.html#the-workerglobalscope-common-interface">HTML</a>
 */
public abstract class WorkerGlobalScope extends GlobalScope {

  private final WorkerLocation location;
  private final WorkerNavigator navigator;
  private boolean importScriptsIsForbidden;

  protected WorkerGlobalScope(Realm realm) {
    super(realm);
    this.location = new WorkerLocation(realm);
    this.navigator = new WorkerNavigator(realm);
  }

  /** Makes {@code importScripts()} throw, as in a worker of type "module". */
  protected final void forbidImportScripts() {
    importScriptsIsForbidden = true;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/workers.html#dom-workerglobalscope-importscripts">importScripts()</a>
   */
  private void importScripts(Arguments args) {
    // 1.
    if (importScriptsIsForbidden) {
      throw ScriptException.typeError(
          "Failed to execute 'importScripts' on 'WorkerGlobalScope': Module scripts don't support"
              + " importScripts(). Use import.");
    }
    List<UrlRecord> urls = new ArrayList<>();
    for (int i = 0; i < args.variadicCount(0); i++) {
      String url = args.variadic(0, i).asString();
      UrlRecord parsed = encodingParse(url);
      if (parsed == null) {
        throw ScriptException.dom(
            "SyntaxError",
            "Failed to execute 'importScripts' on 'WorkerGlobalScope': '"
                + url
                + "' is not a valid URL.");
      }
      urls.add(parsed);
    }
    for (UrlRecord url : urls) {
      runImported(url, fetchClassicWorkerImportedScript(url));
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-classic-worker-imported-script">fetch
   * a classic worker-imported script</a>; blocks the agent
   */
  private FetchResponse fetchClassicWorkerImportedScript(UrlRecord url) {
    try {
      FetchResponse response =
          Fetcher.fetchAndWait(
              realm(), FetchRequest.to(url).destination(FetchRequest.Destination.SCRIPT).build());
      if (response.ok() && JavaScriptMimeType.isTypeOf(response)) { // 5.
        return response;
      }
      if (response.ok()) { // which script must not learn
        Reports.of(realm())
            .consoleMessage(
                realm(), "error", "script " + url + " " + JavaScriptMimeType.remedy(response));
      }
    } catch (NetworkErrorException networkError) {
      // thrown below
    }
    throw failedToLoad(url);
  }

  private static ScriptException failedToLoad(UrlRecord url) {
    return ScriptException.dom(
        "NetworkError",
        "Failed to execute 'importScripts' on 'WorkerGlobalScope': The script at '"
            + url
            + "' failed to load.");
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#run-a-classic-script">run a
   * classic script</a>, with rethrow errors: the caller gets the exception of the script
   */
  private void runImported(UrlRecord url, FetchResponse response) {
    Source source = RunWorker.source(response);
    boolean muted =
        switch (response.type()) {
          case OPAQUE, OPAQUEREDIRECT -> true;
          default -> false;
        };
    if (!muted) {
      realm().evaluate(source);
      return;
    }
    muteErrors(source);
    try {
      realm().evaluate(source);
    } catch (PolyglotException exception) {
      if (!exception.isGuestException() || exception.isCancelled() || exception.isExit()) {
        throw exception;
      }
      throw failedToLoad(url);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("WorkerGlobalScope", WorkerGlobalScope.class)
        .getter("self", self -> self)
        .getter("location", self -> self.location)
        .getter("navigator", self -> self.navigator)
        .action("importScripts", WorkerGlobalScope::importScripts);
  }
}
