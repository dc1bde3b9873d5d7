package dev.weblocks.embed;

import dev.weblocks.agent.Activity;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EngineWarmUp;
import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.JavaStack;
import dev.weblocks.agent.ModuleFileSystem;
import dev.weblocks.agent.ModuleLoader;
import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.console.ConsoleModule;
import dev.weblocks.crypto.CryptoModule;
import dev.weblocks.dom.DomModule;
import dev.weblocks.encoding.EncodingModule;
import dev.weblocks.fetch.FetchInterceptor;
import dev.weblocks.fetch.FetchModule;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.Fetcher;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.file.FileModule;
import dev.weblocks.global.ConsoleEntry;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.global.NavigatorFacts;
import dev.weblocks.global.PreloadScripts;
import dev.weblocks.global.Reports;
import dev.weblocks.html.HtmlModule;
import dev.weblocks.html.UiEventsModule;
import dev.weblocks.installation.InstallationModule;
import dev.weblocks.installation.Installer;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.locks.HostLocks;
import dev.weblocks.locks.LockDiagnosis;
import dev.weblocks.locks.LockVariants;
import dev.weblocks.locks.LockWatchdog;
import dev.weblocks.locks.LocksModule;
import dev.weblocks.locks.earlydraft.EarlyDraftModule;
import dev.weblocks.messaging.MessagingModule;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.Variant;
import dev.weblocks.serviceworkers.ServiceWorkers;
import dev.weblocks.serviceworkers.ServiceWorkersModule;
import dev.weblocks.storage.StorageModule;
import dev.weblocks.storage.StoragePolicy;
import dev.weblocks.url.UrlModule;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.workers.WorkersModule;
import dev.weblocks.xhr.FileReaderModule;
import dev.weblocks.xhr.XhrModule;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * A user agent, comparable to a browser profile. Windows of one user agent share locks and storage
 * by origin; two user agents share nothing. Thread-safe.
 */
public final class UserAgent implements AutoCloseable {

  private final ResourceLoader loader;
  private final dev.weblocks.agent.UserAgent userAgent;
  private final Builder configuration;
  private final RandomSource random;
  private final Driver driver;
  private final boolean ownDriver;
  private final Environment environment;
  private final boolean ownEnvironment;

  /** The maximum time for which {@link #close} waits for script that it cannot end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** In the order in which they were opened; guarded by itself. */
  private final Set<UserAgent> privateSessions = new LinkedHashSet<>();

  private final @Nullable UserAgent parent;
  private final FrozenLocks frozenLocks;
  private final Installer installer = new Installer();

  /** The client ids of installations that have not ended. */
  private final Set<String> clientIds = ConcurrentHashMap.newKeySet();

  private static final ResourceLoader NO_LOADER =
      request ->
          CompletableFuture.failedFuture(
              new IllegalStateException(
                  "the user agent has no resource loader; set one in its builder"));

  private UserAgent(Builder builder) {
    this(builder, new RandomSource(randomOf(builder)), null);
  }

  private static RandomGenerator randomOf(Builder builder) {
    if (builder.random != null) {
      return builder.random;
    }
    Driver driver = builder.driver;
    return driver != null && driver.isVirtual() ? driver.nextRandom() : new SecureRandom();
  }

