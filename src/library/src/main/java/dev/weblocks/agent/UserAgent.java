package dev.weblocks.agent;

import dev.weblocks.model.Limit;
import dev.weblocks.model.Limits;
import dev.weblocks.model.TraceKind;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;

/**
 * A user agent: the root of all agents that can interact, like a browser profile. Two user agents
 * share only objects that the embedder passed to both.
 */
public final class UserAgent {

  private final Configuration configuration;
  private final Driver driver;
  private final IdSource ids;
  private final @Nullable Trace trace;
  private final Supplements supplements = new Supplements();
  private final Activity activity;
  private volatile @Nullable TurnGuard turnGuard;
  private final Set<Agent> agents = new ConcurrentSkipListSet<>(Agent.BY_AGE);
  private final AtomicInteger agentCount = new AtomicInteger();
  private final Queue<Driver.Lane> lanes = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> onClosed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger livingAgents = new AtomicInteger();
  private final AtomicInteger agentsInEmbedderContexts = new AtomicInteger();
  private final AtomicInteger abandonedAgents = new AtomicInteger();
  private final AgentsByOrigin agentsByOrigin;
  private final ReachedLimits reachedLimits;
  private volatile boolean closed;

  /** Whether all agents have ended after {@link #close()}. */
  private volatile boolean over;

  private final ClosedContexts closedContexts;

  /** Memory to end with, when there is no other. */
  private volatile byte @Nullable [] reserve = new byte[1 << 16];

  public UserAgent(Configuration configuration) {
    this.configuration = configuration;
    this.driver = configuration.driver;
    this.activity = new Activity(configuration.actorPrefix, this::driverFailed);
    this.ids = new IdSource(configuration.random());
    this.trace = configuration.trace;
    this.agentsByOrigin = new AgentsByOrigin(configuration.limits());
    this.reachedLimits = new ReachedLimits(configuration.limitListener);
    this.closedContexts = new ClosedContexts(this);
    configuration
        .limits()
        .turnLimit()
        .ifPresent(limit -> new TurnLimit(this, limit.toNanos()).start());
  }

  public Configuration configuration() {
    return configuration;
  }

  public Driver driver() {
    return driver;
  }

  public IdSource ids() {
    return ids;
  }

  public Supplements supplements() {
    return supplements;
  }

  /** Sets the guard of the turns of all agents. Callable on any thread. */
  public void guardTurns(TurnGuard guard) {
    turnGuard = guard;
  }

  /** Lets the guard of turns run, if there is one. Called before each turn, on its thread. */
  void beforeTurn() {
    TurnGuard guard = turnGuard;
    if (guard != null) {
      guard.beforeTurn();
    }
  }

  /** Returns the count of everything pending. */
  public Activity activity() {
    return activity;
  }

  ContextFactory contextFactory() {
    return configuration.contextFactory;
  }

  FailureListener failureListener() {
    return configuration.failureListener;
  }

  /** Returns the trace; null without a listener. */
  public @Nullable Trace trace() {
    return trace;
  }

  /**
   * Creates an agent; its context is made with its first realm. Callable on any thread.
   *
   * @param kind a word for traces, such as {@code window}
   * @throws IllegalStateException if the user agent is closed
   */
  public Agent createAgent(String kind) {
    requireOpen();
    return begin(kind);
  }

  /**
   * Creates an agent that counts for an origin. Callable on any thread.
   *
   * @param kind a word for traces, such as {@code window}
   * @param responsible the origin of the window or installation of Java code from which the agent
   *     follows; null for none
   * @param byScript whether script makes the agent, so that the limit of an origin applies
   * @throws IllegalStateException if the user agent is closed, or a limit is reached
   */
  public Agent createAgent(String kind, @Nullable Origin responsible, boolean byScript) {
    requireOpen();
    return begin(
        () -> {
          int number = agentCount.incrementAndGet();
          return new Agent(this, kind + "-" + number, number);
        },
        responsible,
        byScript);
  }

