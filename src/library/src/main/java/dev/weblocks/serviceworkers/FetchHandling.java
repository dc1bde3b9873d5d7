package dev.weblocks.serviceworkers;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.fetch.FetchInterceptor;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.storage.Site;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The interceptor that finds the service worker for a request and fires a fetch event at it.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#handle-fetch">Handle Fetch</a>
 */
final class FetchHandling implements FetchInterceptor {

  private final ServiceWorkers serviceWorkers;

  FetchHandling(ServiceWorkers serviceWorkers) {
    this.serviceWorkers = serviceWorkers;
  }

  @Override
  public @Nullable CompletionStage<Interception> intercept(FetchRequest request) {
    WorkerRecord worker =
        request.client() == null ? null : serviceWorkers.runs().workerOf(request.client().id());
    if (worker != null) {
      return isScript(request) ? performTheFetch(worker, request) : null;
    }
    boolean mayBeHandled =
        isNonSubresource(request) ? mayHaveRegistration(request) : isFromControlled(request);
    if (!mayBeHandled) {
      return null;
    }
    CompletableFuture<Interception> result = new CompletableFuture<>();
    serviceWorkers.enqueue("fetch " + request.url(), () -> handleFetch(request, result));
    return result;
  }

  private static boolean isScript(FetchRequest request) {
    return request.destination() == FetchRequest.Destination.SCRIPT
        || request.destination() == FetchRequest.Destination.JSON;
  }

