package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.html.WhenParsed;
import dev.weblocks.messaging.MessageEvents;
import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import dev.weblocks.workers.WorkerType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The {@code ServiceWorkerContainer} interface. One per realm, made lazily; a supplement of the
 * realm.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#serviceworkercontainer-interface">Service
 *     Workers</a>
 */
final class ServiceWorkerContainer extends EventTarget {

  /** A message that is not yet delivered to script. */
  private record Message(SerializedValue message, String origin, WorkerRecord.Snapshot source) {}

  private @Nullable ServiceWorker controller;
  private long controllerVersion;
  private @Nullable IdlPromise readyPromise;
  private boolean isReady;

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#dfn-client-message-queue">client message
   * queue</a>; each task takes the oldest message
   */
  private final Deque<Message> messages = new ArrayDeque<>();

  private boolean messagesEnabled;

  private ServiceWorkerContainer(Realm realm) {
    super(realm);
    readController();
    if (realm.settings().globalNames().contains("Window")) {
      WhenParsed.of(realm).run(this::startMessages);
    } else {
      this.messagesEnabled = true;
    }
  }

  /** Reads the controller when this is created, and when the window gets another document. */
  void readController() {
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    controllerVersion =
        serviceWorkers.registrations().version(); // read first: the controller may be newer
    controller =
        ServiceWorkerObjects.of(realm()).workerOrNull(serviceWorkers.controllerOf(realm()));
  }

  static ServiceWorkerContainer of(Realm realm) {
    return realm
        .supplements()
        .get(ServiceWorkerContainer.class, () -> new ServiceWorkerContainer(realm));
  }

  /** Returns the container of a realm; null if it has not been made yet. */
  static @Nullable ServiceWorkerContainer find(Realm realm) {
    return realm.supplements().find(ServiceWorkerContainer.class);
  }

  /** Runs the task of Notify Controller Change. */
  void controllerChanged(WorkerRecord.Snapshot shown) {
    if (shown.version() > controllerVersion) {
      controllerVersion = shown.version();
      controller = ServiceWorkerObjects.of(realm()).worker(shown);
    }
    fire(new Event(realm(), "controllerchange", false, false));
  }

  /** Resolves the ready promise, if script has read it and it is pending. */
  void resolveReady(Registration.Snapshot shown) {
    if (readyPromise != null && !isReady) {
      isReady = true;
      readyPromise.resolve(ServiceWorkerObjects.of(realm()).registration(shown));
    }
  }

