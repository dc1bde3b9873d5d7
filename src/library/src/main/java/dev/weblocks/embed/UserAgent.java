package dev.weblocks.embed;

import dev.weblocks.agent.EngineVersions;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ErrorListener;
import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.LimitListener;
import dev.weblocks.model.Limits;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.ModuleResolver;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.Variant;
import dev.weblocks.serviceworkers.ServiceWorkers;
import dev.weblocks.storage.StoragePolicy;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * The root object of this library, comparable to a browser profile: makes windows ({@link #open}),
 * installs web globals into contexts of the caller ({@link #installInto}), and gives Java code
 * access to the locks of scripts ({@link #openLockClient(String)}). All of these share locks,
 * broadcast channels and storage by origin; two user agents share none of them. {@link #close()}
 * ends everything that a user agent has made.
 *
 * <p>A builder sets the driver, the source of resources, listeners and limits; all have defaults.
 * Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="userAgent"}
 */
public final class UserAgent implements AutoCloseable {

  /** The default maximum time for which {@link #close} waits for script that it cannot end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final ResourceLoader NO_LOADER =
      request ->
          CompletableFuture.failedFuture(
              new IllegalStateException(
                  "the user agent has no resource loader; set one in its builder"));

  private final dev.weblocks.agent.UserAgent userAgent;
  private final Builder configuration;
  private final RandomSource random;
  private final Driver driver;
  private final boolean ownDriver;
  private final Environment environment;
  private final boolean ownEnvironment;

  /** The open private sessions, in the order in which they were opened. */
  private final Queue<UserAgent> privateSessions = new ConcurrentLinkedQueue<>();

  private final @Nullable UserAgent parent;
  private final Installing installing;

  /** Creates a user agent. Only a private session has a parent, whose random source it shares. */
  private UserAgent(
      Builder builder, @Nullable RandomSource sharedRandom, @Nullable UserAgent parent) {
    this.parent = parent;
    configuration = builder;
    ownDriver = builder.driver == null;
    driver =
        builder.driver == null
            ? Driver.threadPool(Runtime.getRuntime().availableProcessors())
            : builder.driver;
    ownEnvironment = builder.environment == null;
    environment = builder.environment == null ? Environment.whenNeeded() : builder.environment;
    random =
        sharedRandom == null
            ? new RandomSource(builder.random == null ? driver.newRandom() : builder.random)
            : sharedRandom;
    userAgent =
        new dev.weblocks.agent.UserAgent(
            UserAgentConfiguration.of(
                builder,
                driver,
                environment,
                random,
                parent == null ? null : parent.userAgent.trace()));
    installing =
        new Installing(
            userAgent,
            driver,
            environment,
            builder.resourceLoader != NO_LOADER,
            builder.errorListener);
    ServiceWorkers.attachTo(userAgent);
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
    UrlRecord parsed = UrlParser.parse(Objects.requireNonNull(url, "url"));
    if (parsed == null) {
      throw new IllegalArgumentException("'" + url + "' is not an absolute URL");
    }
    return new Window(userAgent, parsed, configuration.frozenLocks, /* wasDiscarded= */ false);
  }

  /**
   * Begins an installation into a context that the caller owns.
   *
   * @see Installation
   */
  public Installation.Builder installInto(Context context) {
    return new Installation.Builder(installing, context);
  }

  /**
   * Opens a private session: a user agent with the same configuration, driver and environment. It
   * shares no storage, locks or agents with this one or with another private session. Its storage
   * is deleted when it is closed. It ends with this user agent at the latest.
   *
   * @throws IllegalStateException if the user agent is closed
   */
  public UserAgent openPrivateSession() {
    Builder sessionConfiguration = configuration.copy();
    sessionConfiguration.driver = driver;
    sessionConfiguration.environment = environment;
    sessionConfiguration.remoteLocks = null;
    UserAgent session = new UserAgent(sessionConfiguration, random, this);
    privateSessions.add(session);
    if (userAgent.isClosed()) {
      session.close();
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    return session;
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. Callable on any thread. */
  public boolean isClosed() {
    return userAgent.isClosed();
  }

  /**
   * Ends everything and waits for it, like {@link #close(Duration)} with a patience of five
   * seconds. In a try-with-resources statement, an exception of its body stays the primary one;
   * that of this method is added to it as suppressed.
   */
  @Override
  public void close() {
    close(PATIENCE);
  }

  /**
   * Ends all windows and workers, even if their script is running, and waits until they have ended.
   * Runs a deterministic or caller-driven driver until then. Script of an installation is not
   * stopped; this method waits for it only as long as {@code patience}. Idempotent; after an
   * exception, another call continues to wait.
   *
   * @param patience the maximum real time to wait for installations; zero for none
   * @throws IllegalArgumentException if the patience is negative
   * @throws IllegalStateException if called from a listener or loader on an agent's own thread,
   *     where it would wait for itself; if another thread runs a deterministic driver; or if an
   *     installation has not ended in time: call {@link #cancelScripts} or {@link
   *     Context#close(boolean)}, and then this method again
   */
  public void close(Duration patience) {
    if (Objects.requireNonNull(patience, "patience").isNegative()) {
      throw new IllegalArgumentException(
          "patience is " + patience + "; use zero or a positive duration");
    }
    if (userAgent.isOnEventLoop()) {
      throw new IllegalStateException(
          "close() was called in a turn that it would wait for; call it on another thread");
    }
    driver.prepareEnd();
    UserAgentEnd end = new UserAgentEnd(userAgent, patience);
    List.copyOf(privateSessions).forEach(session -> session.close(patience));
    if (parent != null) {
      parent.privateSessions.remove(this);
    }
    driver.runEnd(end);
    end.await();
    if (ownDriver) {
      driver.close();
    }
    if (ownEnvironment) {
      environment.close();
    }
  }

  /**
   * Returns a future that completes when this user agent is quiescent: no script runs, no task,
   * timer or step of a queue is left, no request to the resource loader is unanswered, and no agent
   * is ending. From then on, only a call from outside can cause activity; without one, a held lock
   * is held forever. A timeout of an {@code AbortSignal} does not count unless script observes it:
   * by an event listener, a request for a lock that waits, or a request without a response. Work of
   * a frozen window that waits for its resumption does not count, nor do private sessions. The
   * future is complete at once if the user agent is quiescent, and never fails.
   *
   * <p>Any thread. Dependent stages run on the thread that took the last step and must not block.
   * With a deterministic or caller-driven driver, steps are taken only while that driver is run.
   */
  public CompletableFuture<Void> quiescent() {
    return userAgent.activity().rest().copy();
  }

  /**
   * Returns the held locks and waiting requests at one moment, grouped by lock manager and name:
   * first the held locks of a name, in the order of their grants, then its requests, in queue
   * order. A lock of the early draft, which may have several names, is listed once for each name.
   * Private sessions are not included; they have their own locks. Callable on any thread; runs no
   * script and waits for none.
   */
  public List<LockEntry> locks() {
    return Observing.locks(userAgent);
  }

  /**
   * Opens a client for Java code to use the locks of an origin: those of {@code navigator.locks} in
   * its top-level windows.
   *
   * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}
   * @throws IllegalArgumentException if {@code origin} is not such an origin, or scripts there have
   *     no locks, as in {@code http://shop.test}
   * @throws IllegalStateException if the user agent is closed, or has the locks of the early draft
   */
  public LockClient openLockClient(String origin) {
    return openLockClient(LockClientOptions.newBuilder(origin).build());
  }

  /**
   * Opens a client for Java code to use the locks of an origin and storage bucket. The client ends
   * with this user agent at the latest. Callable on any thread.
   *
   * @throws IllegalArgumentException if an option is not as {@link LockClientOptions} requires, or
   *     scripts of the origin have no locks
   * @throws IllegalStateException if the user agent is closed, or has the locks of the early draft,
   *     which Java code cannot use
   */
  public LockClient openLockClient(LockClientOptions options) {
    return LockClients.open(userAgent, Objects.requireNonNull(options, "options"));
  }

  /** Returns the counters of this user agent. Callable on any thread; waits for no script. */
  public Metrics metrics() {
    return Observing.metrics(userAgent);
  }

  /**
   * Creates an MXBean for this user agent. The caller registers it, and unregisters it when the
   * user agent is closed:
   *
   * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="mxBean"}
   */
  public UserAgentMXBean mxBean() {
    return new Observing.Bean(this);
  }

  /**
   * Stops the script of all windows and workers permanently, and interrupts that of installations,
   * whose contexts stay usable. Use it for a script that never ends and blocks an executor, or the
   * thread of a deterministic or caller-driven driver. After this call, close the user agent. Waits
   * up to a second for each installation; script that stays in Java code for longer is not stopped.
   * Does not affect private sessions. Callable on any thread that runs no script itself.
   */
  public void cancelScripts() {
    userAgent.cancelScripts();
  }

  /**
   * Stops each service worker that handles no event and holds no lock, as browsers do after a
   * while. The next event starts it again. Returns at once.
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

  /** A builder for a user agent. Not thread-safe. */
  public static final class Builder implements Cloneable {
    @Nullable Driver driver;
    @Nullable Environment environment;
    @Nullable RandomGenerator random;
    ResourceLoader resourceLoader = NO_LOADER;
    ConsoleListener consoleListener = message -> {};
    ErrorListener errorListener = new LoggedErrors();
    @Nullable LockListener lockListener;
    @Nullable TraceListener traceListener;
    @Nullable Integer hardwareConcurrency;
    StoragePolicy storagePolicy = StoragePolicy.DEFAULT;
    FrozenLocks frozenLocks = FrozenLocks.REFUSE;
    boolean lockPositions;
    Set<Variant> variants = Set.of();
    @Nullable RemoteLocks remoteLocks;
    @Nullable Duration lockLimit;
    @Nullable ModuleResolver moduleResolver;
    Limits limits = Limits.DEFAULT;
    LimitListener limitListener = event -> {};
    Consumer<DeadlockReport> deadlockListener = report -> {};
    List<Source> preloadScripts = List.of();

    private Builder() {}

    /** Returns a copy that later changes of this builder do not affect. */
    private Builder copy() {
      try {
        return (Builder) clone();
      } catch (CloneNotSupportedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /**
     * Sets the driver that runs the agents; default is a separate thread pool with one thread per
     * core.
     */
    public Builder driver(Driver driver) {
      this.driver = Objects.requireNonNull(driver, "driver");
      return this;
    }

    /** Sets the environment to share with other user agents; default is a separate one. */
    public Builder environment(Environment environment) {
      this.environment = Objects.requireNonNull(environment, "environment");
      return this;
    }

    /**
     * Sets the source of identifiers and of the random values of {@code crypto}; default is {@link
     * java.security.SecureRandom}, or the seed of a deterministic driver. A seeded source makes
     * them reproducible. With a deterministic driver, it also seeds {@code Math.random()}. One
     * thread at a time uses it.
     */
    public Builder random(RandomGenerator random) {
      this.random = Objects.requireNonNull(random, "random");
      return this;
    }

    /**
     * Sets the policy for the locks of a window that freezes, unless {@link
     * Window#freeze(FrozenLocks)} gives another one; default is {@link FrozenLocks#REFUSE}.
     */
    public Builder frozenLocks(FrozenLocks frozenLocks) {
      this.frozenLocks = Objects.requireNonNull(frozenLocks, "frozenLocks");
      return this;
    }

    /**
     * Sets whether lock entries and trace events have the positions where scripts called {@code
     * request()}; default is false. A callback that is not written in the call itself stands for
     * all calls that pass it: the position is then the callback's own. Each function literal costs
     * a stack walk at its first call, each native callback one at every call.
     */
    public Builder lockPositions(boolean lockPositions) {
      this.lockPositions = lockPositions;
      return this;
    }

    /**
     * Sets the deviations of the locks from the Working Draft, for experiments; default is none.
     * They apply to pages, workers and installations. Variants that change the lock managers apply
     * to Java code, too.
     *
     * @throws IllegalArgumentException if two variants exclude each other; the message says what to
     *     do
     */
    public Builder variants(Set<Variant> variants) {
      this.variants = Variant.requireCompatible(Objects.requireNonNull(variants, "variants"));
      return this;
    }

    /**
     * Sets the lock managers to share with other user agents; default is separate ones inside this
     * user agent. Private sessions always have separate ones. The caller closes the backend, after
     * this user agent.
     *
     * @throws IllegalArgumentException if the backend is not one of the module {@code
     *     weblocks-cluster}
     */
    public Builder lockBackend(LockBackend lockBackend) {
      if (!(Objects.requireNonNull(lockBackend, "lockBackend") instanceof RemoteLocks remote)) {
        throw new IllegalArgumentException(
            lockBackend.getClass().getName()
                + " is no lock backend; make one with LockCluster.builder() of weblocks-cluster");
      }
      remoteLocks = remote;
      return this;
    }

    /**
     * Sets a listener that is called once for each lock request that has waited for some time, with
     * its obstacles and the cycles of waits; default is none. Requests and locks are not changed.
     * The listener is called on a thread of the driver, one call at a time, and must not block.
     *
     * @param limit the waiting time, by the clock of the driver: virtual with a deterministic
     *     driver
     * @throws IllegalArgumentException if the limit is not positive, or longer than 290 years
     */
    public Builder lockWatchdog(Duration limit, Consumer<DeadlockReport> listener) {
      Objects.requireNonNull(limit, "limit");
      Objects.requireNonNull(listener, "listener");
      if (!limit.isPositive() || limit.compareTo(Duration.ofDays(290L * 365)) > 0) {
        throw new IllegalArgumentException(
            "limit is " + limit + "; use a positive duration of at most 290 years");
      }
      lockLimit = limit;
      deadlockListener = listener;
      return this;
    }

    /** Sets the limits of scripts and of waits for them; default is {@link Limits#DEFAULT}. */
    public Builder limits(Limits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /** Sets a listener for reached limits; default is none. {@link Metrics} count them, too. */
    public Builder limitListener(LimitListener limitListener) {
      this.limitListener =
          GuardedListeners.of(Objects.requireNonNull(limitListener, "limitListener"));
      return this;
    }

    /** Sets the loader of resources, which the caller closes; by default every fetch fails. */
    public Builder resourceLoader(ResourceLoader resourceLoader) {
      this.resourceLoader = Objects.requireNonNull(resourceLoader, "resourceLoader");
      return this;
    }

    /**
     * Sets the resolver of bare module specifiers, for windows and workers; default is none, as in
     * browsers. Import maps have precedence.
     */
    public Builder moduleResolver(ModuleResolver moduleResolver) {
      this.moduleResolver = Objects.requireNonNull(moduleResolver, "moduleResolver");
      return this;
    }

    /**
     * Sets a listener for console messages; default is none. It gets those of a context of the
     * embedder only if {@link Installation.Builder#replace} names {@code console}, as such a
     * context has a console of its own.
     */
    public Builder consoleListener(ConsoleListener consoleListener) {
      this.consoleListener =
          GuardedListeners.of(Objects.requireNonNull(consoleListener, "consoleListener"));
      return this;
    }

    /**
     * Sets a listener for uncaught errors; by default they are logged by the {@link System.Logger}
     * {@code dev.weblocks}: errors of script at level {@code WARNING}, defects of this library at
     * {@code ERROR}.
     */
    public Builder errorListener(ErrorListener errorListener) {
      this.errorListener =
          GuardedListeners.of(Objects.requireNonNull(errorListener, "errorListener"));
      return this;
    }

    /** Sets a listener for locks and the end of agents; default is none. */
    public Builder lockListener(LockListener lockListener) {
      this.lockListener = Objects.requireNonNull(lockListener, "lockListener");
      return this;
    }

    /**
     * Sets a listener for every task, checkpoint and lock step of this user agent and its private
     * sessions; default is none, which costs nothing.
     */
    public Builder traceListener(TraceListener traceListener) {
      this.traceListener =
          GuardedListeners.of(Objects.requireNonNull(traceListener, "traceListener"));
      return this;
    }

    /**
     * Sets {@code navigator.hardwareConcurrency}; default is the number of threads of a thread pool
     * driver, 1 for other drivers.
     *
     * @param hardwareConcurrency at least 1
     */
    public Builder hardwareConcurrency(int hardwareConcurrency) {
      if (hardwareConcurrency < 1) {
        throw new IllegalArgumentException(
            "hardwareConcurrency is " + hardwareConcurrency + "; use at least 1");
      }
      this.hardwareConcurrency = hardwareConcurrency;
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
     * Sets the total quota of one storage key, in bytes, as {@code estimate()} returns it; default
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

    /** Sets whether {@code persist()} is permitted; default is false. */
    public Builder persistentStorage(boolean permitted) {
      storagePolicy =
          new StoragePolicy(storagePolicy.webStorageQuota(), storagePolicy.shelfQuota(), permitted);
      return this;
    }

    /**
     * Adds a classic script that runs in each new window, whose document is empty by then, and in
     * each new worker, before other scripts. Failures are {@link
     * dev.weblocks.model.UncaughtError.Kind#PRELOAD}.
     *
     * @param name its name in stack traces
     * @param source its text
     */
    public Builder preloadScript(String name, String source) {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(source, "source");
      preloadScripts =
          Stream.concat(preloadScripts.stream(), Stream.of(ScriptSource.classic(source, name)))
              .toList();
      return this;
    }

    /**
     * Creates a user agent; later changes of this builder do not affect it.
     *
     * @throws IllegalStateException if the options do not fit together, or the parts of GraalJS in
     *     the build of the embedder
     */
    public UserAgent build() {
      EngineVersions.require();
      for (Variant local : List.of(Variant.EARLY_DRAFT, Variant.CALLBACK_INSIDE_REQUEST)) {
        if (remoteLocks != null && variants.contains(local)) {
          throw new IllegalStateException(
              "the variant "
                  + local.id()
                  + " needs lock managers inside the user agent; leave out the variant or the"
                  + " lock backend");
        }
      }
      return new UserAgent(copy(), null, null);
    }
  }
}