  /**
   * Loads a script that a service worker imports: a stored script if there is one, otherwise from
   * the network. Once the worker is installed, a script that is not stored is an error.
   *
   * @see <a href="https://w3c.github.io/ServiceWorker/#importscripts">importScripts()</a>
   * @see <a href="https://w3c.github.io/ServiceWorker/#update-algorithm">Update</a>, step 8, for
   *     modules
   */
  private CompletionStage<Interception> performTheFetch(WorkerRecord worker, FetchRequest request) {
    String url = request.currentUrl().withFragment(null).href();
    // 2. and 3.
    FetchResponse kept = worker.scriptResource(url);
    if (kept != null) {
      worker.useScript(url);
      return CompletableFuture.completedFuture(new Interception.Answer(kept));
    }
    // 4.
    ServiceWorkerState state = worker.state();
    if (state != ServiceWorkerState.PARSED && state != ServiceWorkerState.INSTALLING) {
      return CompletableFuture.completedFuture(
          new Interception.NetworkError(
              "the script was not imported before the service worker was installed"));
    }
    // 5. to 10.
    return serviceWorkers
        .fetchFromNetwork(request)
        .thenApply(response -> {
          if (response.ok()) {
            worker.addScriptResource(url, response);
          }
          return new Interception.Answer(response);
        });
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#non-subresource-request">non-subresource request</a>
   */
  private static boolean isNonSubresource(FetchRequest request) {
    return switch (request.destination()) {
      case DOCUMENT, EMBED, FRAME, IFRAME, OBJECT, REPORT, SERVICEWORKER, SHAREDWORKER, WORKER ->
          true;
      default -> false;
    };
  }

  /** Returns the storage key of the reserved client; null if it cannot have a service worker. */
  private static @Nullable StorageKey reservedStorageKey(FetchRequest request) {
    FetchRequest.ReservedClient reserved = request.reservedClient();
    Origin.Tuple origin = request.currentUrl().tupleOrigin();
    if (reserved == null || origin == null || !origin.isPotentiallyTrustworthy()) {
      return null;
    }
    Origin topLevel = reserved.topLevelOrigin();
    Origin parent = reserved.parentOrigin();
    boolean crossSiteAncestor =
        reserved.crossSiteAncestor()
            || (parent != null && !Site.obtain(parent).equals(Site.obtain(origin)));
    return new StorageKey(
        origin, Site.obtain(topLevel == null ? origin : topLevel), crossSiteAncestor);
  }

  /**
   * Returns whether a navigation or a worker's script needs a step of the service worker queue: a
   * registration may match, or the reserved client may lose its controller.
   */
  private boolean mayHaveRegistration(FetchRequest request) {
    StorageKey key = reservedStorageKey(request);
    FetchRequest.ReservedClient reserved = request.reservedClient();
    return reserved != null
        && ((key != null && serviceWorkers.registrations().has(key))
            || serviceWorkers.look(() -> serviceWorkers.hasReserved(reserved.id())));
  }

  private boolean isFromControlled(FetchRequest request) {
    EnvironmentSettings client = request.client();
    return client != null
        && serviceWorkers.look(() -> {
          ServiceWorkerClient known = serviceWorkers.clientUnderMonitor(client.id());
          return known != null && known.activeServiceWorker() != null;
        });
  }

  private void handleFetch(FetchRequest request, CompletableFuture<Interception> result) {
    // 7. and 8.
    WorkerRecord activeWorker =
        isNonSubresource(request) ? ofReservedClient(request) : ofClient(request);
    // 9., and "all fetch listeners are empty" and Should Skip Event
    if (activeWorker == null || !activeWorker.handlesFetch()) {
      complete(result, new Interception.NotHandled());
      return;
    }
    createFetchEventAndDispatch(request, activeWorker, result);
  }

  /** Runs steps 7.2 to 7.7 of Handle Fetch: sets and returns the controller; null for none. */
  private @Nullable WorkerRecord ofReservedClient(FetchRequest request) {
    FetchRequest.ReservedClient reserved = request.reservedClient();
    if (reserved == null) {
      return null;
    }
    StorageKey key = reservedStorageKey(request);
    Registration registration =
        key == null
            ? null
            : serviceWorkers
                .registrations()
                .matchServiceWorkerRegistration(key, request.currentUrl());
    WorkerRecord active =
        registration == null ? null : registration.worker(Registration.Slot.ACTIVE);
    if (key == null || active == null) {
      serviceWorkers.forgetReserved(reserved.id());
      return null;
    }
    serviceWorkers.reserve(reserved.id(), key, request.currentUrl(), active);
    return active;
  }

  /** Runs step 8 of Handle Fetch: returns the active worker of the controlling registration. */
  private @Nullable WorkerRecord ofClient(FetchRequest request) {
    EnvironmentSettings settings = request.client();
    ServiceWorkerClient client = settings == null ? null : serviceWorkers.client(settings.id());
    WorkerRecord controller = client == null ? null : client.activeServiceWorker();
    return controller == null ? null : controller.registration().worker(Registration.Slot.ACTIVE);
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#create-fetch-event-and-dispatch">Create Fetch
   * Event and Dispatch</a>
   */
  private void createFetchEventAndDispatch(
      FetchRequest request, WorkerRecord activeWorker, CompletableFuture<Interception> result) {
    if (result.isDone()) { // aborted
      return;
    }
    if (activeWorker.state() == ServiceWorkerState.ACTIVATING) {
      activeWorker.onceActivated(() -> createFetchEventAndDispatch(request, activeWorker, result));
      return;
    }
    serviceWorkers
        .runs()
        .runServiceWorker(
            activeWorker,
            run -> {
              if (run == null) {
                complete(
                    result,
                    new Interception.NetworkError("the service worker could not be started"));
                return;
              }
              serviceWorkers
                  .runs()
                  .dispatch(
                      run,
                      TaskSource.HANDLE_FETCH,
                      new WorkerRun.Dispatch(
                          "fetch",
                          global ->
                              FetchEvent.of(
                                  global.realm(),
                                  request,
                                  interception ->
                                      serviceWorkers.enqueue(
                                          "fetch event is answered",
                                          () -> complete(result, landed(request, interception))),
                                  result),
                          // has no effect after an answer
                          rejected ->
                              complete(
                                  result,
                                  new Interception.NetworkError(
                                      "the fetch event ended without a response")),
                          discarded -> {
                            if (discarded.begun) {
                              complete(
                                  result,
                                  new Interception.NetworkError("the service worker was stopped"));
                            } else { // try again with the next agent
                              createFetchEventAndDispatch(request, activeWorker, result);
                            }
                          }));
            });
  }

  /**
   * Replaces the URL list of a navigation's response with that of the request, since a document has
   * the URL of its request.
   */
  private static Interception landed(FetchRequest request, Interception interception) {
    if (!request.isNavigation()
        || !(interception instanceof Interception.Answer(FetchResponse response))) {
      return interception;
    }
    return new Interception.Answer(
        response.withUrlList(request.urlList().stream().map(UrlRecord::href).toList()));
  }

  @Override
  public void inherit(
      FetchRequest.ReservedClient client, UrlRecord url, EnvironmentSettings creator) {
    serviceWorkers.inheritController(client.id(), url, creator);
  }

  @Override
  public void discard(FetchRequest.ReservedClient client) {
    serviceWorkers.reservedDiscarded(client.id());
  }

  @Override
  public void rename(FetchRequest.ReservedClient client, String id) {
    serviceWorkers.renameReserved(client.id(), id);
  }

  @Override
  public void reuse(Realm realm, FetchRequest.ReservedClient client) {
    serviceWorkers.renameReserved(client.id(), realm.settings().id());
    serviceWorkers.environmentReused(realm);
  }

  /**
   * Completes the future after the current step of the service worker queue, so that dependent
   * stages run without the monitor of {@link ServiceWorkers}.
   */
  private void complete(CompletableFuture<Interception> result, Interception interception) {
    serviceWorkers.send(() -> result.complete(interception));
  }
}
