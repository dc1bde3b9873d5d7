package dev.weblocks.agent;

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
 * <p>A borrowed context the embedder enters, too. What its script then asks of the agent counts as
 * on the event loop ({@link #fromScript}), since the engine lets no turn in meanwhile.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#agents">HTML</a>
 */
public final class Agent {

  private enum State {
    RUNNING,
    ENDING,
    ENDED
  }

  /** In the order in which they were made, so that what is done to many has the same order too. */
  static final Comparator<Agent> BY_AGE = Comparator.comparingInt(agent -> agent.number);

  private final UserAgent userAgent;
  private final int number;
  private final String name;
  private final EventLoop eventLoop;
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

  /** Done when the agent is to end, and a pause is to be over. */
  private final CompletableFuture<Void> ending = new CompletableFuture<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Supplements supplements = new Supplements();
  private final Freezing freezing = new Freezing(this);

  /** Guards what the end of the agent and the turn under way both look at. */
  private final Object contextLock = new Object();

  private final AgentContext context;
  private final Driver driver;
  private final List<Realm> realms = new ArrayList<>(1);
  private final List<Runnable> onEnd = new ArrayList<>();
  private final List<Runnable> onEnding = new ArrayList<>();

  private final Set<Agent> followers = new ConcurrentSkipListSet<>(BY_AGE);

  /** Whether the loop stands still inside a turn; guarded by the lock of the context. */
  private boolean pausing;

  /** Whether the end waits for the turn under way. */
  private volatile boolean stopAfterTurn;

  /** What led to the end, for traces; written before the end is arranged. */
  private long endCause;

  /**
   * How many uses of a borrowed context this agent makes or is about to make; guarded by the lock
   * of the context.
   */
  private int inside;

  /** Whether the last turn was not let in, as another thread is inside a borrowed context. */
  private volatile boolean refused;

  /** Whether all have been told of the end: what it causes comes after that. */
  private volatile boolean endAnnounced;

  // event loop only
  private int depth;
  private volatile @Nullable Value newGlobal;
  private boolean hasHadSeveralRealms;

  /** Makes one with a context of its own, which the driver of the user agent runs. */
  Agent(UserAgent userAgent, String kind, int number) {
    this(userAgent, kind, number, userAgent.driver(), null);
  }

  /**
   * Makes one.
   *
   * @param driver of its event loop
   * @param lent the context that it borrows; null if it is to make its own
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

  /** Stands before each turn. */
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
        turnIsOver(endInside()); // last: whoever waits for the end may close the context then
      }
    }
  }

  /**
   * Whether the last turn was not let in because another thread is inside the context. The loop has
   * work, then, that it could not do. On the thread that asked for the turn.
   */
  public boolean wasRefused() {
    return refused;
  }

  /** Whether the agent makes its context and ends it, or borrows one. */
  public boolean ownsContext() {
    return context.isOwned();
  }

  /** The time of the event loop. */
  public Clock clock() {
    return driver.clock();
  }

  /** False once the end of the agent has begun. Comes before the context is entered. */
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
   * Comes after the context was left. Somebody else may have entered it meanwhile.
   *
   * @return whether the end of the agent has waited for this
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
   * Does what script of a borrowed context asks for outside of any turn, because the embedder runs
   * it: as if on the event loop. Of an agent that has its context to itself no script runs outside
   * of a turn.
   *
   * @param whenEnded done instead once the end of the agent has begun
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

  /** Whether this thread is inside a borrowed context now, wherever it has entered it. */
  public boolean isEnteredHere() {
    return context.isEnteredHere();
  }

  /**
   * Does something inside a borrowed context on this thread, as in a turn. Not inside another turn.
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

  /** How traces and diagnoses call this agent; unique within its user agent. */
  public String name() {
    return name;
  }

  public EventLoop eventLoop() {
    return eventLoop;
  }

  public Supplements supplements() {
    return supplements;
  }

  /** How to freeze and resume this agent. */
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
      // kept, since the engine's functions are taken away before page script runs
      newGlobal = context.eval(NEW_GLOBAL);
      global = context.eval("js", "globalThis");
    } else {
      global = call(make);
    }
    // a borrowed context has one realm of ours, and may forbid to make functions of texts
    Value enter = ownsContext() ? enterFunction(context, global) : context.eval(ENTER);
    Realm realm = new Realm(this, settings, global, enter);
    synchronized (contextLock) {
      realms.add(realm);
    }
    hasHadSeveralRealms |= make != null;
    return realm;
  }

  /** Whether script may meet functions of more than one realm. On the event loop. */
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
   * A function of the realm of a global: what it calls evaluates in that realm. Made of an internal
   * source, so that it shows in no stack; such a source gets into a new realm only from a function
   * of that realm, which {@code Function} makes.
   */
  private static Value enterFunction(Context context, Value global) {
    Value first = global.getMember("Function").newInstance("steps", "return steps()");
    return first.execute((ProxyExecutable) none -> context.eval(ENTER));
  }

  /**
   * The realm whose code runs, for what the engine asks outside of any function of a realm. On the
   * event loop, inside a call of script.
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
        .orElseThrow(() -> new IllegalStateException("code of no realm runs"));
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
   * checkpoint follows: as if nobody had called. On the event loop.
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
   * Tries something with the engine that runs no code of a page and makes no promise job: no
   * checkpoint follows from any call in it. On the event loop.
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

  /** The syntax error of a script, null if it has none. Runs nothing of it. On the event loop. */
  @Nullable PolyglotException syntaxErrorOf(Source source) {
    eventLoop.assertOnLoop();
    try {
      context().parse(source);
      return null;
    } catch (PolyglotException failure) {
      return failure.isSyntaxError() ? failure : null; // of others, its run will tell
    }
  }

  private void leave() {
    if (--depth == 0) {
      Trace trace = userAgent.trace();
      if (trace != null) {
        trace.tell(TraceListener.Kind.CHECKPOINT, name, "microtasks");
      }
    }
  }

  /** Whether script of this agent is on the stack. On the event loop. */
  public boolean isRunningScript() {
    return depth > 0;
  }

  /**
   * Stands still inside a turn until a future is done, however it is done; other agents go on. On
   * the event loop.
   *
   * @throws PolyglotException if the agent is ended meanwhile: one that no script can catch
   * @throws IllegalStateException if the thread is interrupted, or the pause could never be over
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#pause">pause</a>
   */
  public void pause(CompletableFuture<?> until) {
    pause(until, Actor.NEVER);
  }

  /**
   * Like {@link #pause(CompletableFuture)}, for no longer than some time.
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
   * What takes the script of this ending agent off the stack: no script catches what the engine
   * itself throws. On the event loop, with nothing of another agent above it.
   *
   * @throws IllegalStateException if nobody has ordered the end of this agent
   */
  public RuntimeException cancellation() {
    eventLoop.assertOnLoop();
    if (!isEnding()) {
      throw new IllegalStateException("agent " + name + " is not to end");
    }
    RuntimeException cancelled = context.cancelFromInside();
    return cancelled == null
        ? new IllegalStateException("agent " + name + " has ended")
        : cancelled;
  }

  /**
   * Runs when the end of the agent begins, while its tasks are still there and script may run; at
   * once if it has begun. On any thread, and from any.
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

  /** Runs once the agent has ended; at once if it has. Any thread. */
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
   * Ends the agent, wherever it is: idle, in script, in an endless loop. Its tasks are dropped at
   * once; its context is stopped on another thread; only then its locks pass on. Any thread, any
   * number of times.
   *
   * <p>A borrowed context is not stopped: the agent ends when the turn under way is over, or what
   * script asked for outside of turns; at once where there is neither.
   *
   * <p>An agent that pauses stops itself as soon as it has the top of its thread's stack. To close
   * its context before would also cancel the script of the agents whose turns run above it.
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

  /** Whether it borrowed a context that was closed. Any thread. */
  boolean isContextClosed() {
    return context.isClosed();
  }

  /** A turn may have outlived the end of its agent, and have left something behind. */
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
   * Completes as another future does, or when the agent has ended; of many such calls nothing stays
   * with the agent. Any thread.
   */
  public CompletableFuture<Void> orEnded(CompletableFuture<?> other) {
    return CompletableFuture.anyOf(other, ended).thenApply(any -> null);
  }

  /** Completes when the agent has ended, and all that end with it. Any thread. */
  public CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  /**
   * Ends the agent once the turn under way is over; no other task runs. On the event loop: what a
   * worker's {@code close()} does.
   */
  public void closeAfterThisTurn() {
    eventLoop.assertOnLoop();
    eventLoop.closeAfterThisTurn(this::terminate);
  }

  /** Whether {@link #terminate()} was called. Any thread. */
  public boolean isEnding() {
    return state.get() != State.RUNNING;
  }

  private void stop() {
    if (eventLoop.isOnLoop()) { // no driver takes it any more, and this turn is in the way
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

  /** No script of it runs any more: all hear of that, and what ends with it ends. */
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
    endAnnounced = true; // forgetAll() below sees to what turns leave behind until now
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

  /** Whoever keeps this agent shall not keep the heap of its context. Any thread. */
  private void forgetAll() {
    context.forget();
    synchronized (contextLock) {
      realms.forEach(realm -> realm.end(this::runAtEnd)); // one that a last turn has made
      realms.clear();
    }
    supplements.clear();
    freezing.forgetAll();
    eventLoop.forgetTimers();
    newGlobal = null;
  }

  /**
   * Others count on their actions, and somebody waits for the end: no failure may keep them off.
   */
  private void runAtEnd(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error failure) {
      try {
        userAgent.failureListener().onFailure(this, "end of " + name, failure);
      } catch (RuntimeException | Error listenerFailed) {
        // there is nobody left to tell
      }
    }
  }

  /** Lets go of a realm that ends by itself. */
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
   * Ends this agent when another one ends, or at once if that has ended. Costs the other one
   * nothing any more once this agent has ended before it. Any thread.
   */
  public void endWith(Agent leader) {
    leader.followers.add(this);
    onEnd(() -> leader.followers.remove(this));
    if (leader.state.get() == State.ENDED) {
      terminate();
    }
  }

  /** The agents that end with this one, in the order in which they were made. Any thread. */
  List<Agent> followers() {
    return List.copyOf(followers);
  }

  /**
   * Tells of a defect of ours, which script must not see. On the event loop.
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
        Thread.interrupted(); // a context that is closed by force may leave the flag behind
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
