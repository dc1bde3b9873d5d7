package dev.weblocks.agent;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;

/**
 * The end of an agent: its progress, the actions at its beginning and completion, and the agents
 * that end with it. The agent stops once it neither pauses nor uses a context of the embedder. If
 * its script does not stop within a limit, its {@link Fence} is closed instead. Thread-safe.
 */
final class AgentEnd {

  private enum State {
    RUNNING,
    ENDING,
    ENDED
  }

  private final Agent agent;
  private final UserAgent userAgent;
  private final AgentContext context;
  private volatile State state = State.RUNNING;

  /** Completed when the agent has to end, so that a pause ends. */
  private final CompletableFuture<Void> requested = new CompletableFuture<>();

  private final CompletableFuture<Ending> done = new CompletableFuture<>();

  // guarded by this, with each change of the state
  private final List<Runnable> onBegin = new ArrayList<>();
  private final List<Runnable> onDone = new ArrayList<>();

  private final Set<Agent> followers = new ConcurrentSkipListSet<>(Agent.BY_AGE);

  // made with the agent, so that its end can begin without memory
  private final Runnable beginElsewhere = this::beginElsewhere;
  private final Runnable close = this::closeLoop;
  private final Runnable stop = this::stop;
  private final Runnable stopContext = this::stopContext;
  private final Runnable announce = this::announce;
  private final Runnable endFollowers = this::endFollowers;
  private final Runnable endRealms = this::endRealms;
  private final Consumer<Runnable> runner = this::run;

  /** Whether the loop pauses inside a turn; guarded by this. */
  private boolean pausing;

  /** The number of uses of the context, including any about to begin; guarded by this. */
  private int uses;

  /** Whether no script was on a stack when the end began, and so none can run any more. */
  private volatile boolean idle;

  /** Whether the end waits for the current turn. */
  private volatile boolean stopAfterTurn;

  /** The id of the trace step that led to the end; written before the end is scheduled. */
  private long cause;

  /** Whether the fence was closed because script did not stop in time. */
  private volatile boolean fenced;

  /** Whether the end was reported to the user agent; the report precedes the effects of the end. */
  private volatile boolean announced;

  AgentEnd(Agent agent, AgentContext context) {
    this.agent = agent;
    this.userAgent = agent.userAgent();
    this.context = context;
  }

  boolean hasBegun() {
    return state != State.RUNNING;
  }

  /** Returns a future that completes when a pause has to end because the agent ends. */
  CompletableFuture<Void> requested() {
    return requested;
  }

  /** Returns a future that completes when the agent and all that end with it have ended. */
  CompletableFuture<Ending> done() {
    return done;
  }

  /** See {@link Agent#onEnding}. */
  void onBegin(Runnable action) {
    runAt(State.ENDING, onBegin, action);
  }

  /** See {@link Agent#onEnd}. */
  void onDone(Runnable action) {
    runAt(State.ENDED, onDone, action);
  }

