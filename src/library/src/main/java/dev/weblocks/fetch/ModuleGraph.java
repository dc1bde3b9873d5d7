package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.url.UrlRecord;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fetch of a module graph. Used on the event loop of its agent. */
final class ModuleGraph {
  private final Realm realm;
  private final ModuleMap modules;
  private final Set<String> visited = new HashSet<>();
  private final Runnable onReady;
  private int pending;

  ModuleGraph(Realm realm, ModuleMap modules, Runnable onReady) {
    this.realm = realm;
    this.modules = modules;
    this.onReady = onReady;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-a-single-module-script">fetch
   * a single module script</a>, and its descendants
   *
   * @param integrity integrity metadata; null for that of the import map
   */
  void add(
      UrlRecord url,
      FetchRequest.Credentials credentials,
      String referrer,
      boolean json,
      @Nullable String integrity) {
    if (!visited.add(url.href())) {
      return;
    }
    pending++;
    modules
        .fetch(url, credentials, referrer, json, integrity)
        .thenAccept(module ->
            realm.queueTask(
                TaskSource.NETWORKING,
                "module " + url,
                () -> {
                  addAllOf(module);
                  leave();
                }));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#fetch-the-descendants-of-a-module-script">fetch
   * the descendants of a module script</a>
   */
  private void addAllOf(ModuleMap.Fetched module) {
    for (ModuleRequests.Request request : module.staticRequests()) {
      UrlRecord url = modules.resolution().resolve(module.baseUrl(), request.specifier()).url();
      if (url != null) {
        add(url, module.credentials(), module.baseUrl().href(), request.json(), null);
      }
    }
  }

  /**
   * Adds an inline module's dependencies; {@code onReady} runs, in a task, once all are fetched.
   */
  void addInline(ModuleMap.Fetched module) {
    pending++;
    addAllOf(module);
    realm.queueTask(TaskSource.NETWORKING, "inline module", this::leave);
  }

  private void leave() {
    if (--pending == 0) {
      onReady.run();
    }
  }
}