  /**
   * Creates an agent for a context that the embedder owns. Callable on any thread.
   *
   * @param name unique within the user agent; null for a generated one
   * @param responsible the origin that the agent counts for; null for none
   * @throws IllegalStateException if the user agent is closed, or a limit is reached
   */
  public Agent createAgent(
      @Nullable String name, EmbedderLoop loop, Context given, @Nullable Origin responsible) {
    requireOpen();
    int number = agentCount.incrementAndGet();
    Agent agent =
        begin(
            () ->
                new Agent(
                    this, name == null ? "installation-" + number : name, number, loop, given),
            responsible,
            false);
    if (!driver.isDeterministic()) { // which has no real time
      closedContexts.start();
    }
    return agent;
  }

  /**
   * Ends each agent whose context the embedder has closed outside of a turn, if the driver is
   * deterministic. Other drivers need no call: {@link ClosedContexts} checks by time. To be called
   * before a lock is requested. Callable on any thread.
   */
  public void endClosedContexts() {
    if (driver.isDeterministic() && hasAgentInEmbedderContext()) {
      endAgentsOfClosedContexts();
    }
  }

  void endAgentsOfClosedContexts() {
    for (Agent agent : agents) {
      if (agent.isContextClosed()) {
        agent.terminate();
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    requireRoom();
  }

  /** Returns the origin that an agent counts for; null for none. Callable on any thread. */
  public static @Nullable Origin responsibleFor(Agent agent) {
    AgentsByOrigin.Member member = agent.supplements().find(AgentsByOrigin.Member.class);
    return member == null ? null : member.origin();
  }

  /** Makes and adds an agent, if the limits of the origin that it counts for permit it. */
  private Agent begin(Supplier<Agent> make, @Nullable Origin responsible, boolean byScript) {
    if (responsible == null) {
      return begin(make.get());
    }
    AgentsByOrigin.Member member = new AgentsByOrigin.Member(responsible, byScript);
    Limit reached = agentsByOrigin.add(member);
    if (reached != null) {
      throw refusal(reached, agentsByOrigin.message(reached));
    }
    Agent agent;
    try {
      agent = make.get();
      agent.supplements().put(AgentsByOrigin.Member.class, member);
    } catch (RuntimeException | Error exhausted) {
      agentsByOrigin.remove(member);
      throw exhausted;
    }
    return begin(agent);
  }

  private void requireRoom() {
    Limits limits = configuration.limits();
    if (livingAgents.get() >= limits.agents()) {
      throw refusal(
          Limit.AGENTS,
          "there are "
              + limits.agents()
              + " agents (windows, workers, installations), which is the limit; close some, or raise"
              + " Limits.agents");
    }
    int abandoned = abandonedAgents.get();
    if (abandoned > 0 && abandoned >= limits.abandonedAgents()) {
      throw refusal(
          Limit.ABANDONED_AGENTS,
          "scripts of "
              + abandoned
              + " ended agents still run and cannot be stopped; wait until they end, raise"
              + " Limits.abandonedAgents, or restart the process");
    }
  }

  private LimitExceeded refusal(Limit limit, String message) {
    reached(limit, message);
    return new LimitExceeded(message);
  }

  /**
   * Counts a limit that the current agent, or else Java code, has reached. Callable on any thread.
   */
  public void reached(Limit limit, String message) {
    Agent current =
        agents.stream().filter(agent -> agent.eventLoop().isOnLoop()).findFirst().orElse(null);
    reachedLimits.add(current, limit, message);
  }

  /** Returns the counts of reached limits. */
  public ReachedLimits reachedLimits() {
    return reachedLimits;
  }

  /** Returns the number of agents that were cut off and whose script still occupies a thread. */
  public int abandonedAgents() {
    return abandonedAgents.get();
  }

  /**
   * Counts an agent as abandoned.
   *
   * @return an action that ends this, to be run once
   */
  Runnable abandon(Agent agent) {
    AgentsByOrigin.Member member = agent.supplements().find(AgentsByOrigin.Member.class);
    abandonedAgents.incrementAndGet();
    if (member != null) {
      agentsByOrigin.abandon(member);
    }
    return () -> {
      abandonedAgents.decrementAndGet();
      if (member != null) {
        agentsByOrigin.abandonedHasStopped(member);
      }
    };
  }

  boolean hasAgentInEmbedderContext() {
    return agentsInEmbedderContexts.get() > 0;
  }

  /** Creates an agent; the agent ends at once if the user agent was closed meanwhile. */
  Agent begin(String kind) {
    int number = agentCount.incrementAndGet();
    return begin(new Agent(this, kind + "-" + number, number));
  }

  private Agent begin(Agent agent) {
    if (!agent.ownsContext()) {
      agentsInEmbedderContexts.incrementAndGet(); // first: the count must not be too low
    }
    agents.add(agent);
    livingAgents.incrementAndGet();
    AgentWatcher watcher = configuration.watcher;
    if (watcher != null) {
      watcher.begins(agent);
    }
    if (closed) {
      agent.terminate();
    }
    if (trace != null) {
      trace.report(TraceKind.AGENT, agent.name(), "begins");
    }
    return agent;
  }

  /** Returns whether {@link #close()} was called. Callable on any thread. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Returns whether an agent is ending, or about to end with this user agent, so that steps of its
   * script may fail for that reason. Callable on any thread.
   */
  public boolean isEnding(Agent agent) {
    return closed || agent.isEnding();
  }

  /** Returns whether the current thread runs a turn of one of the agents. */
  public boolean isOnEventLoop() {
    return agents.stream().anyMatch(agent -> agent.eventLoop().isOnLoop());
  }

  void agentEnded(Agent agent) {
    if (agents.remove(agent)) {
      livingAgents.decrementAndGet();
      if (!agent.ownsContext()) {
        agentsInEmbedderContexts.decrementAndGet();
      }
      AgentsByOrigin.Member member = agent.supplements().find(AgentsByOrigin.Member.class);
      if (member != null) {
        agentsByOrigin.remove(member);
      }
    }
    AgentWatcher watcher = configuration.watcher;
    if (watcher != null) {
      watcher.ended(agent);
    }
    if (trace != null) {
      // this step is the cause of all that follows until Agent.stop() returns
      trace.enter(trace.report(TraceKind.AGENT, agent.name(), "has ended"));
    }
  }

  /** {@linkplain Driver#attach Attaches} an actor until {@link #close()} has ended all agents. */
  public Driver.Lane attach(Actor actor, Driver.Kind kind) {
    Driver.Lane lane = activity.attach(driver, actor, kind);
    lanes.add(lane);
    return lane;
  }

  /** Attaches an observer like {@link #attach}; its work does not count as {@link #activity()}. */
  public Driver.Lane attachOnlooker(Actor actor, Driver.Kind kind) {
    Driver.Lane lane =
        driver.attach(
            new PrefixedActor(configuration.actorPrefix, actor, this::driverFailed), kind);
    lanes.add(lane);
    return lane;
  }

  private void driverFailed(Throwable failure) {
    endAfter("driver", failure);
  }

  /**
   * Runs an action when {@link #close()} has ended all agents; at once if it already has. The
   * action must not throw, and may run more than once. Callable on any thread.
   */
  public void onClosed(Runnable action) {
    onClosed.add(action);
    if (over) {
      action.run();
    }
  }

  private CompletionStage<Void> afterAllEnded() {
    over = true;
    onClosed.forEach(Runnable::run);
    lanes.forEach(Driver.Lane::detach);
    return CompletableFuture.completedStage(null);
  }

  /** Returns the agents that have not ended, in no particular order. */
  public Set<Agent> agents() {
    return Set.copyOf(agents);
  }

  /**
   * Cancels all script in contexts of this user agent, as if its agents were ending. Afterwards, no
   * script can run in owned contexts; in contexts of embedders, script is interrupted. For use when
   * a turn does not end; the user agent can then only be closed. Callable on any thread that runs
   * no script.
   */
  public void cancelScripts() {
    agents.forEach(Agent::cancelScript);
  }

  /**
   * Ends this user agent at once, after a step that must not stay half done has failed: a lock
   * step, or one of the driver. Callable on any thread; idempotent.
   *
   * @param where what failed, in a few words
   */
  public void endAfter(String where, Throwable failure) {
    reserve = null; // memory for what follows
    if (closed) {
      return;
    }
    closed = true;
    try {
      configuration.failureListener.onFailure(null, where, failure);
    } finally {
      CompletionStage<Void> unused = close();
    }
  }

  /**
   * Ends all agents and accepts no more; completes when all have ended. Callable on any thread;
   * idempotent.
   */
  public CompletionStage<Void> close() {
    closed = true;
    return Endings.ofAgents(agents)
        // an agent may have begun meanwhile: it is in the set before its creator has ended
        .thenCompose(done -> agents.isEmpty() ? afterAllEnded() : close());
  }
}