  /**
   * Makes a user agent.
   *
   * @param random may be shared with another user agent
   * @param parent the user agent of which this is a private session; null for none
   */
  private UserAgent(Builder builder, RandomSource random, @Nullable UserAgent parent) {
    this.parent = parent;
    configuration = builder;
    frozenLocks = builder.frozenLocks;
    this.random = random;
    ownDriver = builder.driver == null;
    driver =
        builder.driver == null
            ? Driver.threadPool(Runtime.getRuntime().availableProcessors())
            : builder.driver;
    ownEnvironment = builder.environment == null;
    environment = builder.environment == null ? Environment.whenNeeded() : builder.environment;
    userAgent =
        new dev.weblocks.agent.UserAgent(
            driver.internal(),
            new IdSource(random),
            modules -> newContext(environment.engine(), modules, driver.isVirtual()),
            (agent, where, failure) ->
                builder.errorListener.uncaught(
                    RealmBinding.isInterruption(failure)
                        ? interrupted(agent.name(), where)
                        : defect(agent.name(), where, failure)),
            parent == null ? Tracing.of(builder.traceListener, driver) : parent.userAgent.trace());
    if (driver.isVirtual()) {
      userAgent.supplements().put(VirtualWorld.class, new VirtualWorld(driver.collectsGarbage()));
    }
    LockVariants variants = new LockVariants(builder.variants);
    Observing.begin(userAgent, builder.lockListener, builder.lockInvariantListener, variants.all());
    userAgent.supplements().put(LockVariants.class, variants);
    userAgent.supplements().put(Platform.class, environment.platform(variants.all()));
    userAgent.supplements().put(RandomSource.class, random);
    Integer concurrency = builder.hardwareConcurrency;
    userAgent
        .supplements()
        .put(
            NavigatorFacts.class,
            NavigatorFacts.of(concurrency == null ? driver.internal().parallelism() : concurrency));
    userAgent.supplements().put(Reports.class, new ListenerReports(builder));
    userAgent.supplements().put(PreloadScripts.class, new PreloadScripts(builder.preloadScripts));
    userAgent.supplements().put(ModuleLoader.Factory.class, ModuleScripts::loaderOf);
    userAgent.supplements().put(StoragePolicy.class, builder.storagePolicy);
    loader = builder.resourceLoader;
    Duration lockLimit = builder.lockLimit;
    if (lockLimit != null) {
      userAgent.supplements().put(LockWatchdog.class, watchdog(builder, lockLimit));
    }
    userAgent
        .supplements()
        .put(LockDiagnosis.Settings.class, new LockDiagnosis.Settings(builder.lockPositions));
    userAgent
        .supplements()
        .put(
            Fetcher.class,
            request -> load(userAgent.activity(), loader, request, arrivals(driver.internal())));
    userAgent.supplements().put(FetchInterceptor.class, ServiceWorkers.of(userAgent).interceptor());
  }

  /**
   * The stateless resources that user agents may share: the engine with its code cache, and the
   * interfaces. Sharing one makes every further user agent cheaper. Thread-safe.
   */
  public static final class Environment implements AutoCloseable {
    private final boolean warmUp;

    /** Null until it is needed. Guarded by this. */
    private @Nullable Engine engine;

    private final Platform platform;

    /** The platforms of variants that change interfaces, by variants. Guarded by itself. */
    private final Map<Set<Variant>, Platform> platformsOfVariants = new HashMap<>();

    /** Makes an environment; takes a few hundred milliseconds. */
    public Environment() {
      this(newEngine(), true);
    }

    /**
     * Makes an environment.
     *
     * @param engine null for one that is made lazily
     */
    Environment(@Nullable Engine engine, boolean warmUp) {
      this.engine = engine;
      this.warmUp = warmUp;
      if (engine != null && warmUp) {
        // in parallel: the two are independent, and take about the same time
        CompletableFuture<Platform> made =
            CompletableFuture.supplyAsync(() -> newPlatform(Set.of()));
        warmUp(engine);
        platform = made.join();
      } else {
        platform = newPlatform(Set.of());
      }
    }

    /** Returns the interfaces under some variants; most variants change none. */
    private Platform platform(Set<Variant> variants) {
      Set<Variant> changing =
          isEarlyDraft(variants) ? variants : LocksModule.changingInterfaces(variants);
      if (changing.isEmpty()) {
        return platform;
      }
      synchronized (platformsOfVariants) {
        return platformsOfVariants.computeIfAbsent(changing, all -> newPlatform(all));
      }
    }

    /**
     * Returns whether the early draft is active, which excludes all other variants, see {@link
     * Variant#requireCompatible}.
     */
    private static boolean isEarlyDraft(Set<Variant> variants) {
      return variants.contains(Variant.EARLY_DRAFT);
    }

    private static Platform newPlatform(Set<Variant> variants) {
      List<PlatformModule> modules = new ArrayList<>();
      modules.addAll(
          List.of(
              new UrlModule(),
              new DomModule(),
              new GlobalModule(),
              new ConsoleModule(),
              new CryptoModule(),
              new MessagingModule(),
              new EncodingModule(),
              new FileModule(),
              new FetchModule(),
              new XhrModule(),
              new FileReaderModule(),
              new WorkersModule(),
              new HtmlModule(),
              new UiEventsModule(),
              new StorageModule()));
      if (isEarlyDraft(variants)) {
        modules.add(new EarlyDraftModule());
      } else {
        modules.addAll(LocksModule.modules(variants));
      }
      modules.add(new ServiceWorkersModule());
      modules.add(new InstallationModule());
      return Platform.of(
          modules, (realm, exception) -> GlobalScope.of(realm).reportException(exception));
    }

