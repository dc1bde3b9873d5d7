package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The modules of a realm by URL, each fetched once. Used on the event loop of its agent.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#module-map">module map</a>
 */
final class ModuleMap {

  /**
   * A module after its fetch; without text if it could not be fetched.
   *
   * @param problem why there is no text, as the end of a sentence; empty if there is one
   * @param wrongType whether that is because of its MIME type
   * @param requests all specifiers in its text
   */
  record Fetched(
      @Nullable String text,
      String problem,
      boolean wrongType,
      boolean json,
      UrlRecord baseUrl,
      FetchRequest.Credentials credentials,
      List<ModuleRequests.Request> requests) {

    static Fetched failed(UrlRecord url, FetchRequest.Credentials credentials, String problem) {
      return new Fetched(null, problem, false, false, url, credentials, List.of());
    }

    static Fetched script(String text, UrlRecord baseUrl, FetchRequest.Credentials credentials) {
      return new Fetched(text, "", false, false, baseUrl, credentials, ModuleRequests.of(text));
    }

    List<ModuleRequests.Request> staticRequests() {
      return requests.stream().filter(request -> !request.dynamic()).toList();
    }
  }

  /** The beginning of the message about an {@code import()} that fails. */
  static final String FAILED = "Failed to fetch dynamically imported module: ";

  private final Realm realm;
  private final ModuleResolution resolution;
  private final Map<String, CompletableFuture<Fetched>> modules = new HashMap<>();

  /** The URLs of modules that have been fetched with all their dependencies. */
  private final Set<String> whole = new HashSet<>();

  ModuleMap(Realm realm) {
    this.realm = realm;
    this.resolution = new ModuleResolution(realm);
  }

  ModuleResolution resolution() {
    return resolution;
  }

  /** Returns a module that has been fetched or is in flight; null for none. */
  @Nullable CompletableFuture<Fetched> find(String url) {
    return modules.get(url);
  }

  void add(UrlRecord url, Fetched module) {
    modules.putIfAbsent(url.href(), CompletableFuture.completedFuture(module));
  }

  boolean isWhole(UrlRecord url) {
    return whole.contains(url.href());
  }

  /**
   * Returns a module; starts its fetch if it is not in the map.
   *
   * @param json whether the importer expects JSON
   * @param integrity integrity metadata; null for that of the import map
   */
  CompletableFuture<Fetched> fetch(
      UrlRecord url,
      FetchRequest.Credentials credentials,
      String referrer,
      boolean json,
      @Nullable String integrity) {
    CompletableFuture<Fetched> known = modules.get(url.href());
    if (known != null) {
      return known;
    }
    FetchRequest request =
        FetchRequest.to(url)
            .destination(json ? FetchRequest.Destination.JSON : FetchRequest.Destination.SCRIPT)
            .mode(FetchRequest.Mode.CORS)
            .credentials(credentials)
            .referrer(referrer)
            .integrity(integrity == null ? resolution.integrity(url) : integrity)
            .build();
    CompletableFuture<Fetched> module =
        Fetcher.start(realm, request)
            .future()
            .handle((response, failure) ->
                failure == null
                    ? created(url, credentials, response)
                    : Fetched.failed(url, credentials, "could not be fetched"));
    modules.put(url.href(), module);
    return module;
  }

  /**
   * Creates a module from a response: the part of "fetch a single module script" that follows the
   * fetch. Callable on any thread.
   */
  private static Fetched created(
      UrlRecord url, FetchRequest.Credentials credentials, FetchResponse response) {
    if (!response.ok()) {
      int status = response.status();
      String what =
          (status == 404 ? "was not found" : "was not served") + " (status " + status + ")";
      return Fetched.failed(url, credentials, what);
    }
    MimeType type = MimeType.extract(HeaderList.of(response.headers()));
    UrlRecord landed = UrlParser.parse(response.url());
    UrlRecord baseUrl = landed == null ? url : landed;
    if (type != null && type.isJavaScript()) {
      return Fetched.script(response.text(), baseUrl, credentials);
    }
    return type != null && type.isJson()
        ? new Fetched(response.text(), "", false, true, baseUrl, credentials, List.of())
        : new Fetched(
            null, JavaScriptMimeType.remedy(response), true, false, url, credentials, List.of());
  }

  /** Returns why a static import of a module fails; null if none does. */
  @Nullable String failureOfImport(Fetched importer, UrlRecord url, Fetched module) {
    return importer.staticRequests().stream()
        .filter(request ->
            url.equals(resolution.resolve(importer.baseUrl(), request.specifier()).url()))
        .map(request -> ImportFailures.of(importer, request, url, module))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Waits for all dependencies of a module, since the engine would evaluate some of them before it
   * finds that others are missing.
   *
   * @return the error message; null if all are fetched and have the types that imports expect
   */
  @Nullable String awaitGraph(UrlRecord root, Fetched first) {
    String failed = FAILED + root;
    if (first.text() == null) {
      return first.wrongType() ? failed + ": it " + first.problem() : failed;
    }
    Set<String> visited = new HashSet<>(Set.of(root.href()));
    Deque<Fetched> toDo = new ArrayDeque<>(List.of(first));
    Fetched module;
    while ((module = toDo.poll()) != null) {
      Map<ModuleRequests.Request, UrlRecord> imported = new LinkedHashMap<>();
      for (ModuleRequests.Request request : module.staticRequests()) {
        ModuleResolution.Resolved resolved =
            resolution.resolve(module.baseUrl(), request.specifier());
        UrlRecord url = resolved.url();
        if (url == null) {
          return resolved.failure() == null
              ? ModuleSpecifiers.staticFailure(request.specifier())
              : resolved.failure();
        }
        CompletableFuture<Fetched> unused =
            fetch(url, module.credentials(), module.baseUrl().href(), request.json(), null);
        imported.put(request, url);
      }
      for (Map.Entry<ModuleRequests.Request, UrlRecord> each : imported.entrySet()) {
        UrlRecord url = each.getValue();
        Fetched dependency = await(url, Objects.requireNonNull(find(url.href())));
        String failure = ImportFailures.of(module, each.getKey(), url, dependency);
        if (failure != null) {
          return failed + ": " + failure;
        }
        if (visited.add(url.href()) && !whole.contains(url.href())) {
          toDo.add(dependency);
        }
      }
    }
    whole.addAll(visited);
    return null;
  }

  /** Pauses the agent until a module is fetched. */
  Fetched await(UrlRecord url, CompletableFuture<Fetched> module) {
    if (!module.isDone()) {
      try {
        realm.agent().pause(module);
      } catch (IllegalStateException cannotPause) {
        realm.agent().reportDefect("module " + url, cannotPause);
        return Fetched.failed(url, FetchRequest.Credentials.SAME_ORIGIN, "could not be fetched");
      }
    }
    return module.join();
  }
}
