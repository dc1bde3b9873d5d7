package dev.weblocks.agent;

import dev.weblocks.model.TraceKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * An agent: one polyglot context, one event loop, a set of realms.
 *
 * <p>Only its event loop enters its context, and only through {@link #call} and {@link
 * Realm#evaluate}. When the outermost of these returns, the engine has run all promise jobs: that
 * is the microtask checkpoint.
 *
 * <p>The embedder also enters a borrowed context. Calls from its script to the agent then count as
 * on the event loop ({@link #fromScript}), since the engine admits no turn meanwhile.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#agents">HTML</a>
 */
public final class Agent {

  private enum State {
    RUNNING,
    ENDING,
    ENDED
  }

  /** The order of creation, so that operations on several agents have a fixed order. */
  static final Comparator<Agent> BY_AGE = Comparator.comparingInt(agent -> agent.number);

  private final UserAgent userAgent;
  private final int number;
  private final String name;
  private final EventLoop eventLoop;
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

  /** Completed when the agent has to end, so that a pause ends. */
  private final CompletableFuture<Void> ending = new CompletableFuture<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Supplements supplements = new Supplements();
  private final Freezing freezing = new Freezing(this);

  /** Guards the state shared by the current turn and the end of the agent. */
  private final Object contextLock = new Object();

  private final AgentContext context;
  private final Driver driver;
  private final List<Realm> realms = new ArrayList<>(1);
  private final List<Runnable> onEnd = new ArrayList<>();
  private final List<Runnable> onEnding = new ArrayList<>();

  private final Set<Agent> followers = new ConcurrentSkipListSet<>(BY_AGE);

  /** Whether the loop pauses inside a turn; guarded by the context lock. */
  private boolean pausing;

  /** Whether the end of the agent waits for the current turn. */
  private volatile boolean stopAfterTurn;

  /** The id of the trace step that led to the end; written before the end is scheduled. */
  private long endCause;

  /**
   * The number of uses of a borrowed context by this agent, including those about to begin; guarded
   * by the context lock.
   */
  private int inside;

  /** Whether the last turn was refused because another thread was inside a borrowed context. */
  private volatile boolean refused;

  /** Whether the end was reported to the user agent; its effects come after that. */
  private volatile boolean endAnnounced;

  // event loop only
  private int depth;
  private volatile @Nullable Value newGlobal;
  private boolean hasHadSeveralRealms;

  /** Makes an agent with a context of its own, run by the driver of the user agent. */
  Agent(UserAgent userAgent, String kind, int number) {
    this(userAgent, kind, number, userAgent.driver(), null);
  }

  /**
   * Makes an agent.
   *
   * @param driver the driver of its event loop
   * @param lent the context that it borrows; null if it makes its own
   */
  Agent(UserAgent userAgent, String kind, int number, Driver driver, @Nullable Context lent) {
    this.userAgent = userAgent;
    this.number = number;
    this.name = kind + "-" + number;
    this.driver = driver;
    this.context = lent == null ? new OwnedContext(contextLock) : new BorrowedContext(lent, name);
    this.eventLoop =
        new EventLoop(
            name,
            driver,
            userAgent.activity(),
            userAgent.trace(),
            this::onFailureInTask,
            new TurnGate());
  }

  /** The gate of the event loop, which enters and leaves the context. */
  private final class TurnGate implements EventLoop.Gate {
    @Override
    public boolean open() {
      if (!beginInside()) {
        return false;
      }
      boolean entered = false;
      try {
        entered = enter();
      } finally {
        if (!entered) {
          turnIsOver(endInside());
        }
      }
      return entered;
    }

    private boolean enter() {
      switch (context.enter()) {
        case BUSY -> refused = true;
        case CLOSED -> {
          refused = false;
          terminate();
        }
        case ENTERED -> {
          refused = false;
          if (context.isOwned() || !isEnding()) {
            return true;
          }
          context.leave();
        }
      }
      return false;
    }

    @Override
    public void close() {
      try {
        context.leave();
      } finally {
        turnIsOver(endInside()); // last: afterwards a waiting thread may close the context
      }
    }
  }

  /**
   * Returns whether the last turn was refused because another thread was inside the context. The
   * loop then has work left. On the thread that requested the turn.
   */
  public boolean wasRefused() {
    return refused;
  }

  /** Returns whether the agent makes and closes its context, or borrows one. */
  public boolean ownsContext() {
    return context.isOwned();
  }

  /** Returns the clock of the event loop. */
  public Clock clock() {
    return driver.clock();
  }

  /**
   * Registers a use of a borrowed context, before it is entered. Returns false once the end of the
   * agent has begun.
   */
  private boolean beginInside() {
    if (context.isOwned()) {
      return true;
    }
    synchronized (contextLock) {
      if (isEnding()) {
        return false;
      }
      inside++;
      return true;
    }
  }

  /**
   * Ends a use of the context, after it was left; another thread may already be inside.
   *
   * @return whether the end of the agent was waiting for this
   */
  private boolean endInside() {
    synchronized (contextLock) {
      if (!context.isOwned() && --inside > 0) {
        return false;
      }
      boolean stopNow = stopAfterTurn;
      stopAfterTurn = false;
      return stopNow;
    }
  }

  /**
   * Runs steps for script of a borrowed context that the embedder runs outside of any turn, as if
   * on the event loop. Script of an owned context runs in turns only.
   *
   * @param whenEnded runs instead once the end of the agent has begun
   * @throws IllegalStateException if the context is the agent's own
   */
  public <T extends @Nullable Object> T fromScript(Supplier<T> steps, Supplier<T> whenEnded) {
    if (context.isOwned()) {
      eventLoop.assertOnLoop();
    }
    StackReserve.require(); // script is on the stack, of which the finally block needs some
    if (!beginInside()) {
      return eventLoop.runOutsideOfTurns(whenEnded);
    }
    depth++;
    try {
      return eventLoop.runOutsideOfTurns(steps);
    } finally {
      depth--;
      turnIsOver(endInside());
    }
  }

  /** Returns whether this thread is inside the context now, however it has entered it. */
  public boolean isEnteredHere() {
    return context.isEnteredHere();
  }

  /**
   * Runs steps inside a borrowed context on this thread, as in a turn. Not inside another turn.
   *
   * @throws IllegalStateException if the context is closed, another thread is inside, or the end of
   *     the agent has begun
   */
  public <T extends @Nullable Object> T runInside(Supplier<T> steps) {
    if (!beginInside()) {
      throw new IllegalStateException("agent " + name + " has ended");
    }
    try {
      switch (context.enter()) {
        case CLOSED ->
            throw new IllegalStateException(
                "the context is closed; make another one and install into that");
        case BUSY ->
            throw new IllegalStateException(
                "another thread is inside the context, and only one may be at a time; call this when"
                    + " it has left");
        case ENTERED -> {}
      }
      try {
        return eventLoop.runOutsideOfTurns(steps);
      } finally {
        context.leave();
      }
    } finally {
      turnIsOver(endInside());
    }
  }

  public UserAgent userAgent() {
    return userAgent;
  }

  /** Returns the name of this agent in traces and diagnostics; unique within the user agent. */
  public String name() {
    return name;
  }

  public EventLoop eventLoop() {
    return eventLoop;
  }

  public Supplements supplements() {
    return supplements;
  }

  /** Returns the object that freezes and resumes this agent. */
  public Freezing freezing() {
    return freezing;
  }

  /**
   * Makes a realm. On the event loop. The first realm takes the context's own global object; later
   * ones get a new global with intrinsics of its own in the same context.
   *
   * @throws IllegalStateException if the agent has ended or the thread is not on its event loop
   */
  public Realm createRealm(EnvironmentSettings settings) {
    eventLoop.assertOnLoop();
    Context context = context();
    Value global;
    Value make = newGlobal;
    if (!ownsContext()) {
      global = context.eval("js", "globalThis");
    } else if (make == null) {
      // kept, since the engine's functions are removed before page script runs
      newGlobal = context.eval(NEW_GLOBAL);
      global = context.eval("js", "globalThis");
    } else {
      global = call(make);
    }
    // a borrowed context has one realm of ours, and may forbid compiling strings to functions
    Value enter = ownsContext() ? enterFunction(context, global) : context.eval(ENTER);
    Realm realm = new Realm(this, settings, global, enter);
    synchronized (contextLock) {
      realms.add(realm);
    }
    hasHadSeveralRealms |= make != null;
    return realm;
  }

  /** Returns whether script may encounter functions of more than one realm. On the event loop. */
  public boolean hasHadSeveralRealms() {
    return hasHadSeveralRealms;
  }

  private static final Source NEW_GLOBAL =
      Source.newBuilder(
              "js",
              "(make => () => make({name: 'weblocks:realm', script: 'globalThis'}))"
                  + "(loadWithNewGlobal)",
              "weblocks:new-global")
          .internal(true)
          .buildLiteral();

  private static final Source ENTER =
      Source.newBuilder("js", "(function (steps) { return steps() })", "weblocks:enter")
          .internal(true)
          .buildLiteral();

  /**
   * Returns a function of the realm of a global; what it calls is evaluated in that realm. It comes
   * from an internal source, so that no stack trace shows it. In a new realm, such a source can be
   * evaluated only from a function of that realm, which {@code Function} makes.
   */
  private static Value enterFunction(Context context, Value global) {
    Value first = global.getMember("Function").newInstance("steps", "return steps()");
    return first.execute((ProxyExecutable) none -> context.eval(ENTER));
  }

  /**
   * Returns the realm whose code runs, for calls of the engine outside of any function of a realm.
   * On the event loop, inside a call of script.
   */
  public Realm currentRealm() {
    List<Realm> candidates;
    synchronized (contextLock) {
      if (realms.size() == 1) {
        return realms.getFirst();
      }
      candidates = List.copyOf(realms);
    }
    Value global = context().eval(CURRENT_GLOBAL);
    return candidates.stream()
        .filter(realm -> realm.global().equals(global))
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException("no script of a realm of agent " + name + " is running"));
  }

  private static final Source CURRENT_GLOBAL =
      Source.newBuilder("js", "globalThis", "weblocks:current-global")
          .internal(true)
          .buildLiteral();

  private Context context() {
    return context.get(this);
  }

  /**
   * Calls a function of this agent. On the event loop. If this is the outermost call, microtasks
   * have run when it returns, also when it throws.
   *
   * @throws PolyglotException what the function throws
   */
  public Value call(Value function, @Nullable Object... arguments) {
    eventLoop.assertOnLoop();
    depth++;
    try {
      return function.execute(arguments);
    } finally {
      leave();
    }
  }

  /**
   * Calls a function of ours that runs no code of a page and makes no promise job, so that no
   * checkpoint follows. On the event loop.
   *
   * @throws PolyglotException what the function throws
   */
  public Value ask(Value function, @Nullable Object... arguments) {
    eventLoop.assertOnLoop();
    depth++;
    try {
      return function.execute(arguments);
    } finally {
      depth--;
    }
  }

  /**
   * Runs steps that use the engine, but run no code of a page and make no promise job: no call in
   * them causes a checkpoint. On the event loop.
   */
  public void aside(Runnable steps) {
    eventLoop.assertOnLoop();
    depth++;
    try {
      steps.run();
    } finally {
      depth--;
    }
  }

  Value evaluate(Value enter, Source source) {
    eventLoop.assertOnLoop();
    Context context = context();
    return call(enter, (ProxyExecutable) none -> context.eval(source));
  }

  Value read(Value enter, Source source) {
    eventLoop.assertOnLoop();
    Context context = context();
    return ask(enter, (ProxyExecutable) none -> context.eval(source));
  }

  /**
   * Returns the syntax error of a script, null if it has none. Does not run the script. On the
   * event loop.
   */
  @Nullable PolyglotException syntaxErrorOf(Source source) {
    eventLoop.assertOnLoop();
    try {
      context().parse(source);
      return null;
    } catch (PolyglotException failure) {
      return failure.isSyntaxError() ? failure : null; // others appear when it runs
    }
  }

  private void leave() {
    if (--depth == 0) {
      Trace trace = userAgent.trace();
      if (trace != null) {
        trace.tell(TraceKind.CHECKPOINT, name, "microtasks");
      }
    }
  }

  /** Returns whether script of this agent is on the stack. On the event loop. */
  public boolean isRunningScript() {
    return depth > 0;
  }

  /**
   * Pauses inside a turn until a future is done, normally or exceptionally; other agents continue.
   * On the event loop.
   *
   * @throws PolyglotException if the agent is ended meanwhile; script cannot catch it
   * @throws IllegalStateException if the thread is interrupted, or the pause could never end
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#pause">pause</a>
   */
  public void pause(CompletableFuture<?> until) {
    pause(until, Actor.NEVER);
  }

  /**
   * Like {@link #pause(CompletableFuture)}, with a time limit.
   *
   * @param nanos the longest time, positive; {@link Actor#NEVER} for no limit
   * @return whether the future is done
   */
  public boolean pause(CompletableFuture<?> until, long nanos) {
    eventLoop.assertOnLoop();
    Deadline deadline = nanos == Actor.NEVER ? null : new Deadline(userAgent.driver(), nanos, name);
    synchronized (contextLock) {
      pausing = !isEnding();
    }
    try {
      if (!isEnding()) {
        userAgent
            .driver()
            .pause(
                deadline == null
                    ? CompletableFuture.anyOf(until, ending)
                    : CompletableFuture.anyOf(until, ending, deadline.reached()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("agent " + name + " was interrupted while it paused");
    } finally {
      if (deadline != null) {
        deadline.forget();
      }
      synchronized (contextLock) {
        pausing = false;
      }
    }
    if (isEnding()) {
      throw cancellation();
    }
    return until.isDone();
  }

  /**
   * Returns the exception that unwinds the script of this ending agent. Script cannot catch it, as
   * the engine itself throws it. On the event loop, with no turn of another agent above it.
   *
   * @throws IllegalStateException if this agent is not ending
   */
  public RuntimeException cancellation() {
    eventLoop.assertOnLoop();
    if (!isEnding()) {
      throw new IllegalStateException("agent " + name + " was not requested to end");
    }
    RuntimeException cancelled = context.cancelFromInside();
    return cancelled == null
        ? new IllegalStateException("agent " + name + " has ended")
        : cancelled;
  }

  /**
   * Runs an action when the end of the agent begins, before its tasks are dropped and while script
   * may run; at once if the end has begun. Callable from any thread; the action runs on any thread.
   */
  public void onEnding(Runnable action) {
    synchronized (contextLock) {
      if (!isEnding()) {
        onEnding.add(action);
        return;
      }
    }
    action.run();
  }

  /** Runs an action once the agent has ended; at once if it has. Any thread. */
  public void onEnd(Runnable action) {
    synchronized (contextLock) {
      if (state.get() != State.ENDED) {
        onEnd.add(action);
        return;
      }
    }
    action.run();
  }

  /**
   * Ends the agent, even in script or in an endless loop. Drops its tasks at once and stops its
   * context on another thread; only then its locks pass on. Any thread; idempotent.
   *
   * <p>A borrowed context is not stopped: the agent ends when its current uses of the context, in a
   * turn or outside of turns, are over; at once if there are none.
   *
   * <p>An agent that pauses stops itself as soon as it is on top of its thread's stack. Closing its
   * context earlier would also cancel the script of agents whose turns run above it.
   *
   * @return completes when the agent has ended, and all that end with it
   */
  public CompletionStage<Void> terminate() {
    if (state.compareAndSet(State.RUNNING, State.ENDING)) {
      userAgent.activity().begin(); // ends in stop()
      Trace trace = userAgent.trace();
      endCause = trace == null ? 0 : trace.current();
      List<Runnable> actions;
      synchronized (contextLock) {
        actions = List.copyOf(onEnding);
        onEnding.clear();
      }
      actions.forEach(this::runAtEnd);
      eventLoop.close();
      synchronized (contextLock) {
        stopAfterTurn = pausing || inside > 0;
      }
      if (stopAfterTurn) {
        ending.complete(null);
      } else {
        stopSoon();
      }
    }
    return ended;
  }

  /** Stops the script of this agent. Any thread but that of the script. */
  void cancelScript() {
    context.cancelScript();
  }

  private void stopSoon() {
    if (!context.isOwned()) {
      stop(); // there is nothing to wait for
      return;
    }
    userAgent.driver().runBlocking("end of " + name, this::stop);
  }

  /** Returns whether the context is borrowed and was closed. Any thread. */
  boolean isContextClosed() {
    return context.isClosed();
  }

  /**
   * Stops an agent whose end waited for this turn, or drops what a turn that outlived the end left
   * behind.
   */
  private void turnIsOver(boolean stopNow) {
    if (!isEnding()) {
      return;
    }
    if (stopNow) {
      stopSoon();
    } else if (endAnnounced) {
      forgetAll();
    }
  }

  /**
   * Returns a future that completes like another one, or when the agent has ended. The agent
   * retains nothing for futures that are done. Any thread.
   */
  public CompletableFuture<Void> orEnded(CompletableFuture<?> other) {
    return CompletableFuture.anyOf(other, ended).thenApply(any -> null);
  }

  /**
   * Returns a stage that completes when the agent has ended, and all that end with it. Any thread.
   */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /**
   * Ends the agent after the current turn; no other task runs. On the event loop. Used by {@code
   * close()} of workers.
   */
  public void closeAfterThisTurn() {
    eventLoop.assertOnLoop();
    eventLoop.closeAfterThisTurn(this::terminate);
  }

  /** Returns whether {@link #terminate()} was called. Any thread. */
  public boolean isEnding() {
    return state.get() != State.RUNNING;
  }

  private void stop() {
    if (eventLoop.isOnLoop()) { // the driver is closed; wait for this turn
      stopAfterTurn = true;
      return;
    }
    runAtEnd(context::stop);
    Trace trace = userAgent.trace();
    if (trace == null) {
      end();
    } else {
      trace.under(endCause, this::end);
    }
  }

  /**
   * Reports the end, when no script of this agent can run any more, and ends all that end with it.
   */
  private void end() {
    List<Runnable> actions;
    List<Realm> gone;
    synchronized (contextLock) {
      state.set(State.ENDED);
      gone = List.copyOf(realms);
      actions = List.copyOf(onEnd);
      onEnd.clear();
    }
    runAtEnd(() -> userAgent.agentEnded(this));
    endAnnounced = true; // forgetAll() below drops what turns leave behind until now
    gone.forEach(realm -> realm.end(this::runAtEnd));
    actions.forEach(this::runAtEnd);
    List<CompletableFuture<Void>> endings = new ArrayList<>();
    followers.forEach(follower -> endings.add(follower.terminate().toCompletableFuture()));
    followers.clear();
    forgetAll();
    CompletableFuture.allOf(endings.toArray(CompletableFuture<?>[]::new))
        .whenComplete((done, failure) -> {
          ended.complete(null);
          userAgent.activity().end();
        });
  }

  /** Clears references so that a retained Agent does not leak its context. Any thread. */
  private void forgetAll() {
    context.forget();
    synchronized (contextLock) {
      realms.forEach(realm -> realm.end(this::runAtEnd)); // one made by a last turn
      realms.clear();
    }
    supplements.clear();
    freezing.forgetAll();
    eventLoop.forgetTimers();
    newGlobal = null;
  }

  /**
   * Runs an action and reports its failure, so that the other actions and the end still take place.
   */
  private void runAtEnd(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error failure) {
      try {
        userAgent.failureListener().onFailure(this, "end of " + name, failure);
      } catch (RuntimeException | Error listenerFailed) {
        // there is no other way to report it
      }
    }
  }

  /** Removes a realm that ends before its agent. */
  void forget(Realm realm) {
    synchronized (contextLock) {
      realms.remove(realm);
    }
  }

  /**
   * Ends this agent when a realm of another one ends, or at once if that has ended.
   *
   * @see #endWith(Agent)
   */
  public void endWith(Realm leader) {
    endWith(leader.agent());
    leader.addFollower(this);
  }

  /**
   * Ends this agent when another one ends, or at once if that has ended. The other one retains
   * nothing of this agent once this agent has ended. Any thread.
   */
  public void endWith(Agent leader) {
    leader.followers.add(this);
    onEnd(() -> leader.followers.remove(this));
    if (leader.state.get() == State.ENDED) {
      terminate();
    }
  }

  /** Returns the agents that end with this one, in order of creation. Any thread. */
  List<Agent> followers() {
    return List.copyOf(followers);
  }

  /**
   * Reports a defect of ours, which script must not see. On the event loop.
   *
   * @param where what failed, in a few words
   */
  public void reportDefect(String where, Throwable failure) {
    if (!isEnding() && !userAgent.isClosed()) {
      userAgent.failureListener().onFailure(this, where, failure);
    }
  }

  private void onFailureInTask(String where, Throwable failure) {
    if (isEnding()) {
      if (ownsContext()) {
        Thread.interrupted(); // a forced close of the context may leave the flag set
      }
      return;
    }
    if (failure instanceof PolyglotException guest && (guest.isCancelled() || guest.isExit())) {
      terminate();
      return;
    }
    reportDefect(where, failure);
  }
}