    /**
     * Returns an environment whose engine is made and warmed up with the first window;
     * installations need none.
     */
    private static Environment whenNeeded() {
      return new Environment(null, true);
    }

    private synchronized Engine engine() {
      Engine made = engine;
      if (made == null) {
        made = newEngine();
        if (warmUp) {
          warmUp(made);
        }
        engine = made;
      }
      return made;
    }

    private static void warmUp(Engine engine) {
      EngineWarmUp.run(
          () -> newContext(engine, ModuleFileSystem.access(EngineWarmUp.MODULES), false));
      UrlModule.warmUp();
    }

    /**
     * Makes an environment faster, for scripts that are trusted not to overflow the stack. If a
     * script does, in any user agent, parts of the engine may stay broken for the whole JVM.
     */
    public static Environment withoutWarmUp() {
      return new Environment(newEngine(), false);
    }

    /**
     * Makes an environment whose scripts can be debugged with Chrome DevTools. Every process that
     * can connect to the port on this machine can debug them. No script runs before DevTools are
     * attached and allow it.
     *
     * @param port on the loopback interface; 0 for any that is free
     * @param announcements gets the URL to open, as human-readable lines
     * @throws UnsupportedOperationException if {@code org.graalvm.tools:chromeinspector-tool} of
     *     the engine's version is not on the class path
     * @throws IllegalStateException if the port cannot be opened
     */
    public static Environment inspected(int port, OutputStream announcements) {
      requireInspector();
      requireFree(port); // otherwise the engine would wait forever
      Engine engine;
      try {
        engine =
            Engine.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .option(
                    "inspect", Integer.toString(port)) // on the loopback interface, by its default
                .option("inspect.Suspend", "false")
                .option("inspect.WaitAttached", "true")
                .err(announcements)
                .build();
      } catch (IllegalArgumentException | PolyglotException failed) {
        throw new IllegalStateException(failed.getMessage(), failed);
      }
      return new Environment(engine, false);
    }

    private static void requireInspector() {
      try (Engine engine = newEngine()) {
        if (!engine.getInstruments().containsKey("inspect")) {
          throw new UnsupportedOperationException(
              "the inspector is not on the class path: add org.graalvm.tools:chromeinspector-tool");
        }
      }
    }

