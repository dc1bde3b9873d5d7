package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Agent;
import dev.weblocks.agent.BorrowedLoop;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.DeterministicDriver;
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
 * Globals of the web in a polyglot {@link Context} that the caller owns: its scripts are an agent
 * of the user agent, and share locks, broadcast channels and storage with all others of their
 * origin.
 *
 * <p><b>Whose context.</b> The context stays the caller's, who makes it, evaluates scripts in it
 * and closes it. {@link Context#eval} and functions of scripts may be called at any time on a
 * thread that may enter the context; what script asks for there, such as a timer or a lock, comes
 * back in a turn of the event loop of this installation. Functions of the engine such as {@code
 * load} and {@code print} stay what they are, and the prototypes of the global object and of all
 * built-ins too. Install before scripts run that are not trusted: the functions installed rely on
 * the built-ins that they find.
 *
 * <p><b>Who runs the loop.</b> With {@link Builder#executor} it runs itself there, one turn after
 * the other. Without one, the caller runs it: {@link #runOne}, {@link #runUntilIdle}, {@link #run}.
 * A context takes one thread at a time. A turn that finds another thread inside waits on an
 * executor, and is refused with an exception where the caller runs the loop. In the other direction
 * the engine throws an {@link IllegalStateException} where a context is entered while a turn runs
 * on another thread: use {@link #submit} or {@link #execute} there, which run in a turn. If the
 * user agent has a deterministic driver, the steps of its locks are among what that one runs.
 *
 * <p><b>Policies.</b> Any host access will do, {@code HostAccess.NONE} included, and so will a
 * context without any option, a shared engine, forbidden value sharing, and {@code
 * SandboxPolicy.CONSTRAINED}; nothing of the host gets visible to script. The policies {@code
 * ISOLATED} and {@code UNTRUSTED} need another edition of the engine and have not been tried.
 * Without the option {@code js.unhandled-rejections=handler} nobody hears of promises that are
 * rejected and not handled; with it, the handler of the context is this installation's.
 *
 * <p><b>Its end.</b> See {@link #close}. All methods may be called on any thread, if they do not
 * say otherwise.
 */
public final class Installation implements AutoCloseable {

  /** The origin of an installation that was given none. */
  public static final String DEFAULT_ORIGIN = "https://localhost";

  /** How long a clock may stand still, in real time, while {@link #run} waits for it. */
  private static final long STANDSTILL_NANOS = 1_000_000_000;

  private final Agent agent;
  private final String clientId;

  /** Null after the end: who keeps this shall not keep the heap of the context. */
  private volatile @Nullable Realm realm;

  private final BorrowedLoop loop;
  private final boolean runsItself;
  private final List<InstalledGlobal> report;
  private final AtomicBoolean driven = new AtomicBoolean();

  private Installation(
      Agent agent,
      Realm realm,
      BorrowedLoop loop,
      boolean runsItself,
      List<InstalledGlobal> report) {
    this.agent = agent;
    this.realm = realm;
    this.clientId = realm.settings().id();
    this.loop = loop;
    this.runsItself = runsItself;
    this.report = report;
  }

  /** How traces, messages and errors call the agent, such as {@code installation-1}. */
  public String name() {
    return agent.name();
  }

  /** The id by which {@code navigator.locks.query()} shows it. */
  public String clientId() {
    return clientId;
  }

  /** What became of each global that was asked for, in their order. */
  public List<InstalledGlobal> report() {
    return report;
  }

  /**
   * Runs one turn, if there is work: the callback of a timer or a lock, say, with all microtasks.
   *
   * @return false if there was no work; a timer that is not due is none
   * @throws IllegalStateException if this is called by a callback, if another thread runs the loop
   *     or is inside the context, if the installation has ended, or if it has an executor
   */
  public boolean runOne() {
    return drive(this::turn);
  }

  /**
   * Runs turns until there is no work. Timers that are not due stay.
   *
   * @return the turns
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
   * Runs turns for some time of the clock, and waits between them for work and timers. Ends early
   * with the installation. Under a deterministic driver, and without a {@link Builder#clock clock}
   * or an executor of its own, it has that driver run everything for that virtual time, and waits
   * for nothing.
   *
   * @param time not negative
   * @throws IllegalStateException as {@link #runOne} does, and if a {@link Builder#clock clock} of
   *     its own did not move while this waited: move it, and call {@link #runUntilIdle}
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void run(Duration time) throws InterruptedException {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time is " + time + "; use none or more");
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
                    + " did not move while run() waited; move it, and call runUntilIdle()");
          }
        }
      }
    }
  }

  /**
   * How long until the next timer is due, zero if one is; empty if there is none. To be called by
   * whoever runs the loop, while no turn runs.
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
              + " runs itself on its executor; use execute() or submit(), or install without one");
    }
    if (agent.eventLoop().isOnLoop() || isCalledByScript()) {
      throw new IllegalStateException(
          "a callback of "
              + name()
              + " must not run its loop; return, and what waits gets its turn");
    }
    if (agent.isEnding()) {
      throw new IllegalStateException(hasEnded());
    }
    if (!driven.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "another thread runs the loop of "
              + name()
              + "; use submit() to get something done there");
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
            ? "its user agent is closed; install into a context by another one"
            : "it or its context was closed; install again into an open context");
  }

  /** Whether script of the context is on the stack, which the caller has started. */
  private boolean isCalledByScript() {
    return agent.isEnteredHere()
        && !agent.isEnding()
        && agent.runInside(() -> {
          Realm here = realm;
          return here != null && RealmBinding.of(here).callerPosition() != null;
        });
  }

  /**
   * Runs something of the host in a turn, inside the context: it may evaluate scripts there. What
   * it throws goes to the {@link ErrorListener} of the user agent. Returns at once; does nothing
   * once the installation has ended.
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
   * Runs something of the host in a turn, inside the context: it may evaluate scripts there.
   * Returns at once. Values of the context must not be used when the turn is over, but in another
   * one.
   *
   * @return completes, in the turn, as the steps do; with a {@link CancellationException} if the
   *     installation ends before. A callback that waits for it gets an {@link
   *     IllegalStateException}
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

  /** Whether the end has begun, by {@link #close} or otherwise. */
  public boolean isClosed() {
    return agent.isEnding();
  }

  /**
   * Completes when the installation has ended, by {@link #close}, with its user agent, or because
   * the context was closed and a turn has noticed.
   */
  public CompletionStage<Void> ended() {
    CompletableFuture<Void> ended = new TurnFuture<>(agent);
    agent.ended().thenRun(() -> ended.complete(null));
    return ended;
  }

  /**
   * Ends the agent: its locks pass on, its timers and callbacks never run again, its ports close,
   * workers that it has made end. The context itself stays open. The globals stay there, too, but
   * their functions throw an {@code InvalidStateError}; another installation replaces them.
   *
   * <p>Close it before the context. Otherwise its locks are held until the next turn. A thread pool
   * driver checks for closed contexts twice a second, as soon as a thread of the pool is free.
   *
   * <p>If a turn is under way, on this thread or another one, the end comes when it is over, and is
   * not there yet when this returns: no script is stopped ({@link Context#close(boolean)} does
   * that). Script that the caller evaluates outside of any turn is not waited for.
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
     * Which globals to install, added to what was named before; default is all groups. What the
     * context has already is kept.
     */
    public Builder globals(Globals first, Globals... others) {
      groups.add(first);
      groups.addAll(List.of(others));
      return this;
    }

    /**
     * Single globals to install, added to what was named before.
     *
     * @throws IllegalArgumentException for a name that is in no group
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
     * Globals that are installed even if the context has something of that name. They are not
     * installed at all unless they are among {@link #globals}.
     *
     * @throws IllegalArgumentException for a name that is in no group
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
            "'" + name + "' is no global that can be installed; there are " + known);
      }
    }

    /**
     * The origin whose locks, channels and storage the scripts share; default is {@link
     * #DEFAULT_ORIGIN}. What only secure contexts get, locks among it, needs https or localhost.
     *
     * @param value such as {@code https://app.test}
     * @throws IllegalArgumentException if it is no origin
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
            "'" + value + "' is no origin; use one such as https://app.test");
      }
      return parsed;
    }

    /**
     * The id by which {@code navigator.locks.query()} shows this client; default is a random UUID.
     * No other client of the user agent may have it.
     */
    public Builder clientId(String value) {
      if (value.isEmpty()) {
        throw new IllegalArgumentException("the client id is empty; give one, or none");
      }
      clientId = value;
      return this;
    }

    /**
     * Has the event loop run itself, one turn at a time. The executor must not run what it is given
     * on the thread that gives it. It may have many threads, and serve many installations. When it
     * rejects a task, the installation ends. Whatever else it throws is reported, and the task is
     * offered to it again, after 50 ms at most.
     */
    public Builder executor(Executor value) {
      executor = Objects.requireNonNull(value, "executor");
      return this;
    }

    /**
     * The clock of timers, {@code performance} and {@code run()}, for a loop that the caller runs;
     * default is that of the user agent's driver. It must never go back.
     */
    public Builder clock(InstantSource value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /**
     * For a loop that the caller runs: called on any thread when there is work or another {@link
     * #nextDeadline}, also when there may be. It must not run the loop, only see to it that
     * somebody does.
     */
    public Builder onWork(Runnable value) {
      onWork = Objects.requireNonNull(value, "onWork");
      return this;
    }

    /**
     * Installs. On a thread that may enter the context, and not while another one is inside: where
     * no script has run yet, the engine notices that too late, and lets no script run ever after.
     *
     * @throws IllegalStateException if the context is closed, or another thread is inside it; if
     *     there is an installation in it; if the user agent is closed; if the client id is taken;
     *     or if both executor and clock or listener were given
     */
    public Installation install() {
      if (executor != null && (clock != null || onWork != null)) {
        throw new IllegalStateException(
            "a loop that runs itself on an executor takes no clock and no onWork; leave the executor"
                + " out to run the loop yourself");
      }
      return userAgent.install(this);
    }
  }

  /** Installs what a builder says. */
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
    BorrowedLoop loop =
        new BorrowedLoop(
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
                "the user agent has no resource loader; give it one"));
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
              "the context has one; name it in replace() to have this one");
      case MISSING ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              secureContext
                  ? "this kind of environment has none"
                  : "it needs a secure context; give an origin of https or localhost");
      case REFUSED ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              "the object that would have it does not take the property");
    };
  }
}