  private void runAt(State moment, List<Runnable> actions, Runnable action) {
    synchronized (this) {
      if (state.compareTo(moment) < 0) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  /**
   * Registers a turn or another use of the context before entering it; returns false once the end
   * of the agent has begun.
   */
  synchronized boolean beginUse() {
    if (hasBegun()) {
      return false;
    }
    uses++;
    return true;
  }

  /**
   * Ends a turn or another use of the context, after leaving the context; another thread may
   * already be inside. Stops the agent if its end waited for this. If the agent has already ended,
   * clears the references that this use has left in the {@link Agent}.
   */
  void endUse() {
    boolean stopNow;
    synchronized (this) {
      if (--uses == 0 || context.isOwned()) {
        stopNow = stopAfterTurn;
        stopAfterTurn = false;
      } else {
        stopNow = false;
      }
    }
    if (stopNow) {
      stopSoon();
    } else if (announced) {
      agent.forgetAll();
    }
  }

  /** Registers a pause inside a turn; if the end has begun, only returns false. */
  synchronized boolean beginPause() {
    pausing = !hasBegun();
    return pausing;
  }

  synchronized void endPause() {
    pausing = false;
  }

  /** See {@link Agent#terminate}. */
  CompletableFuture<Ending> begin() {
    if (hasBegun()) {
      return done;
    }
    try {
      StackReserve.requireForStep();
    } catch (StackOverflowError tooDeep) { // throws again if not even this fits; nothing has begun
      userAgent.driver().runBlocking("end of " + agent.name(), beginElsewhere);
      return done;
    }
    synchronized (this) {
      if (hasBegun()) {
        return done;
      }
      state = State.ENDING;
    }
    userAgent.activity().begin(agent.driver()); // ends in complete()
    Trace trace = userAgent.trace();
    cause = trace == null ? 0 : trace.current();
    runAll(onBegin); // no action is added any more
    run(close);
    synchronized (this) {
      idle = uses == 0;
      stopAfterTurn = pausing || (uses > 0 && !context.isOwned());
    }
    if (stopAfterTurn) {
      requested.complete(null);
      if (!context.isOwned() && !userAgent.driver().isDeterministic()) {
        run(this::cutOffLater);
      }
    } else {
      stopSoon();
    }
    return done;
  }

  /** Runs actions in their order, without an allocation, and clears the list. */
  private void runAll(List<Runnable> actions) {
    for (int i = 0; i < actions.size(); i++) {
      run(actions.get(i));
    }
    actions.clear();
  }

  private void beginElsewhere() {
    CompletableFuture<Ending> unused = begin();
  }

  private void closeLoop() {
    agent.eventLoop().close();
  }

  private void cutOffLater() {
    Driver driver = userAgent.driver();
    driver
        .delays()
        .delayedExecutor(limit(), late -> driver.runBlocking("end of " + agent.name(), late))
        .execute(this::cutOff);
  }

  private long limit() {
    return userAgent.configuration().limits().endLimit().toNanos();
  }

  /** Ends the agent although a use of the embedder's context has not ended. */
  private void cutOff() {
    synchronized (this) {
      if (!stopAfterTurn) {
        return;
      }
      stopAfterTurn = false;
    }
    run(this::closeFence);
    endInTrace();
  }

  private void stopSoon() {
    if (!context.isOwned()) {
      stop(); // there is nothing to wait for
      return;
    }
    try {
      userAgent.driver().runBlocking("end of " + agent.name(), stop);
    } catch (RuntimeException | Error exhausted) {
      stop(); // late, but no other thread does it
    }
  }

  private void stop() {
    if (agent.eventLoop().isOnLoop()) { // the driver is closed; wait for this turn
      stopAfterTurn = true;
      return;
    }
    if (!idle) {
      run(stopContext);
    }
    endInTrace();
  }

  private void stopContext() {
    boolean stopped;
    try {
      stopped = context.stop(limit());
    } catch (OutOfMemoryError exhausted) {
      stopped = context.stop(limit());
    }
    if (!stopped) {
      closeFence();
    }
  }

  /**
   * Closes the fence, so that script cannot act any more, and gives up its thread. A Java step that
   * is in progress has as long as the script had.
   */
  private void closeFence() {
    fenced = true;
    boolean inJava = !agent.fence().close(limit());
    Runnable hasStopped = userAgent.abandon(agent); // before the thread can return
    agent.driver().giveUpThread();
    Runnable returned =
        () -> {
          hasStopped.run();
          agent.driver().threadIsBack();
        };
    boolean abandoned = agent.fence().abandonThread(returned);
    if (!abandoned) {
      returned.run();
    }
    String message =
        (inJava ? "Java code called by script" : "script")
            + " did not stop within "
            + limit() / 1_000_000
            + " ms; it was cut off: its calls are refused, its locks were released, and "
            + (abandoned
                ? "another thread takes the place of its thread until it ends"
                : "no thread is lost");
    userAgent.reachedLimits().add(agent, Limit.END_LIMIT, message);
    userAgent
        .failureListener()
        .onFailure(agent, "end of " + agent.name(), new LimitExceeded(message));
  }

  private void endInTrace() {
    Trace trace = userAgent.trace();
    if (trace == null) {
      end();
    } else {
      trace.under(cause, this::end);
    }
  }

  /** Reports the end of the agent, whose script can no longer run, and ends its followers. */
  private void end() {
    synchronized (this) {
      if (state == State.ENDED) {
        return; // the driver ran the end, and threw
      }
      state = State.ENDED;
    }
    run(announce);
    announced = true; // forgetAll() below drops what turns leave behind until now
    run(endRealms);
    runAll(onDone); // no action is added any more
    try {
      CompletableFuture<Ending> endings = Endings.ofAgents(List.copyOf(followers));
      followers.clear();
      closeIdle();
      agent.forgetAll();
      endings.whenComplete(
          (worst, failure) -> complete(fenced || failure != null ? Ending.CUT_OFF : worst));
    } catch (RuntimeException | Error exhausted) {
      run(endFollowers);
      closeIdle();
      complete(fenced ? Ending.CUT_OFF : Ending.STOPPED);
      throw exhausted;
    }
  }

  /** Closes the context that no script uses, after the others have got the locks: it takes long. */
  private void closeIdle() {
    if (idle) {
      run(stopContext);
    }
  }

  private void endFollowers() {
    followers.forEach(Agent::terminate);
  }

  private void endRealms() {
    agent.realms().endEach(runner);
  }

  private void announce() {
    userAgent.agentEnded(agent);
  }

  private void complete(Ending ending) {
    if (done.complete(ending)) {
      userAgent.activity().end(agent.driver());
    }
  }

  /** Runs an action; reports its failure, so that the other actions and the end still happen. */
  void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error failure) {
      try {
        userAgent.failureListener().onFailure(agent, "end of " + agent.name(), failure);
      } catch (RuntimeException | Error listenerFailed) {
        // there is no other way to report it
      }
    }
  }

  /** See {@link Agent#endWith(Agent)}. */
  void addFollower(Agent follower) {
    follower.freezing().follow(agent.freezing());
    followers.add(follower);
    follower.onEnd(() -> followers.remove(follower));
    if (state == State.ENDED) {
      follower.terminate();
    }
  }

  int followerCount() {
    return followers.size();
  }

  List<Agent> followers() {
    return List.copyOf(followers);
  }
}