    private static void requireFree(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port is " + port + "; use one from 0 to 65535");
      }
      try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        probe.getLocalPort();
      } catch (IOException taken) {
        throw new IllegalStateException(
            "port " + port + " cannot be opened: " + taken.getMessage() + "; use another port",
            taken);
      }
    }

    static Engine newEngine() {
      return Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
    }

    /** Closes the engine. Close the user agents before. */
    @Override
    public synchronized void close() {
      if (engine != null) {
        engine.close(true);
      }
    }
  }

  /** Access to no host object except byte buffers, which are never exposed to a page. */
  private static final HostAccess BYTES_ONLY =
      HostAccess.newBuilder(HostAccess.NONE).allowBufferAccess(true).build();

  /**
   * Makes a context.
   *
   * @param virtual whether time zone and language are those of a virtual world, not the machine's
   */
  private static Context newContext(Engine engine, IOAccess modules, boolean virtual) {
    Context.Builder builder =
        Context.newBuilder("js")
            .engine(engine)
            .allowHostAccess(BYTES_ONLY)
            .allowIO(modules)
            .allowValueSharing(false)
            .option("js.ecmascript-version", "staging")
            .option("js.unhandled-rejections", "handler");
    if (virtual) {
      builder.timeZone(VirtualWorld.ZONE).option("js.locale", VirtualWorld.LOCALE.toLanguageTag());
    }
    return builder.build();
  }

  private LockWatchdog watchdog(Builder builder, Duration limit) {
    return new LockWatchdog(
        limit.toNanos(),
        (late, all) -> {
          long now = userAgent.driver().clock().nanoTime();
          try {
            builder.deadlockListener.accept(
                DeadlockReport.of(
                    late.stream().map(state -> entry(state, now)).toList(),
                    all.stream().map(state -> entry(state, now)).toList()));
          } catch (RuntimeException | Error failure) {
            builder.errorListener.uncaught(defect("lock watchdog", "its listener", failure));
          }
        });
  }

  static UncaughtError defect(String agent, String where, Throwable failure) {
    return new UncaughtError(
        UncaughtError.Kind.DEFECT,
        "defect in '" + where + "': " + failure,
        "",
        0,
        0,
        JavaStack.of(failure),
        agent,
        OutOfMemory.isCauseOf(failure));
  }

  /** Returns the report of an interruption for which no promise is rejected. */
  private static UncaughtError interrupted(String agent, String where) {
    return new UncaughtError(
        UncaughtError.Kind.SCRIPT,
        "Uncaught: script in '" + where + "' was interrupted by the embedder",
        "",
        0,
        0,
        null,
        agent,
        /* outOfMemory= */ false);
  }

  /**
   * Returns the way in which a response arrives: on the thread that completes it, or as a step of a
   * deterministic driver.
   */
  private static BiConsumer<String, Runnable> arrivals(dev.weblocks.agent.Driver driver) {
    return driver instanceof DeterministicDriver
        ? driver::runBlocking
        : (label, arrival) -> arrival.run();
  }

  private static CompletableFuture<FetchResponse> load(
      Activity activity,
      ResourceLoader loader,
      dev.weblocks.fetch.FetchRequest request,
      BiConsumer<String, Runnable> arrivals) {
    ByteSequence body = request.body();
    CompletionStage<ResourceResponse> loading;
    try {
      loading =
          Objects.requireNonNull(
              loader.load(
                  new ResourceRequest(
                      request.method(),
                      request.url(),
                      request.headers(),
                      body == null ? new byte[0] : body.toByteArray())),
              "the resource loader returned null");
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    CompletableFuture<FetchResponse> answer = new CompletableFuture<>();
    AtomicBoolean over = new AtomicBoolean();
    activity.begin();
    loading
        .thenApply(response ->
            new FetchResponse(
                response.url(),
                response.status(),
                response.statusText(),
                response.headers(),
                response.body()))
        .whenComplete((response, failure) -> {
          if (answer.isDone()) {
            return; // no longer needed
          }
          arrivals.accept(
              "response to " + request.method() + " " + request.url(),
              () -> {
                if (failure != null) {
                  answer.completeExceptionally(failure);
                } else {
                  answer.complete(response);
                }
                endOnce(activity, over); // the dependents of the answer have run
              });
        });
    answer.whenComplete((response, failure) -> {
      if (answer.isCancelled()) {
        loading.toCompletableFuture().cancel(true);
        endOnce(activity, over);
      }
    });
    return answer;
  }

  private static void endOnce(Activity activity, AtomicBoolean over) {
    if (over.compareAndSet(false, true)) {
      activity.end();
    }
  }

  private record ListenerReports(Builder builder) implements Reports {
    @Override
    public void consoleMessage(Realm realm, ConsoleEntry entry) {
      builder.consoleListener.message(
          new ConsoleMessage(
              entry.level(),
              entry.text(),
              realm.settings().creationUrl(),
              entry.groupDepth(),
              entry.parts(),
              realm.agent().name()));
    }

    @Override
    public void consoleCleared(Realm realm) {
      builder.consoleListener.cleared(realm.settings().creationUrl());
    }

    @Override
    public void uncaughtError(Realm realm, ErrorInformation error) {
      builder.errorListener.uncaught(
          new UncaughtError(
              UncaughtError.Kind.SCRIPT,
              error.message(),
              error.filename().isEmpty() ? realm.settings().creationUrl() : error.filename(),
              error.line(),
              error.column(),
              error.stack(),
              realm.agent().name(),
              /* outOfMemory= */ false));
    }
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /**
   * Opens a top-level window and begins to load a document; returns at once.
   *
   * @param url absolute
   * @throws IllegalArgumentException if the URL cannot be parsed
   * @throws IllegalStateException if the user agent is closed
   */
  public Window open(String url) {
    UrlRecord parsed = UrlParser.parse(url);
    if (parsed == null) {
      throw new IllegalArgumentException("'" + url + "' is not an absolute URL");
    }
    return Window.open(userAgent, parsed, frozenLocks, /* discarded= */ false);
  }

  /**
   * Begins an installation into a context that the caller owns.
   *
   * @see Installation
   */
  public Installation.Builder installInto(Context context) {
    return new Installation.Builder(this, context);
  }

  Installation install(Installation.Builder builder) {
    String given = builder.clientId();
    String id = given == null ? userAgent.ids().nextUuid() : given;
    if (!clientIds.add(id)) {
      throw new IllegalStateException(
          "client id '" + id + "' is already in use; give each installation its own id");
    }
    try {
      Installation installation =
          Installation.install(
              builder, userAgent, installer, id, loader != NO_LOADER, configuration.errorListener);
      installation.ended().thenRun(() -> clientIds.remove(id));
      return installation;
    } catch (RuntimeException | Error failed) {
      clientIds.remove(id);
      throw failed;
    }
  }

  /**
   * Opens a private session: a user agent with the same configuration, driver and environment that
   * shares no storage, no locks and no agent with this one or with another private session. Its
   * storage is deleted when it is closed. It ends with this user agent at the latest.
   *
   * @throws IllegalStateException if the user agent is closed
   */
  public UserAgent openPrivateSession() {
    Builder sessionConfiguration = new Builder(configuration);
    sessionConfiguration.driver = driver;
    sessionConfiguration.environment = environment;
    UserAgent session = new UserAgent(sessionConfiguration, random, this);
    synchronized (privateSessions) {
      privateSessions.add(session);
    }
    if (userAgent.isClosed()) {
      session.close();
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    return session;
  }

  /**
   * Ends all windows and workers, even if their script is running, and waits until they have ended.
   * With a deterministic or a caller-driven driver it runs that driver until then. Script of an
   * installation is not stopped: this waits up to five seconds for it.
   *
   * @throws IllegalStateException if called from a listener or loader on an agent's own thread,
   *     where it would wait for itself; if another thread runs a deterministic driver; or if an
   *     installation has not ended after five seconds: call {@link #cancelScripts} or {@link
   *     Context#close(boolean)}, and then this again
   */
  @Override
  public void close() {
    if (userAgent.isOnEventLoop()) {
      throw new IllegalStateException(
          "close() was called in a turn that it would wait for; call it on another thread");
    }
    if (userAgent.driver() instanceof DeterministicDriver deterministic) {
      deterministic.takeOver();
    }
    CompletableFuture<Void> told = HostLocks.closeAll(userAgent);
    CompletableFuture<Void> ended = userAgent.close().toCompletableFuture();
    List<UserAgent> sessions;
    synchronized (privateSessions) {
      sessions = List.copyOf(privateSessions);
    }
    sessions.forEach(UserAgent::close);
    if (parent != null) {
      synchronized (parent.privateSessions) {
        parent.privateSessions.remove(this);
      }
    }
    switch (userAgent.driver()) {
      // these drivers also run the ends of the agents
      case DeterministicDriver deterministic -> {
        while (!(ended.isDone() && told.isDone()) && deterministic.runOne()) {}
      }
      case CallerDriver caller -> {
        try {
          while (!ended.isDone()) {
            caller.pause(patiently(ended));
            if (!ended.isDone()) {
              refuseToWaitForInstallations();
            }
          }
          while (!told.isDone() && caller.runOne()) {}
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while agents were ending", interrupted);
        }
      }
      default -> {}
    }
    awaitEnd(ended);
    loader.close();
    if (ownDriver) {
      driver.close();
    }
    if (ownEnvironment) {
      environment.close();
    }
  }

  /**
   * Waits for the end of all agents. An installation ends after its current turn, which may never
   * finish.
   */
  private void awaitEnd(CompletableFuture<Void> ended) {
    while (true) {
      try {
        patiently(ended).join(); // not get(), which an interruption ends
        return;
      } catch (CompletionException failed) {
        if (!(failed.getCause() instanceof TimeoutException)) {
          throw failed;
        }
        refuseToWaitForInstallations();
      }
    }
  }

  private static CompletableFuture<Void> patiently(CompletableFuture<Void> ended) {
    return ended.copy().orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void refuseToWaitForInstallations() {
    String left =
        userAgent.agents().stream()
            .filter(agent -> !agent.ownsContext())
            .map(dev.weblocks.agent.Agent::name)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!left.isEmpty()) {
      throw new IllegalStateException(
          "not closed after "
              + PATIENCE.toSeconds()
              + " s: "
              + left
              + " still runs script or host code; call UserAgent.cancelScripts() or"
              + " Context.close(true), and then UserAgent.close() again");
    }
  }

  /**
   * Returns a stage that completes when this user agent is quiescent: no script runs, no task,
   * timer or step of a queue is left, no request to the resource loader is unanswered, and no agent
   * is ending. From then on, only a call from outside can cause activity; without one, a held lock
   * is held forever. Work of a frozen window that waits for its resumption does not count, nor do
   * private sessions. Complete at once if it is quiescent now. Never completes exceptionally.
   *
   * <p>Any thread. Dependent stages run on the thread that took the last step and must not block.
   * With a deterministic or caller-driven driver, steps are taken only while that driver is run.
   */
  public CompletionStage<Void> quiescent() {
    return userAgent.activity().rest().minimalCompletionStage();
  }

  /**
   * Returns the held locks and waiting requests at one moment: lock manager by lock manager and
   * name by name, first the held locks, in the order of their grants, then the requests, in queue
   * order. A lock of the early draft, which may have several names, is listed once for each.
   * Private sessions are not included; they have their own locks. Any thread; runs no script and
   * waits for none.
   */
  public List<LockEntry> locks() {
    long now = userAgent.driver().clock().nanoTime();
    return LockDiagnosis.of(userAgent).stream().map(state -> entry(state, now)).toList();
  }

  /**
   * Opens a client for Java code to use the locks of an origin: those of {@code navigator.locks} in
   * its top-level windows.
   *
   * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}
   * @throws IllegalArgumentException if it is not such an origin
   * @throws IllegalStateException if the user agent is closed, or has the locks of the early draft
   */
  public LockClient openLockClient(String origin) {
    return openLockClient(LockClientOptions.of(origin));
  }

  /**
   * Opens a client for Java code to use the locks of an origin and storage bucket. It ends with
   * this user agent at the latest. Any thread.
   *
   * @throws IllegalArgumentException if an option is not as {@link LockClientOptions} requires
   * @throws IllegalStateException if the user agent is closed, or has the locks of the early draft,
   *     which Java code cannot use
   */
  public LockClient openLockClient(LockClientOptions options) {
    if (configuration.variants.contains(Variant.EARLY_DRAFT)) {
      throw new IllegalStateException(
          "Java lock clients follow the Working Draft, and this user agent runs the variant"
              + " early-draft; leave that variant out");
    }
    return LockClients.open(userAgent, options);
  }

  /** Returns the counters of this user agent. Any thread; waits for no script. */
  public Metrics metrics() {
    return Observing.metrics(userAgent);
  }

  /**
   * Makes an MXBean for this user agent. The caller registers it, and unregisters it when the user
   * agent is closed:
   *
   * <pre>{@code
   * ManagementFactory.getPlatformMBeanServer()
   *     .registerMBean(userAgent.mxBean(), new ObjectName("com.example:type=UserAgent,name=shop"));
   * }</pre>
   */
  public UserAgentMXBean mxBean() {
    return new Observing.Bean(this);
  }

  private static LockEntry entry(LockState state, long now) {
    LockRequester requester = state.requester();
    return new LockEntry(
        requester.origin(),
        state.manager().bucket(),
        state.manager().value(),
        state.name(),
        state.mode(),
        state.place(),
        state.id().sequence(),
        state.options().reentrant(),
        state.client().value(),
        requester.agent(),
        requester.url(),
        Duration.ofNanos(Math.max(0, now - state.sinceNanos())),
        state.options().position());
  }

  /**
   * Stops the script of all windows and workers permanently, and interrupts that of installations,
   * whose contexts stay usable. Use it for a script that never ends and blocks an executor, or the
   * thread of a deterministic or caller-driven driver. After this call, close the user agent. Waits
   * up to a second for each installation; script that stays in Java code for longer is not stopped.
   * Does not affect private sessions. Any thread that runs no script itself.
   */
  public void cancelScripts() {
    userAgent.cancelScripts();
  }

  /**
   * Stops each idle service worker, as browsers do after a while: one that handles no event and
   * holds no lock. The next event starts it again. Returns at once.
   */
  public void stopIdleServiceWorkers() {
    ServiceWorkers.of(userAgent).stopIdle();
  }

  /**
   * Stops all service workers, even if their script is running: their current work fails, and their
   * locks are released. The next event starts them again. Returns at once.
   */
  public void stopServiceWorkers() {
    ServiceWorkers.of(userAgent).stopAll();
  }

  /** Configures a user agent. Not thread-safe. */
  public static final class Builder {
    private @Nullable Driver driver;
    private @Nullable Environment environment;
    private @Nullable RandomGenerator random;
    private ResourceLoader resourceLoader = NO_LOADER;
    private ConsoleListener consoleListener = message -> {};
    private ErrorListener errorListener = new LoggedErrors();
    private @Nullable LockListener lockListener;
    private @Nullable Consumer<String> lockInvariantListener;
    private @Nullable TraceListener traceListener;
    private @Nullable Integer hardwareConcurrency;
    private StoragePolicy storagePolicy = StoragePolicy.DEFAULT;
    private FrozenLocks frozenLocks = FrozenLocks.REFUSE;
    private boolean lockPositions;
    private Set<Variant> variants = Set.of();
    private @Nullable Duration lockLimit;
    private Consumer<DeadlockReport> deadlockListener = report -> {};
    private final List<Source> preloadScripts = new ArrayList<>();

    private Builder() {}

    private Builder(Builder other) {
      driver = other.driver;
      environment = other.environment;
      random = other.random;
      resourceLoader = other.resourceLoader;
      consoleListener = other.consoleListener;
      errorListener = other.errorListener;
      lockListener = other.lockListener;
      lockInvariantListener = other.lockInvariantListener;
      traceListener = other.traceListener;
      hardwareConcurrency = other.hardwareConcurrency;
      storagePolicy = other.storagePolicy;
      frozenLocks = other.frozenLocks;
      lockPositions = other.lockPositions;
      variants = other.variants;
      lockLimit = other.lockLimit;
      deadlockListener = other.deadlockListener;
      preloadScripts.addAll(other.preloadScripts);
    }

    /**
     * Sets the driver that runs the agents; default is a separate thread pool with one thread per
     * core.
     */
    public Builder driver(Driver value) {
      driver = value;
      return this;
    }

    /** Sets the environment to share with other user agents; default is a separate one. */
    public Builder environment(Environment value) {
      environment = value;
      return this;
    }

    /**
     * Sets the source of identifiers and of the random values of {@code crypto}; default is {@link
     * SecureRandom}, or the seed of a deterministic driver. With a seeded source they are
     * reproducible. With a deterministic driver, {@code Math.random()} is seeded from it, too. It
     * is used by one thread at a time.
     */
    public Builder random(RandomGenerator value) {
      random = value;
      return this;
    }

    /**
     * Sets the policy for the locks of a window that freezes, unless {@link
     * Window#freeze(FrozenLocks)} gives another one; default is {@link FrozenLocks#REFUSE}.
     */
    public Builder frozenLocks(FrozenLocks value) {
      frozenLocks = Objects.requireNonNull(value, "frozenLocks");
      return this;
    }

    /**
     * Sets whether {@link UserAgent#locks()} includes the positions where scripts called {@code
     * request()}; default is false, since it costs a stack walk for each call.
     */
    public Builder lockPositions(boolean value) {
      lockPositions = value;
      return this;
    }

    /**
     * Sets the deviations of the locks from the Working Draft, for experiments; default is none.
     * They apply to pages, workers and contexts that it is installed into; variants of the lock
     * managers also apply to Java code.
     *
     * @throws IllegalArgumentException if two variants exclude each other; the message says what to
     *     do
     */
    public Builder variants(Set<Variant> value) {
      Variant.requireCompatible(value);
      variants = Set.copyOf(value);
      return this;
    }

    /**
     * Sets a listener that is called once for each lock request that has waited for some time, with
     * its obstacles and the cycles of waits; default is none. Requests and locks are not changed.
     * The listener is called on a thread of the driver, one call at a time, and must not block; its
     * exceptions are reported to the {@link #errorListener}.
     *
     * @param limit the time by the clock of the driver: virtual with a deterministic one
     * @throws IllegalArgumentException if the limit is not positive, or longer than 290 years
     */
    public Builder lockWatchdog(Duration limit, Consumer<DeadlockReport> listener) {
      if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST_LOCK_LIMIT) > 0) {
        throw new IllegalArgumentException(
            "limit is " + limit + "; use a positive duration of at most 290 years");
      }
      lockLimit = limit;
      deadlockListener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    private static final Duration LONGEST_LOCK_LIMIT = Duration.ofDays(290L * 365);

    /** Sets the loader of resources; by default every request is a network error. */
    public Builder resourceLoader(ResourceLoader value) {
      resourceLoader = value;
      return this;
    }

    /** Sets a listener for console messages; default is none. */
    public Builder consoleListener(ConsoleListener value) {
      consoleListener = GuardedListeners.of(value);
      return this;
    }

    /**
     * Sets a listener for uncaught errors; by default they are logged by the {@link System.Logger}
     * {@code dev.weblocks}: errors of script at level {@code WARNING}, defects of this library at
     * {@code ERROR}.
     */
    public Builder errorListener(ErrorListener value) {
      errorListener = GuardedListeners.of(value);
      return this;
    }

    /** Sets a listener for locks and the end of agents; default is none. */
    public Builder lockListener(LockListener value) {
      lockListener = value;
      return this;
    }

    /**
     * Enables checks of the invariants of Web Locks after each step of the lock task queue: an
     * exclusive lock is alone on its name, locks of a name are granted in queue order, no grantable
     * request waits, an ended client holds no lock. Each violation, a defect of this library, is
     * reported as a line of text. Invariants that {@link #variants} suspend are not checked.
     * Default is no check, at no cost. With checks, the cost of a step grows with the number of
     * held locks and waiting requests.
     *
     * @param value called on the thread that runs the step; must return soon, and not run the
     *     driver
     */
    public Builder lockInvariantListener(Consumer<String> value) {
      lockInvariantListener =
          GuardedListeners.ofInvariants(Objects.requireNonNull(value, "lockInvariantListener"));
      return this;
    }

    /**
     * Sets a listener for every task, checkpoint and lock step, of this user agent and its private
     * sessions; default is none, at no cost.
     */
    public Builder traceListener(TraceListener value) {
      traceListener = GuardedListeners.of(value);
      return this;
    }

    /**
     * Sets {@code navigator.hardwareConcurrency}; default is the number of threads of a thread pool
     * driver, 1 for other drivers.
     *
     * @param value at least 1
     */
    public Builder hardwareConcurrency(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("hardwareConcurrency is " + value + "; use at least 1");
      }
      hardwareConcurrency = value;
      return this;
    }

    /**
     * Sets the quota of {@code localStorage} for one storage key, and of {@code sessionStorage} for
     * one window, in bytes: two for each code unit of all names and values. Default is 5 MiB, as in
     * the Storage Standard.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder webStorageQuota(long bytes) {
      storagePolicy =
          new StoragePolicy(bytes, storagePolicy.shelfQuota(), storagePolicy.grantsPersistence());
      return this;
    }

    /**
     * Sets the quota of all storage of one storage key together, in bytes, as {@code estimate()}
     * returns it; default is 10 GiB.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder storageQuota(long bytes) {
      storagePolicy =
          new StoragePolicy(
              storagePolicy.webStorageQuota(), bytes, storagePolicy.grantsPersistence());
      return this;
    }

    /** Sets whether {@code persist()} is permitted; default is false. */
    public Builder persistentStorage(boolean permitted) {
      storagePolicy =
          new StoragePolicy(storagePolicy.webStorageQuota(), storagePolicy.shelfQuota(), permitted);
      return this;
    }

    /**
     * Adds a classic script that runs in each new window and worker before any script of its own,
     * after those added earlier; its exceptions are reported like errors of the page.
     *
     * @param name its name in stack traces
     * @param source its text
     */
    public Builder preloadScript(String name, String source) {
      preloadScripts.add(Source.newBuilder("js", source, name).buildLiteral());
      return this;
    }

    /** Makes a user agent; later changes of this builder do not affect it. */
    public UserAgent build() {
      return new UserAgent(new Builder(this));
    }
  }
}
