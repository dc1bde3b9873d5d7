package dev.weblocks.agent;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limit;
import dev.weblocks.model.TraceKind;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 * <p>The event loop enters the context only through {@link #call} and {@link Realm#evaluate}. When
 * the outermost call returns, the engine has run all promise jobs: the microtask checkpoint.
 *
 * <p>An embedder may also enter a context that it owns. Calls of script that the embedder runs
 * there count as calls on the event loop ({@link #fromScript}), since no turn can enter meanwhile.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#agents">HTML</a>
 */
public final class Agent {

  /** The order of creation, so that operations on several agents have a fixed order. */
  static final Comparator<Agent> BY_AGE = Comparator.comparingInt(agent -> agent.number);

  private final UserAgent userAgent;
  private final int number;
  private final String name;
  private final EventLoop eventLoop;
  private final Fence fence = new Fence();
  private final AgentEnd end;
  private final Supplements supplements = new Supplements();
  private final Freezing freezing = new Freezing(this);
  private final AgentContext context;
  private final Driver driver;
  private final AgentRealms realms = new AgentRealms(this);

  /** Whether the last turn was refused because another thread was inside the embedder's context. */
  private volatile boolean refused;

  /** Whether turns have a limit. */
  private final boolean timesTurns;

  /** See {@link #turnBegan()}. */
  private volatile long turnBegan = Actor.NEVER;

  // event loop only
  private int depth;

  /** Creates an agent that owns its context; the driver of the user agent runs the agent. */
  Agent(UserAgent userAgent, String name, int number) {
    this(userAgent, name, number, userAgent.driver(), null);
  }

  /** Creates an agent; {@code given} is the embedder's context, null if the agent makes its own. */
  Agent(UserAgent userAgent, String name, int number, Driver driver, @Nullable Context given) {
    this.userAgent = userAgent;
    this.number = number;
    this.name = name;
    this.driver = driver;
    this.timesTurns = userAgent.configuration().limits().turnLimit().isPresent();
    this.context = given == null ? new OwnedContext(name) : new EmbedderContext(given, name);
    this.end = new AgentEnd(this, context);
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
      userAgent.beforeTurn();
      if (!end.beginUse()) {
        return false;
      }
      boolean entered = false;
      try {
        entered = enter();
      } finally {
        if (!entered) {
          end.endUse();
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
          if ((context.isOwned() || !end.hasBegun()) && fence.enterJava() != null) {
            if (timesTurns) {
              turnBegan = TurnLimit.now();
            }
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
        turnBegan = Actor.NEVER;
        fence.leaveJava(Fence.Position.OUTSIDE);
        end.endUse(); // last: afterwards a waiting thread may close the context
      }
    }
  }

  /**
   * Returns whether the last turn was refused because another thread was inside the context. If so,
   * the loop has work left. Called on the thread that requested the turn.
   */
  public boolean wasRefused() {
    return refused;
  }

  /** Returns whether the agent owns its context, that is, makes and closes it. */
  public boolean ownsContext() {
    return context.isOwned();
  }

  /** Queues a task that belongs to no realm. Callable on any thread. */
  public void queueTask(TaskSource source, String label, Runnable steps) {
    eventLoop.queueTask(source, null, label, steps);
  }

  Driver driver() {
    return driver;
  }

  /**
   * Returns {@link TurnLimit#now()} at the beginning of the current turn; {@link Actor#NEVER} if no
   * turn runs, or turns have no limit. Callable on any thread.
   */
  long turnBegan() {
    return turnBegan;
  }

  /** Returns the clock of the event loop. */
  public Clock clock() {
    return driver.clock();
  }

  /**
   * Runs the Java steps of a call from script as if on the event loop. The embedder may run script
   * in its own context outside of turns; script of an owned context runs in turns only.
   *
   * @param whenEnded runs instead if the agent is ending and its context is the embedder's
   * @throws IllegalStateException if the agent owns its context and this thread runs no turn of it
   */
  public <T extends @Nullable Object> T fromScript(Supplier<T> steps, Supplier<T> whenEnded) {
    if (context.isOwned()) {
      eventLoop.assertOnLoop();
    }
    StackReserve.require(); // script is on the stack, of which the finally block needs some
    if (!end.beginUse()) {
      return eventLoop.runOutsideOfTurns(whenEnded);
    }
    Fence.Position before = fence.enterJava();
    if (before == null) {
      end.endUse();
      return eventLoop.runOutsideOfTurns(whenEnded);
    }
    depth++;
    try {
      return eventLoop.runOutsideOfTurns(steps);
    } finally {
      depth--;
      fence.leaveJava(before);
      end.endUse();
    }
  }

  /** Returns the fence, which each call of script on the event loop has to pass. */
  public Fence fence() {
    return fence;
  }

  /** Returns whether this thread is inside the context, entered by the agent or by other code. */
  public boolean isEnteredHere() {
    return context.isEnteredHere();
  }

  /**
   * Runs steps inside an embedder's context on this thread, as a turn does. Not for use in turns.
   *
   * @throws IllegalStateException if the context is closed or in use, or the agent is ending
   */
  public <T extends @Nullable Object> T runInside(Supplier<T> steps) {
    if (!end.beginUse()) {
      throw new IllegalStateException("agent " + name + " has ended");
    }
    try {
      switch (context.enter()) {
        case CLOSED ->
            throw new IllegalStateException("the context is closed; install into a new one");
        case BUSY ->
            throw new IllegalStateException(
                "another thread is inside the context, which admits only one; call this after that"
                    + " thread has left");
        case ENTERED -> {}
      }
      try {
        Fence.Position before = fence.enterJava();
        if (before == null) {
          throw new IllegalStateException("agent " + name + " has ended");
        }
        try {
          return eventLoop.runOutsideOfTurns(steps);
        } finally {
          fence.leaveJava(before);
        }
      } finally {
        context.leave();
      }
    } finally {
      end.endUse();
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

  AgentRealms realms() {
    return realms;
  }

  /**
   * Creates a realm. Called on the event loop. The first realm takes the context's own global
   * object; each later one gets a new global object with new intrinsics in the same context.
   *
   * @throws IllegalStateException if the agent has ended or the thread is not on its event loop
   */
  public Realm createRealm(EnvironmentSettings settings) {
    eventLoop.assertOnLoop();
    return realms.create(settings);
  }

  /**
   * Returns whether script may encounter functions of more than one realm. Called on the event
   * loop.
   */
  public boolean hasHadSeveralRealms() {
    return realms.hasHadSeveral();
  }

  /** Returns the realm whose code is running. Called on the event loop, inside a call of script. */
  public Realm currentRealm() {
    return realms.current();
  }

  Context context() {
    return context.get(this);
  }

  /**
   * Calls a function of this agent. Called on the event loop. If this is the outermost call,
   * microtasks have run when it returns or throws.
   *
   * @throws PolyglotException what the function throws
   */
  public Value call(Value function, @Nullable Object... arguments) {
    eventLoop.assertOnLoop();
    Fence.Position before = fence.enterScript();
    depth++;
    try {
      return function.execute(arguments);
    } finally {
      depth--;
      fence.leaveScript(before);
      reportCheckpoint();
    }
  }

  /**
   * Calls an internal function that runs no code of a page and creates no promise job. No
   * checkpoint follows. Called on the event loop.
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
   * Runs steps that use the engine. No call in them reports a checkpoint: they run no code of a
   * page and create no promise job, or {@link #reportCheckpoint} follows. Called on the event loop.
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

  boolean canParse(Source source) {
    eventLoop.assertOnLoop();
    try {
      context().parse(source);
      return true;
    } catch (PolyglotException failure) {
      return !failure.isSyntaxError(); // others appear when it runs
    }
  }

  /** Reports to the trace that microtasks have run, unless script is on the stack. */
  public void reportCheckpoint() {
    Trace trace = depth > 0 ? null : userAgent.trace();
    if (trace != null) {
      trace.report(TraceKind.CHECKPOINT, name, "microtasks");
    }
  }

  /** Returns whether script of this agent is on the stack. Called on the event loop. */
  public boolean isRunningScript() {
    return depth > 0;
  }

  /**
   * Pauses a turn until a future is done or has failed; other agents continue. Called on the event
   * loop.
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
    try {
      if (end.beginPause()) {
        CompletableFuture<?> either = CompletableFuture.anyOf(until, end.requested());
        userAgent
            .driver()
            .pause(deadline == null ? either : CompletableFuture.anyOf(either, deadline.reached()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("agent " + name + " was interrupted while it paused");
    } finally {
      if (deadline != null) {
        deadline.forget();
      }
      end.endPause();
    }
    if (end.hasBegun()) {
      throw cancellation();
    }
    return until.isDone();
  }

  /**
   * Returns the exception that unwinds the script of this ending agent. Script cannot catch it, as
   * the engine throws it. Called on the event loop, with no other turn above the current one on the
   * stack.
   *
   * @throws IllegalStateException if this agent is not ending
   */
  public RuntimeException cancellation() {
    eventLoop.assertOnLoop();
    if (!end.hasBegun()) {
      throw new IllegalStateException("agent " + name + " is not ending");
    }
    RuntimeException cancelled = context.cancelFromInside();
    return cancelled == null
        ? new IllegalStateException("agent " + name + " has ended")
        : cancelled;
  }

  /** Returns whether {@link #terminate()} was called. Callable on any thread. */
  public boolean isEnding() {
    return end.hasBegun();
  }

  /**
   * Runs an action when the end of the agent begins, before its tasks are dropped and while its
   * script may still run; at once if the end has begun. Called and run on any thread.
   */
  public void onEnding(Runnable action) {
    end.onBegin(action);
  }

  /** Runs an action once the agent has ended; at once if it has. Callable on any thread. */
  public void onEnd(Runnable action) {
    end.onDone(action);
  }

  /**
   * Ends the agent, even in an endless loop of its script. Drops its tasks at once, stops its
   * context in {@link Driver#runBlocking} and then releases its locks. Callable on any thread;
   * idempotent.
   *
   * <p>An embedder's context is not stopped: the agent ends when the current uses of the context
   * are over, at once if there are none.
   *
   * <p>A paused agent ends as soon as no turn of another agent is above it on its thread's stack;
   * closing its context earlier would also cancel such turns.
   *
   * @return a stage that completes when the agent, and all agents that end with it, have ended
   */
  public CompletionStage<Ending> terminate() {
    return end.begin();
  }

  /**
   * Returns a future that completes when another one does, or when the agent has ended. The agent
   * retains nothing for futures that are done. Callable on any thread.
   */
  public CompletableFuture<Void> orEnded(CompletableFuture<?> other) {
    return CompletableFuture.anyOf(other, end.done()).thenApply(any -> null);
  }

  /**
   * Returns the stage of {@link #terminate()}, without ending the agent. Callable on any thread.
   */
  public CompletionStage<Ending> ended() {
    return end.done().minimalCompletionStage();
  }

  /**
   * Ends this agent when another one ends, or at once if the other has ended. The other agent does
   * not retain this one after this one has ended. Callable on any thread.
   */
  public void endWith(Agent leader) {
    leader.end.addFollower(this);
  }

  /** Returns the number of agents that end with this one; its workers. Callable on any thread. */
  public int followerCount() {
    return end.followerCount();
  }

  /** Returns the agents that end with this one, in order of creation. Callable on any thread. */
  List<Agent> followers() {
    return end.followers();
  }

  /**
   * Clears references so that a retained Agent does not leak its context. Callable on any thread.
   */
  void forgetAll() {
    context.forget();
    realms.endAll(end::run);
    supplements.clear();
    freezing.forgetAll();
    eventLoop.forgetTimers();
  }

  /** Stops the script of this agent. Callable on any thread but that of the script. */
  void cancelScript() {
    context.cancelScript();
  }

  /** Returns whether the embedder owns the context and has closed it. Callable on any thread. */
  boolean isContextClosed() {
    return context.isClosed();
  }

  /** Ends the agent after the current turn; runs no further task. Called on the event loop. */
  public void closeAfterThisTurn() {
    eventLoop.assertOnLoop();
    eventLoop.closeAfterThisTurn(this::terminate);
  }

  /** Like {@link #endWith(Agent)}, but ends this agent when a realm of another agent ends. */
  public void endWith(Realm leader) {
    endWith(leader.agent());
    leader.addFollower(this);
  }

  /**
   * Reports a defect, which script must not see; a no-op if the agent is ending. Called on the
   * event loop. Ends the agent if a class is broken: its script could run into states that cannot
   * occur.
   *
   * @param where what failed, in a few words
   */
  public void reportDefect(String where, Throwable failure) {
    if (!userAgent.isEnding(this)) {
      userAgent.failureListener().onFailure(this, where, failure);
      if (BrokenClass.causeOf(failure) != null) {
        terminate();
      }
    }
  }

  /**
   * Counts a reached limit, and returns the exception to throw, which script gets as a
   * QuotaExceededError. Callable on any thread.
   */
  public LimitExceeded refusal(Limit limit, String message) {
    userAgent.reachedLimits().add(this, limit, message);
    return new LimitExceeded(message);
  }

  /**
   * Ends the agent after a failure that left a step of a protocol incomplete: it may hold a lock
   * that it cannot release, or wait for a task that was lost. Callable on any thread.
   */
  public void endAfter(String where, Throwable failure) {
    try {
      reportDefect(where, failure);
    } finally {
      terminate();
    }
  }

  private void onFailureInTask(String where, Throwable failure) {
    if (end.hasBegun()) {
      if (ownsContext()) {
        Thread.interrupted(); // a forced close of the context may leave the flag set
      }
      return;
    }
    if (failure instanceof PolyglotException guest && (guest.isCancelled() || guest.isExit())) {
      terminate();
      return;
    }
    if (OutOfMemory.isCauseOf(failure) || EngineFailure.isCauseOf(failure)) {
      endAfter(where, failure);
    } else {
      reportDefect(where, failure);
    }
  }
}
