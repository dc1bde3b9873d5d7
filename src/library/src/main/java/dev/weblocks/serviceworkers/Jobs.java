package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Origin;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.JavaScriptMimeType;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a user agent and their queues, one for each registration key. All methods except
 * {@link #scheduleJob} are called in steps of the service worker queue.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-job-queue">job queue</a>
 */
final class Jobs {

  /** <a href="https://w3c.github.io/ServiceWorker/#registration-key">registration key</a> */
  private record RegistrationKey(StorageKey storageKey, String scope) {}

  private final ServiceWorkers serviceWorkers;
  private final Registrations registrations;

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#dfn-scope-to-job-queue-map">scope to job queue
   * map</a>
   */
  private final Map<RegistrationKey, Deque<Job>> queues = new HashMap<>();

  Jobs(ServiceWorkers serviceWorkers, Registrations registrations) {
    this.serviceWorkers = serviceWorkers;
    this.registrations = registrations;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#schedule-job">Schedule Job</a>. Callable on any
   * thread.
   */
  void scheduleJob(Job job) {
    serviceWorkers.enqueue("schedule " + job.label(), () -> schedule(job));
  }

  private void schedule(Job job) {
    // 2. and 3.
    RegistrationKey key = new RegistrationKey(job.storageKey(), job.scopeUrl().href());
    Deque<Job> queue = queues.computeIfAbsent(key, k -> new ArrayDeque<>());
    job.onFinish(() -> finishJob(key, queue));
    if (queue.isEmpty()) { // 5.
      queue.add(job);
      runJob(queue);
    } else if (!queue.getLast().takeOver(job)) { // 6.
      queue.add(job);
    }
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#run-job">Run Job</a> */
  private void runJob(Deque<Job> queue) {
    Job job = queue.getFirst();
    serviceWorkers.send(() ->
        serviceWorkers.enqueue(
            job.label(),
            () -> {
              switch (job.type()) {
                case REGISTER -> register(job);
                case UPDATE -> update(job);
                case UNREGISTER -> unregister(job);
              }
            }));
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#finish-job">Finish Job</a> */
  private void finishJob(RegistrationKey key, Deque<Job> queue) {
    queue.removeFirst();
    if (queue.isEmpty()) {
      queues.remove(key);
    } else {
      runJob(queue);
    }
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#register-algorithm">Register</a> */
  private void register(Job job) {
    // 1.
    Origin.Tuple scriptOrigin = job.scriptUrl().tupleOrigin();
    if (scriptOrigin == null || !scriptOrigin.isPotentiallyTrustworthy()) {
      job.rejectWithSecurityError("The origin of the script is not potentially trustworthy.");
      job.finish();
      return;
    }
    // 2.
    if (!job.referrerOrigin().equals(scriptOrigin)) {
      job.rejectWithSecurityError(
          "The script is not same-origin with '" + job.referrerOrigin().serialize() + "'.");
      job.finish();
      return;
    }
    // 3.
    if (!job.referrerOrigin().equals(job.scopeUrl().tupleOrigin())) {
      job.rejectWithSecurityError(
          "The scope is not same-origin with '" + job.referrerOrigin().serialize() + "'.");
      job.finish();
      return;
    }
    // 4.
    Registration registration = registrations.getRegistration(job.storageKey(), job.scopeUrl());
    if (registration != null) { // 5.
      WorkerRecord newestWorker = registration.newestWorker();
      if (newestWorker != null
          && newestWorker.scriptUrl().href().equals(job.scriptUrl().href())
          && newestWorker.type() == job.workerType()
          && registration.updateViaCache() == job.updateViaCache()) {
        job.resolve(registration);
        job.finish();
        return;
      }
    } else { // 6.
      registrations.setRegistration(
          new Registration(
              job.storageKey(),
              job.client().topLevelOrigin(),
              job.responsible(),
              job.scopeUrl(),
              job.updateViaCache()));
    }
    // 7.
    update(job);
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#update-algorithm">Update</a> */
  private void update(Job job) {
    // 1. and 2.
    Registration registration = registrations.getRegistration(job.storageKey(), job.scopeUrl());
    if (registration == null) {
      job.rejectWithTypeError("The registration no longer exists.");
      job.finish();
      return;
    }
    // 3. and 4.
    WorkerRecord newestWorker = registration.newestWorker();
    if (job.type() == Job.Type.UPDATE
        && newestWorker != null
        && !newestWorker.scriptUrl().href().equals(job.scriptUrl().href())) {
      job.rejectWithTypeError("The script of the registration has changed.");
      job.finish();
      return;
    }
    // 8.
    FetchRequest request =
        FetchRequest.to(job.scriptUrl())
            .destination(FetchRequest.Destination.SERVICEWORKER)
            .mode(FetchRequest.Mode.SAME_ORIGIN)
            // so that a redirect can be distinguished from other failures
            .redirect(FetchRequest.Redirect.MANUAL)
            .headers(List.of(Map.entry("Service-Worker", "script")))
            .serviceWorkers(false)
            .client(job.client())
            .build();
    serviceWorkers.fetch(
        request,
        response -> {
          if (response == null) {
            job.rejectWithTypeError("The script could not be fetched.");
            fail(job, registration, newestWorker);
          } else if (isAllowed(job, response)) {
            findUpdates(job, registration, newestWorker, response);
          } else {
            fail(job, registration, newestWorker);
          }
        });
  }

  /** Finishes a job whose promises were rejected. Removes the registration if it has no worker. */
  private void fail(Job job, Registration registration, @Nullable WorkerRecord newestWorker) {
    if (newestWorker == null) {
      registrations.removeRegistration(registration);
    }
    job.finish();
  }

  /** Runs the checks of step 8 of Update. If one fails, rejects the promises and returns false. */
  private static boolean isAllowed(Job job, FetchResponse response) {
    if (response.type() == FetchResponse.Type.OPAQUEREDIRECT
        || (response.status() >= 300 && response.status() <= 399)
        || !response.url().equals(job.scriptUrl().href())) {
      job.rejectWithSecurityError("The script resource is behind a redirect, which is disallowed.");
      return false;
    }
    if (!response.ok()) {
      job.rejectWithTypeError("The status of the script's response is " + response.status() + ".");
      return false;
    }
    if (!JavaScriptMimeType.isTypeOf(response)) {
      job.rejectWithSecurityError("The MIME type of the script is not a JavaScript MIME type.");
      return false;
    }
    String maxScope = maxScope(job, response.header("Service-Worker-Allowed"));
    String scope = UrlSerializer.serializePath(job.scopeUrl());
    if (maxScope == null || !scope.startsWith(maxScope)) {
      job.rejectWithSecurityError(
          ("The path of the provided scope ('%s') is not under the max scope allowed"
                  + " ('%s'). Adjust the scope, move the service worker script, or use the"
                  + " Service-Worker-Allowed HTTP header to allow the scope.")
              .formatted(scope, maxScope));
      return false;
    }
    return true;
  }

  /** Returns the path that scopes must begin with; null if the header is not a same-origin URL. */
  private static @Nullable String maxScope(Job job, @Nullable String serviceWorkerAllowed) {
    UrlRecord max =
        UrlParser.parse(
            serviceWorkerAllowed == null ? "./" : serviceWorkerAllowed, job.scriptUrl());
    return max == null || !job.referrerOrigin().equals(max.tupleOrigin())
        ? null
        : UrlSerializer.serializePath(max);
  }

  /** Runs a new worker if the newest one is missing or differs in URL, type, script or imports. */
  private void findUpdates(
      Job job,
      Registration registration,
      @Nullable WorkerRecord newestWorker,
      FetchResponse response) {
    String url = job.scriptUrl().href();
    Map<String, FetchResponse> updatedResources = new LinkedHashMap<>();
    updatedResources.put(url, response);
    boolean isUpdated =
        newestWorker == null
            || !newestWorker.scriptUrl().href().equals(url)
            || newestWorker.type() != job.workerType()
            || !hasSameBody(newestWorker.scriptResource(url), response);
    if (isUpdated || newestWorker == null) {
      runNewWorker(job, registration, newestWorker, updatedResources);
      return;
    }
    Map<String, FetchResponse> imported = newestWorker.scriptResources();
    imported.remove(url);
    checkImported(
        job,
        imported.entrySet().iterator(),
        updatedResources,
        hasUpdatedResources -> {
          if (hasUpdatedResources) {
            runNewWorker(job, registration, newestWorker, updatedResources);
          } else {
            registration.setUpdateViaCache(job.updateViaCache());
            job.resolve(registration);
            job.finish();
          }
        });
  }

  /** Fetches imported scripts; {@code then} receives whether one differs from its stored copy. */
  private void checkImported(
      Job job,
      Iterator<Map.Entry<String, FetchResponse>> imported,
      Map<String, FetchResponse> updatedResources,
      Consumer<Boolean> then) {
    if (!imported.hasNext()) {
      then.accept(false);
      return;
    }
    Map.Entry<String, FetchResponse> stored = imported.next();
    FetchRequest request =
        FetchRequest.to(stored.getKey())
            .destination(FetchRequest.Destination.SCRIPT)
            .serviceWorkers(false)
            .client(job.client())
            .build();
    serviceWorkers.fetch(
        request,
        fetched -> {
          boolean isBad = fetched == null || !fetched.ok() || !JavaScriptMimeType.isTypeOf(fetched);
          if (fetched != null && !isBad) {
            updatedResources.put(stored.getKey(), fetched);
            if (!hasSameBody(stored.getValue(), fetched)) {
              then.accept(true);
              return;
            }
          }
          checkImported(job, imported, updatedResources, then);
        });
  }

  private static boolean hasSameBody(@Nullable FetchResponse before, FetchResponse after) {
    return before != null && Arrays.equals(bytes(before), bytes(after));
  }

  private static byte[] bytes(FetchResponse response) {
    ByteSequence body = response.body();
    return body == null ? new byte[0] : body.toByteArray();
  }

  /** Runs the last steps of Update: runs a new worker and installs it. */
  private void runNewWorker(
      Job job,
      Registration registration,
      @Nullable WorkerRecord newestWorker,
      Map<String, FetchResponse> updatedResources) {
    WorkerRecord worker =
        new WorkerRecord(registration, job.scriptUrl(), job.workerType(), updatedResources);
    serviceWorkers
        .runs()
        .runServiceWorker(
            worker,
            run -> {
              if (run == null) {
                job.rejectWithTypeError("The script did not run to completion.");
                fail(job, registration, newestWorker);
              } else {
                registrations.install(job, worker, registration);
              }
            });
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#unregister-algorithm">Unregister</a> */
  private void unregister(Job job) {
    // 2. and 3.
    Registration registration = registrations.getRegistration(job.storageKey(), job.scopeUrl());
    if (registration == null) {
      job.resolve(false);
      job.finish();
      return;
    }
    // 4. to 6.
    registrations.removeRegistration(registration);
    job.resolve(true);
    registrations.tryClearRegistration(registration);
    // 7.
    job.finish();
  }
}
