package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EmbedderLoop;
import dev.weblocks.agent.JavaStack;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.DroppedJobs;
import dev.weblocks.binding.EscapedExceptions;
import dev.weblocks.binding.HostStages;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.Reports;
import dev.weblocks.model.Ending;
import dev.weblocks.model.Schedule;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Web globals, such as timers and locks, in a polyglot {@link Context} that the caller owns. The
 * scripts of the context are an agent of the user agent; they share locks, broadcast channels and
 * storage with all other agents of their origin.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="installation"}
 *
 * <p><b>Ownership of the context.</b> The caller makes the context, evaluates scripts in it and
 * closes it. {@link Context#eval} and functions of scripts may be called at any time on a thread
 * that may enter the context. Callbacks of script, such as those of timers and locks, run in a turn
 * of the event loop of this installation. Functions of the engine such as {@code load} and {@code
 * print}, and the prototypes of the global object and of all built-ins, are not changed. Install
 * before untrusted scripts run: the installed functions rely on the built-ins that they find.
 *
 * <p><b>Event loop.</b> With {@link Builder#install(Executor)} the loop runs on an executor, one
 * turn after the other. With {@link Builder#install()} the caller runs it, with the methods of
 * {@link CallerDrivenInstallation}. Only one thread at a time may be inside a context. If another
 * thread is inside, a turn on an executor waits; a method with which the caller runs the loop
 * throws an exception. Conversely, the engine throws an {@link IllegalStateException} if a context
 * is entered while a turn runs on another thread: use {@link #submit} or {@link #execute} instead.
 * If the user agent has a deterministic driver, that driver runs the steps of its locks.
 *
 * <p><b>Policies.</b> Supported are any host access, including {@code HostAccess.NONE}, a context
 * without any option, a shared engine, forbidden value sharing, and {@code
 * SandboxPolicy.CONSTRAINED}. No host object becomes visible to script. The policies {@code
 * ISOLATED} and {@code UNTRUSTED} need another edition of the engine and have not been tested. Set
 * the option {@code js.unhandled-rejections} of the context to {@code handler}: this installation
 * then sets the handler of the context. Otherwise unhandled rejections of promises are not
 * reported.
 *
 * <p><b>End.</b> See {@link #close}. All methods may be called on any thread, unless specified
 * otherwise.
 */
public sealed class Installation implements Executor, AutoCloseable
    permits CallerDrivenInstallation {

  /** The default origin of an installation. */
  public static final String DEFAULT_ORIGIN = "https://localhost";

  final Agent agent;
  private final String clientId;

  /** The realm; null after the end, so that a retained Installation does not leak its context. */
  private volatile @Nullable Realm realm;

  final EmbedderLoop loop;
  final Driver driver;
  private final List<InstalledGlobal> report;

  /** The parts from which {@link Installing} creates an installation. */
  record Installed(
      Agent agent, Realm realm, EmbedderLoop loop, Driver driver, List<InstalledGlobal> report) {}

  Installation(Installed installed) {
    agent = installed.agent();
    driver = installed.driver();
    realm = installed.realm();
    clientId = installed.realm().settings().id();
    loop = installed.loop();
    report = List.copyOf(installed.report());
    agent.onEnd(() -> realm = null);
  }

  /**
   * Returns the name of the agent in traces, messages, errors and {@link
   * dev.weblocks.model.LockEvent}s: that of the {@link Builder#name builder}, or a generated one
   * such as {@code installation-1}.
   */
  public String name() {
    return agent.name();
  }

  /** Returns the id of this client in the result of {@code navigator.locks.query()}. */
  public String clientId() {
    return clientId;
  }

  /**
   * Returns the outcome for each requested global: the groups in the order of {@link Globals}, then
   * the single names. Globals left out for lack of a resource loader are last.
   */
  public List<InstalledGlobal> report() {
    return report;
  }

  String hasEnded() {
    return name()
        + " has ended: "
        + (agent.userAgent().isClosed()
            ? "its user agent is closed; install with another user agent"
            : "it or its context was closed; install again into an open context");
  }

  /** Returns whether script of the context is on the stack of the current thread. */
  boolean isCalledByScript() {
    return agent.isEnteredHere()
        && !agent.isEnding()
        && agent.runInside(() -> {
          Realm here = realm;
          return here != null && RealmBinding.of(here).callPositions().of(null) != null;
        });
  }

  /**
   * Runs host code in a turn, inside the context; it may evaluate scripts there. Returns at once.
   * An exception of the command is reported to the {@link dev.weblocks.model.ErrorListener} of the
   * user agent; so is a {@link CancellationException} if the installation ends before the command
   * has run. An exception of script is reported as such: with its position, and by an event {@code
   * error} first.
   *
   * @throws RejectedExecutionException if the installation has ended
   */
  @Override
  public void execute(Runnable command) {
    Objects.requireNonNull(command, "command");
    Realm here = realm;
    if (here == null) {
      throw new RejectedExecutionException(hasEnded());
    }
    CompletableFuture<?> unused =
        runInTurn(
                () -> {
                  command.run();
                  return true;
                })
            .whenComplete((ran, failure) -> {
              if (failure != null && !EscapedExceptions.report(agent, failure)) {
                Reports.of(here)
                    .uncaughtError(
                        here,
                        new ErrorInformation(
                            "Uncaught " + failure, "", 0, 0, JavaStack.of(failure)));
              }
            });
  }

  /**
   * Runs host code in a turn, inside the context; it may evaluate scripts there. Returns at once.
   * Values of the context must not be used outside of a turn.
   *
   * @return a future that completes, in the turn, with the result or exception of the task; with a
   *     {@link CancellationException} if the installation ends first. A callback that blocks on the
   *     future gets an {@link IllegalStateException}
   * @throws RejectedExecutionException if the installation has ended
   */
  public <T> CompletableFuture<T> submit(Callable<? extends T> task) {
    Objects.requireNonNull(task, "task");
    return runInTurn(task);
  }

  private <T> CompletableFuture<T> runInTurn(Callable<? extends T> task) {
    return inTurn("the task ran", (here, result) -> result.complete(task.call()));
  }

  private interface TurnSteps<T extends @Nullable Object> {
    void run(Realm here, CompletableFuture<T> result) throws Exception;
  }

  /** Runs steps in a turn; the future is cancelled if the installation ends before {@code what}. */
  private <T extends @Nullable Object> CompletableFuture<T> inTurn(
      String what, TurnSteps<T> steps) {
    Realm here = realm;
    if (here == null || agent.isEnding()) {
      throw new RejectedExecutionException(hasEnded());
    }
    CompletableFuture<T> result = new TurnFuture<>(agent);
    here.queueTask(
        TaskSource.DOM_MANIPULATION,
        "host",
        () -> {
          try {
            steps.run(here, result);
          } catch (Exception | Error failure) {
            result.completeExceptionally(failure);
            DroppedJobs.repairAfter(agent, failure);
          }
        });
    agent
        .orEnded(result)
        .whenComplete((any, failure) -> {
          if (!result.isDone()) { // the exception and its stack trace cost time
            result.completeExceptionally(
                new CancellationException(name() + " ended before " + what));
          }
        });
    return result;
  }

  /**
   * Calls a function of the context in a turn, and awaits its result. Returns at once.
   *
   * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="installationCall"}
   *
   * @param function a function of the context; called without {@code this}
   * @param result converts the settled result, in the turn in which it settles: values of the
   *     context must not leave the turn
   * @param arguments converted by the engine as {@link Value#execute} does; script gets a promise
   *     for a {@link CompletionStage}
   * @return a future that completes, in a turn, with the converted result of the function. A
   *     promise, and a {@link CompletionStage} of the host, is awaited first. The future completes
   *     exceptionally with an {@link EvaluationException} if the function throws, or its promise is
   *     rejected; with the exception of the conversion; with an {@link IllegalArgumentException} if
   *     the value is no function; with a {@link CancellationException} if the installation ends
   *     first. A callback that blocks on the future gets an {@link IllegalStateException}
   * @throws RejectedExecutionException if the installation has ended
   */
  public <T extends @Nullable Object> CompletableFuture<T> call(
      Value function, Function<? super Value, ? extends T> result, @Nullable Object... arguments) {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(result, "result");
    @Nullable Object[] copy = Objects.requireNonNull(arguments, "arguments").clone();
    return inTurn(
        "the call had a result",
        (here, future) -> new ScriptResult<>(here, result, future).call(function, copy));
  }

  /**
   * Returns a future of a promise of script. Returns at once; the promise is awaited in a turn.
   *
   * @param promise a promise of the context; any other value counts as the result
   * @param result as for {@link #call}
   * @return a future that completes as that of {@link #call} does
   * @throws RejectedExecutionException if the installation has ended
   */
  public <T extends @Nullable Object> CompletableFuture<T> future(
      Value promise, Function<? super Value, ? extends T> result) {
    Objects.requireNonNull(promise, "promise");
    Objects.requireNonNull(result, "result");
    return inTurn(
        "the promise settled",
        (here, future) -> new ScriptResult<>(here, result, future).await(promise));
  }

  /**
   * Returns a promise for script that settles as a stage of the host does, in a turn. Functions of
   * the host return it, because script cannot await the stage itself: {@code await stage} gives the
   * stage. It works with each host access.
   *
   * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="installationPromise"}
   *
   * <p>The promise is fulfilled with the result of the stage, converted by the engine. If the stage
   * fails, script gets the exception as if a function of the host had thrown it. The promise stays
   * pending if the installation ends first.
   *
   * <p>Callable in a turn, in a function that script calls, and on any other thread that may enter
   * the context.
   *
   * @return a promise of the context
   * @throws IllegalStateException if another thread is inside the context, or the installation has
   *     ended
   */
  public Value promise(CompletionStage<?> stage) {
    Objects.requireNonNull(stage, "stage");
    Realm here = realm;
    if (here == null) {
      throw new IllegalStateException(hasEnded());
    }
    return agent.eventLoop().isOnLoop()
        ? HostStages.promise(here, stage).promise()
        : agent.runInside(() -> HostStages.promise(here, stage).promise());
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. Callable on any thread. */
  public boolean isClosed() {
    return agent.isEnding();
  }

  /**
   * Returns a future that completes when the installation has ended: by {@link #close}, with its
   * user agent, or because the context was closed and a turn has detected it. Its value says
   * whether the last turn has ended, or was cut off because it took longer than {@link
   * dev.weblocks.model.Limits.Builder#endLimit}.
   */
  public CompletableFuture<Ending> ended() {
    CompletableFuture<Ending> ended = new TurnFuture<>(agent);
    agent.ended().thenAccept(ended::complete);
    return ended;
  }

  /**
   * Begins the end of the agent, and returns at once; {@link #ended()} completes when it has ended.
   * Its locks are released, its timers and callbacks never run again, its ports are closed, and its
   * workers end. The context itself stays open. The globals stay in it, but their functions throw
   * an {@code InvalidStateError}; another installation replaces them.
   *
   * <p>Close the installation before the context. Otherwise its locks are held until a check for
   * closed contexts, which runs twice a second. With a deterministic driver, they are held until
   * the next request for a lock, or until the driver tries to run the installation.
   *
   * <p>If a turn is running, on this thread or another one, the installation ends after it. No
   * script is stopped; {@link Context#close(boolean)} does that. Script that the caller evaluates
   * outside of any turn does not delay the end. Idempotent.
   */
  @Override
  public void close() {
    agent.terminate();
  }

  /**
   * Ends the agent like {@link #close()}, and waits until it has ended. Runs a deterministic or
   * caller-driven driver meanwhile. Afterwards no turn is inside the context, unless it was cut
   * off, so that the context can be closed. Idempotent; after an exception, another call continues
   * to wait.
   *
   * @param patience the maximum real time to wait; zero for none
   * @return whether the last turn has ended, or was cut off, see {@link #ended()}
   * @throws IllegalArgumentException if the patience is negative
   * @throws IllegalStateException if called by script of this installation, or in a turn of it,
   *     where it would wait for itself; or if the installation has not ended in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public Ending close(Duration patience) throws InterruptedException {
    if (Objects.requireNonNull(patience, "patience").isNegative()) {
      throw new IllegalArgumentException(
          "patience is " + patience + "; use zero or a positive duration");
    }
    if (agent.eventLoop().isOnLoop() || isCalledByScript()) {
      throw new IllegalStateException(
          "close(Duration) was called in a turn that it would wait for; call close(), or call it"
              + " on another thread");
    }
    long nanos = Math.max(1, Driver.nanos(patience));
    CompletableFuture<Ending> ended =
        driver.internal().delays().orTimeout(agent.terminate().toCompletableFuture().copy(), nanos);
    driver.runUntil(ended);
    try {
      return ended.get();
    } catch (ExecutionException late) {
      throw new IllegalStateException(
          name()
              + " has not ended after "
              + Driver.text(patience)
              + ": it still runs script or host code; call UserAgent.cancelScripts() or"
              + " Context.close(true), and then close() again",
          late);
    }
  }

  /** A builder for an installation. Not thread-safe. */
  public static final class Builder {
    private final Installing installing;
    final Context context;
    final Set<Globals> groups = EnumSet.noneOf(Globals.class);
    final Set<String> names = new LinkedHashSet<>();
    final Set<String> replaced = new LinkedHashSet<>();
    Origin origin = originOf(DEFAULT_ORIGIN);
    @Nullable String name;
    @Nullable String clientId;
    @Nullable InstantSource clock;
    @Nullable Runnable onWork;

    Builder(Installing installing, Context context) {
      this.installing = installing;
      this.context = Objects.requireNonNull(context, "context");
    }

    /**
     * Adds groups of globals to install; default is all groups. Globals that the context already
     * has are kept.
     */
    public Builder globals(Globals first, Globals... others) {
      groups.add(Objects.requireNonNull(first, "first"));
      groups.addAll(List.of(Objects.requireNonNull(others, "others")));
      return this;
    }

    /**
     * Adds single globals to install.
     *
     * @throws IllegalArgumentException if a name is in no group
     */
    public Builder globals(String first, String... others) {
      addTo(names, first, others);
      return this;
    }

    /**
     * Adds globals that are installed even if the context has a global of that name. They are not
     * installed at all unless they are among {@link #globals}.
     *
     * @throws IllegalArgumentException if a name is in no group
     */
    public Builder replace(String first, String... others) {
      addTo(replaced, first, others);
      return this;
    }

    private static void addTo(Set<String> set, String first, String... others) {
      Set<String> known = new TreeSet<>();
      for (Globals group : Globals.values()) {
        known.addAll(group.names());
      }
      List<String> names = new ArrayList<>(List.of(Objects.requireNonNull(others, "others")));
      names.addFirst(Objects.requireNonNull(first, "first"));
      for (String name : names) {
        if (!known.contains(name)) {
          throw new IllegalArgumentException(
              "'" + name + "' is not an installable global; known names: " + known);
        }
      }
      set.addAll(names);
    }

    /**
     * Sets the origin whose locks, channels and storage the scripts share; default is {@link
     * #DEFAULT_ORIGIN}. Globals of secure contexts, such as locks, need https or localhost.
     *
     * @param origin such as {@code https://app.test}
     * @throws IllegalArgumentException if it is not an origin
     */
    public Builder origin(String origin) {
      this.origin = originOf(Objects.requireNonNull(origin, "origin"));
      return this;
    }

    private static Origin originOf(String value) {
      Origin parsed = LockClients.tupleOrigin(value);
      if (parsed == null) {
        throw new IllegalArgumentException(
            "'" + value + "' is not an origin; use one such as https://app.test");
      }
      return parsed;
    }

    /**
     * Sets the id of this client in the result of {@code navigator.locks.query()}; default is a
     * random UUID. It must be unique among the clients of the user agent.
     */
    public Builder clientId(String clientId) {
      if (Objects.requireNonNull(clientId, "clientId").isEmpty()) {
        throw new IllegalArgumentException(
            "the client id is empty; use a non-empty one, or leave it out");
      }
      this.clientId = clientId;
      return this;
    }

    /**
     * Sets the name of the agent, as in {@link Installation#name()}, {@link
     * dev.weblocks.model.LockEntry#agent()}, errors and traces; default is a generated one such as
     * {@code installation-1}. It must be unique among the installations of the user agent.
     *
     * @throws IllegalArgumentException if it is empty or {@link Schedule#isReserved reserved}
     */
    public Builder name(String name) {
      if (Objects.requireNonNull(name, "name").isEmpty() || Schedule.isReserved(name)) {
        throw new IllegalArgumentException(
            "the name '" + name + "' is empty or reserved; use another, such as rule48");
      }
      this.name = name;
      return this;
    }

    /**
     * Sets the clock of timers, {@code performance} and {@link CallerDrivenInstallation#run run()},
     * for {@link #install()} only; default is that of the user agent's driver. It must never go
     * back.
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets a callback for {@link #install()} only: called on any thread when there may be new work,
     * or when {@link CallerDrivenInstallation#untilNextTimer} may have become shorter; possibly too
     * often. It must not run the loop itself, but arrange that {@link
     * CallerDrivenInstallation#runOne()} is called soon, until it returns false.
     */
    public Builder onWork(Runnable onWork) {
      this.onWork = Objects.requireNonNull(onWork, "onWork");
      return this;
    }

    /**
     * Installs the globals; the caller runs the event loop. Call it on a thread that may enter the
     * context, and not while another thread is inside: in a context in which no script has run yet,
     * the engine detects that too late, and the context becomes unusable for script.
     *
     * <p>Set the option {@code js.unhandled-rejections} of the context to {@code handler}. Without
     * it, unhandled rejections of promises are not reported; the {@link System.Logger} {@code
     * dev.weblocks} then logs a warning, once for each user agent.
     *
     * @throws IllegalStateException if the context is closed, or another thread is inside it; if
     *     the context already has an installation; if the user agent is closed; if the name or the
     *     client id is taken; if the thread has less than 512 kB of stack left; or if {@link
     *     #globals(Globals, Globals...)} names {@link Globals#LOCKS}, or {@code navigator.locks},
     *     and script cannot get locks: the origin is not secure, or {@code navigator} accepts no
     *     property
     */
    public CallerDrivenInstallation install() {
      return (CallerDrivenInstallation) installing.install(this, null);
    }

    /**
     * Installs the globals like {@link #install()}; an executor runs the event loop, one turn at a
     * time.
     *
     * @param executor must not run a task on the submitting thread. It may have many threads, and
     *     serve many installations. When it rejects a task, the installation ends. Other exceptions
     *     of the executor are reported, and the task is submitted again, after 50 ms at most
     * @throws IllegalArgumentException if the executor runs a task on the submitting thread, such
     *     as {@code Runnable::run}; an empty task is submitted to find out
     * @throws IllegalStateException as {@link #install()} does; and if a {@link #clock} or {@link
     *     #onWork} was set, which are for a loop that the caller runs
     */
    public Installation install(Executor executor) {
      DirectExecutors.refuse(executor);
      if (clock != null || onWork != null) {
        throw new IllegalStateException(
            "clock() and onWork() cannot be combined with an executor; use install() to run the"
                + " loop yourself");
      }
      return installing.install(this, executor);
    }
  }
}
