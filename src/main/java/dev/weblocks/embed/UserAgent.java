package dev.weblocks.embed;

import dev.weblocks.agent.Activity;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EngineWarmUp;
import dev.weblocks.agent.IdSource;
import dev.weblocks.agent.ModuleFileSystem;
import dev.weblocks.agent.ModuleLoader;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Platform;
import dev.weblocks.console.ConsoleModule;
import dev.weblocks.crypto.CryptoModule;
import dev.weblocks.dom.DomModule;
import dev.weblocks.encoding.EncodingModule;
import dev.weblocks.fastpath.FastPaths;
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
import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.locks.HostLocks;
import dev.weblocks.locks.LockDiagnosis;
import dev.weblocks.locks.LocksModule;
import dev.weblocks.messaging.MessagingModule;
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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * A user agent: a browser profile without a browser. Windows of one user agent share locks and
 * storage by origin; two user agents share nothing. Thread-safe.
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
  private final Set<UserAgent> privateSessions = ConcurrentHashMap.newKeySet();
  private final @Nullable UserAgent parent;
  private final FrozenLocks frozenLocks;
  private final Installer installer = new Installer();

  /** Of the installations that have not ended. */
  private final Set<String> clientIds = ConcurrentHashMap.newKeySet();

  private static final ResourceLoader NO_LOADER =
      request ->
          CompletableFuture.failedFuture(new IllegalStateException("no resource loader was given"));

  private UserAgent(Builder builder) {
    this(
        builder,
        new RandomSource(builder.random == null ? new SecureRandom() : builder.random),
        null);
  }

  /**
   * Makes one.
   *
   * @param random may be another user agent's too
   * @param parent whose private session this is, null for none
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
            modules -> newContext(environment.engine(), modules),
            (agent, where, failure) ->
                builder.errorListener.uncaught(defect(agent.name(), where, failure)),
            tracing(builder.traceListener));
    Observing.begin(userAgent, builder.lockListener);
    userAgent.supplements().put(Platform.class, environment.platform);
    userAgent.supplements().put(FastPaths.class, environment.fastPaths);
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
    userAgent
        .supplements()
        .put(LockDiagnosis.Settings.class, new LockDiagnosis.Settings(builder.lockPositions));
    userAgent
        .supplements()
        .put(Fetcher.class, request -> load(userAgent.activity(), loader, request));
    userAgent.supplements().put(FetchInterceptor.class, ServiceWorkers.of(userAgent).interceptor());
  }

  /**
   * What user agents may share because it holds no state of theirs: the engine with its code cache,
   * and the interfaces. Sharing one makes every further user agent cheaper. Thread-safe.
   */
  public static final class Environment implements AutoCloseable {
    private final boolean warmUp;

    /** Null until it is needed. Guarded by this. */
    private @Nullable Engine engine;

    private final Platform platform;
    private final FastPaths fastPaths;

    /** Makes one; takes some hundred milliseconds. */
    public Environment() {
      this(newEngine(), true, FastPaths.ofProcess());
    }

    /**
     * Makes one.
     *
     * @param engine null for one that is made when it is needed
     */
    Environment(@Nullable Engine engine, boolean warmUp, FastPaths fastPaths) {
      this.fastPaths = fastPaths;
      this.engine = engine;
      this.warmUp = warmUp;
      if (engine != null && warmUp) {
        // the two have nothing in common, and take as long as each other
        CompletableFuture<Platform> made =
            CompletableFuture.supplyAsync(() -> newPlatform(fastPaths));
        warmUp(engine, fastPaths);
        platform = made.join();
      } else {
        platform = newPlatform(fastPaths);
      }
    }

    private static Platform newPlatform(FastPaths fastPaths) {
      return Platform.of(
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
              new StorageModule(),
              new LocksModule(),
              new ServiceWorkersModule(),
              new InstallationModule()),
          (realm, exception) -> GlobalScope.of(realm).reportException(exception),
          fastPaths);
    }

    /** One whose engine is made, and warmed up, for the first window: installations need none. */
    private static Environment whenNeeded() {
      return new Environment(null, true, FastPaths.ofProcess());
    }

    private synchronized Engine engine() {
      Engine made = engine;
      if (made == null) {
        made = newEngine();
        if (warmUp) {
          warmUp(made, fastPaths);
        }
        engine = made;
      }
      return made;
    }

    private static void warmUp(Engine engine, FastPaths fastPaths) {
      EngineWarmUp.run(
          () -> newContext(engine, ModuleFileSystem.access(EngineWarmUp.MODULES)), fastPaths);
      UrlModule.warmUp();
    }

    /**
     * Makes one faster, for scripts that are trusted not to overflow the stack: where script does,
     * in whatever user agent, parts of the engine may stay broken for the whole JVM.
     */
    public static Environment withoutWarmUp() {
      return new Environment(newEngine(), false, FastPaths.ofProcess());
    }

    /**
     * Makes one whose scripts can be debugged with Chrome DevTools, which everybody can who reaches
     * the port on this machine. No script runs before DevTools are attached and say so.
     *
     * @param port on the loopback interface; 0 for any that is free
     * @param announcements where the URL to open is written to, in lines for people
     * @throws UnsupportedOperationException if {@code org.graalvm.tools:chromeinspector-tool} of
     *     the engine's version is not on the class path
     * @throws IllegalStateException if the port cannot be opened
     */
    public static Environment inspected(int port, OutputStream announcements) {
      requireInspector();
      requireFree(port); // on one that is not, the engine would wait for ever
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
      return new Environment(engine, false, FastPaths.ofProcess());
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
            "port " + port + " cannot be opened: " + taken.getMessage(), taken);
      }
    }

    static Engine newEngine() {
      return Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
    }

    /** Ends the engine. User agents are to be closed before. */
    @Override
    public synchronized void close() {
      if (engine != null) {
        engine.close(true);
      }
    }
  }

  private static dev.weblocks.agent.@Nullable TraceListener tracing(
      @Nullable TraceListener listener) {
    return listener == null
        ? null
        : (kind, actor, detail) ->
            listener.on(new TraceEvent(TraceEvent.Kind.valueOf(kind.name()), actor, detail));
  }

  /** Nothing of the host but byte buffers, which never get to a page. */
  private static final HostAccess BYTES_ONLY =
      HostAccess.newBuilder(HostAccess.NONE).allowBufferAccess(true).build();

  private static Context newContext(Engine engine, IOAccess modules) {
    return Context.newBuilder("js")
        .engine(engine)
        .allowHostAccess(BYTES_ONLY)
        .allowIO(modules)
        .allowValueSharing(false)
        .option("js.ecmascript-version", "staging")
        .option("js.unhandled-rejections", "handler")
        .build();
  }

  private static UncaughtError defect(String agent, String where, Throwable failure) {
    StringWriter stack = new StringWriter();
    failure.printStackTrace(new PrintWriter(stack));
    return new UncaughtError(
        UncaughtError.Kind.DEFECT,
        "defect in '" + where + "': " + failure,
        "",
        0,
        0,
        stack.toString(),
        agent);
  }

  private static CompletableFuture<FetchResponse> load(
      Activity activity, ResourceLoader loader, dev.weblocks.fetch.FetchRequest request) {
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
          if (failure != null) {
            answer.completeExceptionally(failure);
          } else {
            answer.complete(response);
          }
          endOnce(activity, over); // whatever waited for the answer has run
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
              realm.agent().name()));
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
          "there is a client '" + id + "' already; give each installation an id of its own");
    }
    try {
      Installation installation =
          Installation.install(
              builder,
              userAgent,
              installer,
              id,
              loader != NO_LOADER,
              failure ->
                  configuration.errorListener.uncaught(defect("installation", "onWork", failure)));
      installation.ended().thenRun(() -> clientIds.remove(id));
      return installation;
    } catch (RuntimeException | Error failed) {
      clientIds.remove(id);
      throw failed;
    }
  }

  /**
   * Opens a private session: a user agent with the same configuration, driver and environment that
   * shares no storage, no locks and no agent with this one or with another private session. What it
   * stored is gone when it is closed. It ends with this user agent at the latest.
   *
   * @throws IllegalStateException if the user agent is closed
   */
  public UserAgent openPrivateSession() {
    Builder sessionConfiguration = new Builder(configuration);
    sessionConfiguration.driver = driver;
    sessionConfiguration.environment = environment;
    UserAgent session = new UserAgent(sessionConfiguration, random, this);
    privateSessions.add(session);
    if (userAgent.isClosed()) {
      session.close();
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    return session;
  }

  /**
   * Ends all windows and workers, wherever their script is, and waits until they have ended. With a
   * deterministic or a caller-driven driver it runs that driver until then.
   *
   * @throws IllegalStateException if called from a listener or loader on an agent's own thread: it
   *     would wait for itself
   */
  @Override
  public void close() {
    if (userAgent.isOnEventLoop()) {
      throw new IllegalStateException(
          "close() would wait for the very turn that calls it; call it on another thread");
    }
    CompletableFuture<Void> told = HostLocks.closeAll(userAgent);
    CompletableFuture<Void> ended = userAgent.close().toCompletableFuture();
    List.copyOf(privateSessions).forEach(UserAgent::close);
    if (parent != null) {
      parent.privateSessions.remove(this);
    }
    switch (userAgent.driver()) {
      // the ends of the agents are among what these run
      case DeterministicDriver deterministic -> {
        while (!(ended.isDone() && told.isDone()) && deterministic.runOne()) {}
      }
      case CallerDriver caller -> {
        try {
          caller.pause(ended);
          while (!told.isDone() && caller.runOne()) {}
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while agents were ending", interrupted);
        }
      }
      default -> {}
    }
    ended.join();
    loader.close();
    if (ownDriver) {
      driver.close();
    }
    if (ownEnvironment) {
      environment.close();
    }
  }

  /**
   * Completes when this user agent has come to rest: no script runs, no task, timer or step of a
   * queue is left, no request to the resource loader is unanswered, and no agent is ending. Nothing
   * can happen in it any more unless somebody outside does something; a lock that is held then is
   * held for ever. What a frozen window would do after its end of freezing does not count, nor do
   * private sessions. At once if it is at rest now. Never completes exceptionally.
   *
   * <p>Any thread. What depends on the stage runs on whatever thread took the last step and must
   * not block; with a deterministic or caller-driven driver, steps are taken while that is run.
   */
  public CompletionStage<Void> quiescent() {
    return userAgent.activity().rest().minimalCompletionStage();
  }

  /**
   * Tells who holds and who waits for which lock, all as it was at one moment: lock manager by lock
   * manager and name by name, first the locks that are held, in the order of their grants, then the
   * requests, in the order of the queue. Private sessions have locks of their own. Any thread; runs
   * no script and waits for none.
   */
  public List<LockEntry> locks() {
    long now = userAgent.driver().clock().nanoTime();
    return LockDiagnosis.of(userAgent).stream().map(state -> entry(state, now)).toList();
  }

  /**
   * Opens a client by which Java code takes part in the locks of an origin, in its top-level
   * windows, as {@code navigator.locks} has them.
   *
   * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}
   * @throws IllegalArgumentException if it is no such origin
   * @throws IllegalStateException if the user agent is closed
   */
  public LockClient openLockClient(String origin) {
    return openLockClient(LockClientOptions.of(origin));
  }

  /**
   * Opens a client by which Java code takes part in the locks of an origin and storage bucket. It
   * ends with this user agent at the latest. Any thread.
   *
   * @throws IllegalArgumentException if an option is not as {@link LockClientOptions} has it
   * @throws IllegalStateException if the user agent is closed
   */
  public LockClient openLockClient(LockClientOptions options) {
    return LockClients.open(userAgent, options);
  }

  /** Counts what has happened here so far. Any thread; waits for no script. */
  public Metrics metrics() {
    return Observing.metrics(userAgent);
  }

  /**
   * Makes a bean that shows this user agent to JMX. Nothing registers it but the caller, who also
   * unregisters it when the user agent is closed:
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
    LockAsker asker = state.asker();
    return new LockEntry(
        asker == null ? "" : asker.origin(),
        asker == null ? "" : asker.bucket(),
        state.manager().value(),
        state.name(),
        LockEntry.Mode.valueOf(state.mode().name()),
        state.place(),
        state.client().value(),
        asker == null ? "" : asker.agent(),
        asker == null ? "" : asker.url(),
        Duration.ofNanos(Math.max(0, now - state.sinceNanos())),
        asker == null ? null : asker.position());
  }

  /**
   * Stops each service worker that has nothing to do, as browsers do after a while: none of its
   * events goes on, and it holds no lock. The next event starts it again. Returns at once.
   */
  public void stopIdleServiceWorkers() {
    ServiceWorkers.of(userAgent).stopIdle();
  }

  /**
   * Stops all service workers, wherever their script is: what they were doing fails, and their
   * locks pass on. The next event starts them again. Returns at once.
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
    private @Nullable TraceListener traceListener;
    private @Nullable Integer hardwareConcurrency;
    private StoragePolicy storagePolicy = StoragePolicy.DEFAULT;
    private FrozenLocks frozenLocks = FrozenLocks.REFUSE;
    private boolean lockPositions;
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
      traceListener = other.traceListener;
      hardwareConcurrency = other.hardwareConcurrency;
      storagePolicy = other.storagePolicy;
      frozenLocks = other.frozenLocks;
      lockPositions = other.lockPositions;
      preloadScripts.addAll(other.preloadScripts);
    }

    /** What runs the agents; default is a thread pool of its own with one thread per core. */
    public Builder driver(Driver value) {
      driver = value;
      return this;
    }

    /** What this user agent shares with others; default is one of its own. */
    public Builder environment(Environment value) {
      environment = value;
      return this;
    }

    /**
     * Where identifiers and the random values of {@code crypto} come from; default is {@link
     * SecureRandom}. Seeded, they repeat. It is used by one thread at a time.
     */
    public Builder random(RandomGenerator value) {
      random = value;
      return this;
    }

    /**
     * What becomes of the locks of a window that freezes, unless {@link Window#freeze(FrozenLocks)}
     * says otherwise; default is {@link FrozenLocks#REFUSE}.
     */
    public Builder frozenLocks(FrozenLocks value) {
      frozenLocks = Objects.requireNonNull(value, "frozenLocks");
      return this;
    }

    /**
     * Whether {@link UserAgent#locks()} tells where scripts called {@code request()}; default is
     * that it does not, since each call costs a walk through the stack then.
     */
    public Builder lockPositions(boolean value) {
      lockPositions = value;
      return this;
    }

    /** Where resources come from; by default every request is a network error. */
    public Builder resourceLoader(ResourceLoader value) {
      resourceLoader = value;
      return this;
    }

    /** Hears console messages; default is nobody. */
    public Builder consoleListener(ConsoleListener value) {
      consoleListener = value;
      return this;
    }

    /**
     * Hears uncaught errors; by default the {@link System.Logger} {@code dev.weblocks} does, of
     * those of script at level {@code WARNING}, of defects of this library at {@code ERROR}.
     */
    public Builder errorListener(ErrorListener value) {
      errorListener = value;
      return this;
    }

    /** Hears what becomes of locks, and of agents; default is nobody. */
    public Builder lockListener(LockListener value) {
      lockListener = value;
      return this;
    }

    /** Sees every task, checkpoint and lock step; default is nobody, at no cost. */
    public Builder traceListener(TraceListener value) {
      traceListener = value;
      return this;
    }

    /**
     * What {@code navigator.hardwareConcurrency} is; default is the number of threads of a thread
     * pool driver, 1 for others.
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
     * How much {@code localStorage} takes for one storage key, and {@code sessionStorage} for one
     * window: two bytes for each code unit of all names and values. Default is 5 MiB, that of the
     * Storage Standard.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder webStorageQuota(long bytes) {
      storagePolicy =
          new StoragePolicy(bytes, storagePolicy.shelfQuota(), storagePolicy.grantsPersistence());
      return this;
    }

    /**
     * How much all storage of one storage key takes together, as {@code estimate()} tells; default
     * is 10 GiB.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder storageQuota(long bytes) {
      storagePolicy =
          new StoragePolicy(
              storagePolicy.webStorageQuota(), bytes, storagePolicy.grantsPersistence());
      return this;
    }

    /** Whether {@code persist()} is permitted; default is that it is not. */
    public Builder persistentStorage(boolean permitted) {
      storagePolicy =
          new StoragePolicy(storagePolicy.webStorageQuota(), storagePolicy.shelfQuota(), permitted);
      return this;
    }

    /**
     * Adds a classic script that runs in each new window and worker before any script of its own,
     * after those added earlier; what it throws is reported like an error of the page.
     *
     * @param name what stacks call it
     * @param source its text
     */
    public Builder preloadScript(String name, String source) {
      preloadScripts.add(Source.newBuilder("js", source, name).buildLiteral());
      return this;
    }

    /** Makes a user agent; what is changed here later does not change it. */
    public UserAgent build() {
      return new UserAgent(new Builder(this));
    }
  }
}
