package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EmbedderLoop;
import dev.weblocks.agent.JavaStack;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.Reports;
import dev.weblocks.installation.Installer;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * An installation of web globals into a polyglot {@link Context} that the caller owns. The scripts
 * of the context are an agent of the user agent; they share locks, broadcast channels and storage
 * with all other agents of their origin.
 *
 * <p><b>Ownership of the context.</b> The caller makes the context, evaluates scripts in it and
 * closes it. {@link Context#eval} and functions of scripts may be called at any time on a thread
 * that may enter the context. Callbacks of script, such as those of timers and locks, run in a turn
 * of the event loop of this installation. Functions of the engine such as {@code load} and {@code
 * print}, and the prototypes of the global object and of all built-ins, are not changed. Install
 * before untrusted scripts run: the installed functions rely on the built-ins that they find.
 *
 * <p><b>Event loop.</b> With {@link Builder#executor} the loop runs on that executor, one turn
 * after the other. Without one, the caller runs it: {@link #runOne}, {@link #runUntilIdle}, {@link
 * #run}. Only one thread at a time may be inside a context. If another thread is inside, a turn on
 * an executor waits; if the caller runs the loop, the call throws an exception. Conversely, the
 * engine throws an {@link IllegalStateException} if a context is entered while a turn runs on
 * another thread: use {@link #submit} or {@link #execute} there, which run in a turn. If the user
 * agent has a deterministic driver, that driver runs the steps of its locks.
 *
 * <p><b>Policies.</b> Supported are any host access, including {@code HostAccess.NONE}, a context
 * without any option, a shared engine, forbidden value sharing, and {@code
 * SandboxPolicy.CONSTRAINED}. No host object becomes visible to script. The policies {@code
 * ISOLATED} and {@code UNTRUSTED} need another edition of the engine and have not been tested.
 * Without the option {@code js.unhandled-rejections=handler}, unhandled promise rejections are not
 * reported; with it, this installation sets the handler of the context.
 *
 * <p><b>End.</b> See {@link #close}. All methods may be called on any thread, unless specified
 * otherwise.
 */
public final class Installation implements AutoCloseable {

  /** The default origin of an installation. */
  public static final String DEFAULT_ORIGIN = "https://localhost";

  /** The maximum real time for which a clock may stand still while {@link #run} waits for it. */
  private static final long STANDSTILL_NANOS = 1_000_000_000;

  private final Agent agent;
  private final String clientId;

  /** Null after the end, so that a retained Installation does not leak its context. */
  private volatile @Nullable Realm realm;

  private final EmbedderLoop loop;
  private final boolean runsItself;
  private final List<InstalledGlobal> report;
  private final AtomicBoolean driven = new AtomicBoolean();

  private Installation(
      Agent agent,
      Realm realm,
      EmbedderLoop loop,
      boolean runsItself,
      List<InstalledGlobal> report) {
    this.agent = agent;
    this.realm = realm;
    this.clientId = realm.settings().id();
    this.loop = loop;
    this.runsItself = runsItself;
    this.report = report;
  }

  /**
   * Returns the name of the agent in traces, messages and errors, such as {@code installation-1}.
   */
  public String name() {
    return agent.name();
  }

  /** Returns its id in the result of {@code navigator.locks.query()}. */
  public String clientId() {
    return clientId;
  }

  /** Returns the outcome for each requested global, in the order of the request. */
  public List<InstalledGlobal> report() {
    return report;
  }

  /**
   * Runs one turn, if there is work: for example the callback of a timer or a lock, with all
   * microtasks.
   *
   * @return false if there was no work; a timer that is not due does not count
   * @throws IllegalStateException if a callback calls this, if another thread runs the loop or is
   *     inside the context, if the installation has ended, or if it has an executor
   */
  public boolean runOne() {
    return drive(this::turn);
  }

  /**
   * Runs turns until there is no work. Timers that are not due stay.
   *
   * @return the number of turns
   * @throws IllegalStateException as {@link #runOne} does
   */
  public int runUntilIdle() {
    return drive(() -> {
      int turns = 0;
      while (!agent.isEnding() && turn()) {
        turns++;
      }
      return turns;
    });
  }

  /**
   * Runs turns for some time of the clock, and waits between them for work and timers. Returns
   * early if the installation ends. With a deterministic driver, and without its own {@link
   * Builder#clock clock} or executor, it runs that driver for this virtual time instead, without
   * waiting.
   *
   * @param time not negative
   * @throws IllegalStateException as {@link #runOne} does, and if its own {@link Builder#clock
   *     clock} did not move while this waited: move it, and call {@link #runUntilIdle}
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void run(Duration time) throws InterruptedException {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time is " + time + "; use zero or a positive duration");
    }
    AtomicReference<@Nullable InterruptedException> interrupted = new AtomicReference<>();
    boolean unused =
        drive(() -> {
          try {
            runAndWait(time.toNanos());
          } catch (InterruptedException stopped) {
            interrupted.set(stopped);
          }
          return true;
        });
    InterruptedException stopped = interrupted.get();
    if (stopped != null) {
      throw stopped;
    }
  }

  private void runAndWait(long nanos) throws InterruptedException {
    if (loop.isScheduled() && agent.userAgent().driver() instanceof DeterministicDriver driver) {
      driver.runFor(nanos);
      return;
    }
    Clock clock = loop.clock();
    long end = clock.nanoTime() + nanos;
    long stoodStill = 0;
    while (!agent.isEnding()) {
      long seen = loop.signals();
      boolean ran = turn();
      long now = clock.nanoTime();
      if (now >= end) {
        return;
      }
      if (!ran) {
        long next = Math.min(end, loop.nextDeadline());
        if (next > now) {
          boolean signalled = loop.awaitSignalAfter(seen, next - now);
          boolean stands = !signalled && clock.nanoTime() == now;
          stoodStill = stands ? stoodStill + next - now : 0;
          if (stoodStill > STANDSTILL_NANOS) {
            throw new IllegalStateException(
                "the clock of "
                    + name()
                    + " did not advance while run() waited; advance it, and call runUntilIdle()");
          }
        }
      }
    }
  }

  /**
   * Returns the time until the next timer is due, zero if one is due; empty if there is none. To be
   * called by the thread that runs the loop, while no turn runs.
   */
  public Optional<Duration> nextDeadline() {
    long deadline = loop.nextDeadline();
    return deadline == Actor.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, deadline - loop.clock().nanoTime())));
  }

  private boolean turn() {
    boolean ran = loop.runOne();
    if (!ran && agent.wasRefused()) {
      throw new IllegalStateException(
          "another thread is inside the context of "
              + name()
              + "; run the loop on that thread, or when it has left");
    }
    return ran;
  }

  private <T> T drive(Supplier<T> steps) {
    if (runsItself) {
      throw new IllegalStateException(
          name()
              + " runs on its executor; use execute() or submit(), or install without an executor");
    }
    if (agent.eventLoop().isOnLoop() || isCalledByScript()) {
      throw new IllegalStateException(
          "a callback of " + name() + " must not run its loop; return from the callback first");
    }
    if (agent.isEnding()) {
      throw new IllegalStateException(hasEnded());
    }
    if (!driven.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "another thread runs the loop of " + name() + "; use submit() to run a task there");
    }
    try {
      return steps.get();
    } finally {
      driven.set(false);
    }
  }

  private String hasEnded() {
    return name()
        + " has ended: "
        + (agent.userAgent().isClosed()
            ? "its user agent is closed; install with another user agent"
            : "it or its context was closed; install again into an open context");
  }

  /** Returns whether script of the context that the caller started is on the stack. */
  private boolean isCalledByScript() {
    return agent.isEnteredHere()
        && !agent.isEnding()
        && agent.runInside(() -> {
          Realm here = realm;
          return here != null && RealmBinding.of(here).callerPosition() != null;
        });
  }

  /**
   * Runs host code in a turn, inside the context; it may evaluate scripts there. An exception is
   * reported to the {@link ErrorListener} of the user agent. Returns at once; no-op once the
   * installation has ended.
   */
  public void execute(Runnable steps) {
    Realm here = realm;
    if (here == null) {
      return;
    }
    here.queueTask(
        TaskSource.DOM_MANIPULATION,
        "host",
        () -> {
          try {
            steps.run();
          } catch (RuntimeException | Error failure) {
            Reports.of(here)
                .uncaughtError(
                    here,
                    new ErrorInformation("Uncaught " + failure, "", 0, 0, JavaStack.of(failure)));
          }
        });
  }

  /**
   * Runs host code in a turn, inside the context; it may evaluate scripts there. Returns at once.
   * Values of the context must not be used outside of a turn.
   *
   * @return completes, in the turn, with the result or exception of the steps; with a {@link
   *     CancellationException} if the installation ends before. A callback that blocks on it gets
   *     an {@link IllegalStateException}
   */
  public <T> CompletionStage<T> submit(Callable<? extends T> steps) {
    CompletableFuture<T> result = new TurnFuture<>(agent);
    agent
        .eventLoop()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            null,
            "host",
            () -> {
              try {
                result.complete(steps.call());
              } catch (Exception | Error failure) {
                result.completeExceptionally(failure);
              }
            });
    agent
        .orEnded(result)
        .whenComplete((any, failure) ->
            result.completeExceptionally(new CancellationException(name() + " has ended")));
    return result.copy();
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. */
  public boolean isClosed() {
    return agent.isEnding();
  }

  /**
   * Returns a stage that completes when the installation has ended: by {@link #close}, with its
   * user agent, or because the context was closed and a turn has detected it.
   */
  public CompletionStage<Void> ended() {
    CompletableFuture<Void> ended = new TurnFuture<>(agent);
    agent.ended().thenRun(() -> ended.complete(null));
    return ended;
  }

  /**
   * Ends the agent: its locks are released, its timers and callbacks never run again, its ports are
   * closed, and its workers end. The context itself stays open. The globals stay in it, but their
   * functions throw an {@code InvalidStateError}; another installation replaces them.
   *
   * <p>Close it before the context. Otherwise its locks are held until the next turn. A thread pool
   * driver checks for closed contexts twice a second, as soon as a thread of the pool is free.
   *
   * <p>If a turn is running, on this thread or another one, the installation ends after it, and
   * this returns before that. No script is stopped; {@link Context#close(boolean)} does that. This
   * does not wait for script that the caller evaluates outside of any turn.
   */
  @Override
  public void close() {
    agent.terminate();
  }

  /** Configures an installation. Not thread-safe. */
  public static final class Builder {
    private final UserAgent userAgent;
    private final Context context;
    private final Set<Globals> groups = EnumSet.noneOf(Globals.class);
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> replaced = new LinkedHashSet<>();
    private String origin = DEFAULT_ORIGIN;
    private @Nullable String clientId;
    private @Nullable Executor executor;
    private @Nullable InstantSource clock;
    private @Nullable Runnable onWork;

    Builder(UserAgent userAgent, Context context) {
      this.userAgent = userAgent;
      this.context = Objects.requireNonNull(context, "context");
    }

    @Nullable String clientId() {
      return clientId;
    }

    /**
     * Adds groups of globals to install; default is all groups. Globals that the context has
     * already are kept.
     */
    public Builder globals(Globals first, Globals... others) {
      groups.add(first);
      groups.addAll(List.of(others));
      return this;
    }

    /**
     * Adds single globals to install.
     *
     * @throws IllegalArgumentException if a name is in no group
     */
    public Builder globals(String first, String... others) {
      checkName(first);
      names.add(first);
      for (String other : others) {
        checkName(other);
        names.add(other);
      }
      return this;
    }

    /**
     * Adds globals that are installed even if the context has a global of that name. They are not
     * installed at all unless they are among {@link #globals}.
     *
     * @throws IllegalArgumentException if a name is in no group
     */
    public Builder replace(String first, String... others) {
      checkName(first);
      replaced.add(first);
      for (String other : others) {
        checkName(other);
        replaced.add(other);
      }
      return this;
    }

    private static void checkName(String name) {
      Set<String> known = new TreeSet<>();
      for (Globals group : Globals.values()) {
        known.addAll(group.names());
      }
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "'" + name + "' is not an installable global; known are " + known);
      }
    }

    /**
     * Sets the origin whose locks, channels and storage the scripts share; default is {@link
     * #DEFAULT_ORIGIN}. Globals of secure contexts, such as locks, need https or localhost.
     *
     * @param value such as {@code https://app.test}
     * @throws IllegalArgumentException if it is not an origin
     */
    public Builder origin(String value) {
      originOf(value);
      origin = value;
      return this;
    }

    private static Origin originOf(String value) {
      UrlRecord url = UrlParser.parse(value);
      Origin parsed = url == null ? null : url.tupleOrigin();
      if (url == null || parsed == null || !url.href().equals(parsed.serialize() + "/")) {
        throw new IllegalArgumentException(
            "'" + value + "' is not an origin; use one such as https://app.test");
      }
      return parsed;
    }

    /**
     * Sets the id of this client in the result of {@code navigator.locks.query()}; default is a
     * random UUID. It must be unique among the clients of the user agent.
     */
    public Builder clientId(String value) {
      if (value.isEmpty()) {
        throw new IllegalArgumentException(
            "the client id is empty; use a non-empty one, or leave it out");
      }
      clientId = value;
      return this;
    }

    /**
     * Sets an executor that runs the event loop, one turn at a time. It must not run a task on the
     * submitting thread. It may have many threads, and serve many installations. When it rejects a
     * task, the installation ends. Other exceptions of the executor are reported, and the task is
     * submitted again, after 50 ms at most.
     */
    public Builder executor(Executor value) {
      executor = Objects.requireNonNull(value, "executor");
      return this;
    }

    /**
     * Sets the clock of timers, {@code performance} and {@code run()}, for a loop that the caller
     * runs; default is that of the user agent's driver. It must never go back.
     */
    public Builder clock(InstantSource value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /**
     * Sets a callback for a loop that the caller runs: called on any thread when there may be work
     * or a new {@link #nextDeadline}. It must not run the loop itself, but arrange that it is run.
     */
    public Builder onWork(Runnable value) {
      onWork = Objects.requireNonNull(value, "onWork");
      return this;
    }

    /**
     * Installs the globals. Call it on a thread that may enter the context, and not while another
     * thread is inside: in a context in which no script has run yet, the engine detects that too
     * late, and the context becomes unusable for script.
     *
     * @throws IllegalStateException if the context is closed, or another thread is inside it; if
     *     there is an installation in it; if the user agent is closed; if the client id is taken;
     *     or if both executor and clock or listener were given
     */
    public Installation install() {
      if (executor != null && (clock != null || onWork != null)) {
        throw new IllegalStateException(
            "clock() and onWork() cannot be combined with executor(); leave the executor out to run"
                + " the loop yourself");
      }
      return userAgent.install(this);
    }
  }

  /** Installs the globals of a builder. */
  static Installation install(
      Builder builder,
      dev.weblocks.agent.UserAgent userAgent,
      Installer installer,
      String id,
      boolean hasResourceLoader,
      ErrorListener errorListener) {
    AtomicReference<@Nullable Agent> made = new AtomicReference<>();
    AtomicReference<@Nullable Installation> installed = new AtomicReference<>();
    BiConsumer<String, Throwable> failures =
        (where, failure) -> {
          Agent agent = made.get();
          String name = agent == null ? "installation" : agent.name();
          errorListener.uncaught(UserAgent.defect(name, where, failure));
        };
    Runnable onWork = builder.onWork;
    EmbedderLoop loop =
        new EmbedderLoop(
            userAgent.driver(),
            builder.clock == null
                ? userAgent.driver().clock()
                : new InstallationClock(builder.clock),
            builder.executor,
            onWork == null
                ? () -> {}
                : () -> guarded(onWork, failure -> failures.accept("onWork", failure)),
            () -> {
              Agent agent = made.get();
              if (agent != null) {
                agent.terminate();
              }
            },
            failure -> failures.accept("executor", failure),
            () -> {
              Installation installation = installed.get();
              return installation != null && installation.isCalledByScript();
            },
            () -> {
              Agent agent = made.get();
              return agent != null && agent.wasRefused();
            });
    Agent agent = userAgent.createAgent("installation", loop, builder.context);
    made.set(agent);
    Origin origin = Builder.originOf(builder.origin);
    List<String> wanted = new ArrayList<>();
    List<InstalledGlobal> leftOut = new ArrayList<>();
    choose(builder, hasResourceLoader, wanted, leftOut);
    try {
      Installer.Installed placed =
          agent.runInside(() ->
              installer.install(agent, builder.context, id, origin, wanted, builder.replaced));
      List<InstalledGlobal> report = new ArrayList<>();
      placed.placed().forEach(each -> report.add(global(each, origin.isPotentiallyTrustworthy())));
      report.addAll(leftOut);
      Installation installation =
          new Installation(
              agent, placed.realm(), loop, builder.executor != null, List.copyOf(report));
      agent.onEnd(() -> installation.realm = null);
      installed.set(installation);
      return installation;
    } catch (PolyglotException tooOld) {
      agent.terminate();
      throw new IllegalStateException(
          "the context cannot take an installation ("
              + tooOld.getMessage()
              + "); it needs ECMAScript 2024 or newer and built-ins that no script has changed",
          tooOld);
    } catch (RuntimeException | Error failed) {
      agent.terminate();
      throw failed;
    }
  }

  private static void guarded(Runnable steps, Consumer<Throwable> failures) {
    try {
      steps.run();
    } catch (RuntimeException | Error failure) {
      failures.accept(failure);
    }
  }

  private static void choose(
      Builder builder,
      boolean hasResourceLoader,
      List<String> wanted,
      List<InstalledGlobal> leftOut) {
    Set<String> chosen = new LinkedHashSet<>();
    boolean all = builder.groups.isEmpty() && builder.names.isEmpty();
    for (Globals group : all ? EnumSet.allOf(Globals.class) : builder.groups) {
      chosen.addAll(group.names());
    }
    chosen.addAll(builder.names);
    Set<String> impossible = new LinkedHashSet<>();
    for (Globals group : Globals.values()) {
      if (group.needsResourceLoader() && !hasResourceLoader) {
        impossible.addAll(group.names());
      }
    }
    for (String name : chosen) {
      if (impossible.contains(name)) {
        leftOut.add(
            new InstalledGlobal(
                name,
                InstalledGlobal.Outcome.LEFT_OUT,
                "the user agent has no resource loader; set one in its builder"));
      } else {
        wanted.add(name);
      }
    }
  }

  private static InstalledGlobal global(Installer.Placed placed, boolean secureContext) {
    return switch (placed.outcome()) {
      case INSTALLED -> new InstalledGlobal(placed.name(), InstalledGlobal.Outcome.INSTALLED, "");
      case KEPT ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.KEPT,
              "the context already defines it; name it in replace() to replace it");
      case MISSING ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              secureContext
                  ? "this kind of environment does not expose it"
                  : "it needs a secure context; use an origin of https or localhost");
      case REFUSED ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              "the property cannot be defined on its object");
    };
  }
}