  /** <a href="https://w3c.github.io/ServiceWorker/#navigator-service-worker-ready">ready</a> */
  private IdlPromise ready() {
    // 1. and 2.
    IdlPromise promise = readyPromise;
    if (promise == null) {
      promise = binding().promises().newPromise();
      readyPromise = promise;
    }
    StorageKey key = StorageKey.obtain(realm().settings());
    // 3.
    if (!isReady && key != null) {
      ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
      UrlRecord creationUrl = UrlParser.parseAbsolute(realm().settings().creationUrl());
      serviceWorkers.enqueue(
          "ready?",
          () -> {
            // 3.1. to 3.4.
            Registration registration =
                serviceWorkers.registrations().matchServiceWorkerRegistration(key, creationUrl);
            if (registration != null && registration.worker(Registration.Slot.ACTIVE) != null) {
              serviceWorkers.registrations().queueResolveReady(realm(), registration);
            }
          });
    }
    // 4.
    return promise;
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#navigator-service-worker-register">register()</a>
   */
  private IdlPromise register(Arguments args) {
    String script = args.string(0);
    DictionaryView options = args.dictionary(1);
    UrlRecord base = GlobalScope.of(realm()).apiBaseUrl();
    // 4.
    UrlRecord scriptUrl = UrlParser.parse(script, base);
    // 5. and 6.
    String scope = options.isPresent("scope") ? options.string("scope") : null;
    UrlRecord scopeUrl = scope == null ? null : UrlParser.parse(scope, base);
    // 7.: Start Register
    return startRegister(
        checked("script", script, scriptUrl),
        scope == null ? null : checked("scope", scope, scopeUrl),
        WorkerType.of(options.string("type")),
        UpdateViaCache.fromIdl(options.string("updateViaCache")));
  }

  /**
   * Runs steps 1 to 4 and 6 to 9 of Start Register; returns the parsed URL.
   *
   * @param what "script" or "scope", for exception messages
   */
  private static UrlRecord checked(String what, String text, @Nullable UrlRecord url) {
    // 1. and 6.
    if (url == null) {
      throw cannotRegister("The URL of the " + what + " ('" + text + "') is not valid.");
    }
    // 3. and 8.
    if (!url.scheme().equals("http") && !url.scheme().equals("https")) {
      throw cannotRegister(
          "The URL protocol of the " + what + " ('" + url + "') is not supported.");
    }
    // 4. and 9.
    String path = UrlSerializer.serializePath(url).toLowerCase(Locale.ROOT);
    if (path.contains("%2f") || path.contains("%5c")) {
      throw cannotRegister(
          "The path of the " + what + " ('" + url + "') has an escaped slash or backslash.");
    }
    // 2. and 7.
    return url.withFragment(null);
  }

  private static ScriptException cannotRegister(String why) {
    return ScriptException.typeError("Failed to register a ServiceWorker: " + why);
  }

  /**
   * <a href="https://w3c.github.io/ServiceWorker/#start-register-algorithm">Start Register</a>,
   * from step 5 on.
   */
  private IdlPromise startRegister(
      UrlRecord scriptUrl,
      @Nullable UrlRecord scope,
      WorkerType workerType,
      UpdateViaCache updateViaCache) {
    // 5.
    UrlRecord scopeUrl = scope;
    if (scopeUrl == null) {
      scopeUrl = checked("scope", "./", UrlParser.parse("./", scriptUrl));
    }
    // 10.
    StorageKey storageKey = storageKey("register");
    // 11. to 15.
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    serviceWorkers
        .jobs()
        .scheduleJob(
            new Job(
                serviceWorkers,
                Job.Type.REGISTER,
                storageKey,
                realm().settings(),
                scopeUrl,
                scriptUrl,
                workerType,
                updateViaCache,
                promise));
    return promise;
  }

  private StorageKey storageKey(String operation) {
    StorageKey key = StorageKey.obtain(realm().settings());
    if (key == null) {
      throw ScriptException.dom(
          "SecurityError",
          "Failed to execute '"
              + operation
              + "' on 'ServiceWorkerContainer': An opaque origin has no service workers.");
    }
    return key;
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#navigator-service-worker-getRegistration">getRegistration()</a>
   */
  private IdlPromise getRegistration(Arguments args) {
    String attempt = "Failed to get a ServiceWorkerRegistration: ";
    // 2.
    StorageKey key = storageKey("getRegistration");
    // 3. and 4.
    UrlRecord parsed = UrlParser.parse(args.string(0), GlobalScope.of(realm()).apiBaseUrl());
    if (parsed == null) {
      throw ScriptException.typeError(
          attempt + "The client URL ('" + args.string(0) + "') is not valid.");
    }
    // 5.
    UrlRecord clientUrl = parsed.withFragment(null);
    // 6.
    if (!realm().settings().origin().equals(clientUrl.tupleOrigin())) {
      throw ScriptException.dom(
          "SecurityError",
          "%sThe client URL ('%s') is not same-origin with '%s'."
              .formatted(attempt, clientUrl, realm().settings().origin().serialize()));
    }
    // 7. and 8.
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    serviceWorkers.enqueue(
        "get registration",
        () -> {
          Registration found =
              serviceWorkers.registrations().matchServiceWorkerRegistration(key, clientUrl);
          Registration.Snapshot shown =
              found == null ? null : serviceWorkers.registrations().snapshotFor(realm(), found);
          serviceWorkers.settle(
              promise,
              "registration",
              resolved -> {
                if (shown == null) {
                  resolved.resolve();
                } else {
                  resolved.resolve(ServiceWorkerObjects.of(realm()).registration(shown));
                }
              });
        });
    return promise;
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#navigator-service-worker-getRegistrations">getRegistrations()</a>
   */
  private IdlPromise getRegistrations() {
    StorageKey key = storageKey("getRegistrations");
    IdlPromise promise = binding().promises().newPromise();
    ServiceWorkers serviceWorkers = ServiceWorkers.of(realm());
    serviceWorkers.enqueue(
        "get registrations",
        () -> {
          List<Registration.Snapshot> shown =
              serviceWorkers.registrations().of(key).stream()
                  .map(each -> serviceWorkers.registrations().snapshotFor(realm(), each))
                  .toList();
          serviceWorkers.settle(
              promise,
              "registrations",
              resolved -> {
                ServiceWorkerObjects objects = ServiceWorkerObjects.of(realm());
                resolved.resolve(
                    binding()
                        .values()
                        .frozenArray(shown.stream().map(objects::registration).toList()));
              });
        });
    return promise;
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#dom-serviceworkercontainer-startmessages">startMessages()</a>
   */
  private void startMessages() {
    if (!messagesEnabled) {
      messagesEnabled = true;
      for (int waiting = messages.size(); waiting > 0; waiting--) {
        queueDelivery();
      }
    }
  }

  private void queueDelivery() {
    realm()
        .queueTask(TaskSource.POSTED_MESSAGE, "message from service worker", this::deliverOldest);
  }

  /**
   * Adds a message of a service worker to the client message queue. If messages are enabled,
   * delivers the oldest message of the queue. Called in a task of the posted message task source.
   */
  void receive(SerializedValue message, String origin, WorkerRecord.Snapshot source) {
    messages.add(new Message(message, origin, source));
    if (messagesEnabled) {
      deliverOldest();
    }
  }

  /**
   * <a
   * href="https://w3c.github.io/ServiceWorker/#dom-client-postmessage-message-options">postMessage()</a>
   * of a client, step 4.5
   */
  private void deliverOldest() {
    Message next = messages.poll();
    if (next != null) {
      PlatformObject source = ServiceWorkerObjects.of(realm()).worker(next.source());
      fire(MessageEvents.of(realm(), next.message(), next.origin(), source));
    }
  }

  private void setOnMessage(Arguments args) {
    handlers().set("onmessage", args.nullable(0));
    startMessages();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ServiceWorkerContainer", ServiceWorkerContainer.class)
        .getter("controller", self -> self.controller)
        .getter("ready", ServiceWorkerContainer::ready)
        .operation("register", ServiceWorkerContainer::register)
        .operation("getRegistration", ServiceWorkerContainer::getRegistration)
        .operation("getRegistrations", (self, args) -> self.getRegistrations())
        .action("startMessages", (self, args) -> self.startMessages())
        .setter("onmessage", ServiceWorkerContainer::setOnMessage);
    for (String navigator : List.of("Navigator", "WorkerNavigator")) {
      implementations
          .partial(navigator, PlatformObject.class)
          .getter("serviceWorker", self -> of(self.realm()));
    }
  }
}
