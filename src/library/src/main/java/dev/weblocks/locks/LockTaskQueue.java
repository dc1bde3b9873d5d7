package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.TurnLog;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lock task queue of a user agent with its own lock managers: a parallel queue, whose steps the
 * driver runs one at a time, in the order in which any thread has enqueued them. Only its steps
 * change the lock state. What a step did goes to the trace and the watchers, and then to the
 * clients.
 *
 * <p>A step that fails, for lack of memory or by a defect, is half done. Then no other step runs,
 * and the user agent ends.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-task-queue
public final class LockTaskQueue implements LockService, Actor {

  static final String NAME = "lock task queue";

  /** A command that is enqueued. */
  static final class Step {
    final LockCommand command;

    /** The number of the turn that enqueued it; 0 without a turn log. */
    private final long turn;

    /** The id of the event of the trace that was current when it was enqueued; 0 without one. */
    private final long cause;

    private volatile boolean isOver;

    private Step(LockCommand command, long turn, long cause) {
      this.command = command;
      this.turn = turn;
      this.cause = cause;
    }

    /** Returns whether it has run, and its effects have reached the clients. */
    boolean isOver() {
      return isOver;
    }
  }

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final Map<ClientId, Consumer<LockEffect>> sinks = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();

  /** Guarded by its monitor, as any thread may ask for a diagnosis. */
  private final LockManagers managers;

  private final LongSupplier nanoTime;
  private final @Nullable LockTracing trace;
  private final List<LockWatcher> watchers;
  private final @Nullable TurnLog turns;
  private final Consumer<Throwable> onFailure;
  private final Driver.Lane lane;

  /** Whether a step was left half done; written in a turn. */
  private volatile boolean hasFailed;

  /**
   * Creates a queue in which nothing is held.
   *
   * @param nanoTime the clock of diagnoses and transitions; nothing else depends on it
   * @param variants deviations from the Working Draft; those that concern only agents have no
   *     effect
   * @param onFailure gets the failure of a step, after which no step runs
   * @param attach attaches this actor to a driver
   * @throws IllegalArgumentException if two variants exclude each other
   */
  public LockTaskQueue(
      LongSupplier nanoTime,
      Set<Variant> variants,
      @Nullable LockTracing trace,
      List<LockWatcher> watchers,
      @Nullable TurnLog turns,
      Consumer<Throwable> onFailure,
      Function<Actor, Driver.Lane> attach) {
    this.nanoTime = nanoTime;
    this.managers = new LockManagers(variants);
    this.trace = trace;
    this.watchers = watchers;
    this.turns = turns;
    this.onFailure = onFailure;
    this.lane = attach.apply(this); // last: it may run at once
  }

  private static LockTaskQueue create(UserAgent userAgent) {
    LockSettings settings = LockSettings.of(userAgent);
    Trace trace = userAgent.trace();
    return new LockTaskQueue(
        userAgent.driver().clock()::nanoTime,
        settings.variants(),
        trace == null ? null : new LockTracing(trace, NAME),
        Stream.of(settings.watcher(), settings.invariants(), LockWatchdog.of(userAgent))
            .filter(Objects::nonNull)
            .toList(),
        userAgent.driver().turnLog(),
        failure -> userAgent.endAfter("lock step", failure),
        actor -> userAgent.attach(actor, Driver.Kind.PARALLEL_QUEUE));
  }

  /** Returns the queue of a user agent; created at the first call. */
  static LockTaskQueue of(UserAgent userAgent) {
    return userAgent.supplements().get(LockTaskQueue.class, () -> create(userAgent));
  }

  @Override
  public RequestId nextId(ClientId client) {
    return new RequestId(client, lastId.incrementAndGet());
  }

  @Override
  public void register(RegisterClient client, Consumer<LockEffect> sink) {
    if (sinks.putIfAbsent(client.client(), sink) != null) {
      throw new IllegalStateException(
          client.client() + " is already registered; give every environment its own id");
    }
    if (trace != null) {
      trace.registered(client);
    }
    synchronized (managers) {
      managers.apply(client, nanoTime.getAsLong());
    }
  }

  @Override
  public void enqueue(LockCommand command) {
    Step unused = enqueueStep(command);
  }

  /** Enqueues a command like {@link #enqueue}. */
  Step enqueueStep(LockCommand command) {
    if (command instanceof RegisterClient) {
      throw new IllegalArgumentException(
          "a registration cannot be enqueued; call register(): " + command);
    }
    Step step =
        new Step(command, turns == null ? 0 : turns.current(), trace == null ? 0 : trace.current());
    steps.add(step);
    lane.wake();
    return step;
  }

  /** Runs a step as a part of the current turn, which belongs to another actor. */
  void runStepInside() {
    if (turns != null) {
      turns.reaches("driver: lock step");
    }
    Step step = steps.poll();
    if (step != null) {
      run(step);
    }
    lane.workedOff();
  }

  @Override
  public boolean runTurn() {
    Step step = steps.poll();
    if (turns != null) {
      turns.takes(step == null ? 0 : step.turn);
    }
    if (step == null) {
      return false;
    }
    run(step);
    return true;
  }

  private void run(Step step) {
    if (hasFailed) {
      return;
    }
    try {
      List<LockOutcome> outcomes;
      synchronized (managers) {
        outcomes = managers.apply(step.command, nanoTime.getAsLong());
      }
      if (step.command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      if (trace != null) {
        trace.begin(step.command, step.cause, outcomes);
      }
      for (LockWatcher watcher : watchers) {
        tell(watcher, step.command, outcomes);
      }
      for (LockOutcome outcome : outcomes) {
        deliver(outcome.effect());
      }
      if (trace != null) {
        trace.end();
      }
      step.isOver = true;
    } catch (RuntimeException | Error failure) {
      hasFailed = true;
      onFailure.accept(failure);
    }
  }

  private void tell(LockWatcher watcher, LockCommand command, List<LockOutcome> outcomes) {
    if (!watcher.isWatching()) {
      return;
    }
    for (LockOutcome outcome : outcomes) {
      if (outcome instanceof LockTransition transition) {
        watcher.on(transition);
      }
    }
    watcher.stepHasRun(command, this);
  }

  private void deliver(@Nullable LockEffect effect) {
    if (effect == null) {
      return;
    }
    if (trace != null) {
      trace.delivers(effect);
    }
    Consumer<LockEffect> sink = sinks.get(effect.client());
    if (sink != null) { // else the client has ended
      sink.accept(effect);
    }
  }

  @Override
  public LockCounts counts() {
    synchronized (managers) {
      LockCounts counts = managers.counts();
      return hasFailed ? counts.withoutLocks() : counts;
    }
  }

  /** {@inheritDoc} None after a failure, as all clients have ended with the user agent. */
  @Override
  public List<LockState> diagnose() {
    synchronized (managers) {
      return hasFailed ? List.of() : managers.diagnose();
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean hasWork() {
    return !steps.isEmpty();
  }

  @Override
  public String nextStep() {
    Step next = steps.peek();
    return next == null
        ? ""
        : switch (next.command) {
          case RequestLock request -> "request '" + request.options().name() + "'";
          case ReleaseLock release -> "release";
          case AbortRequest abort -> "abort";
          case EndClient end -> "end of a client";
          case TakeSnapshot query -> "query";
          case RegisterClient register -> throw new IllegalStateException("not a step");
          case BucketCommand bucket -> throw new IllegalStateException("not a step");
        };
  }
}
