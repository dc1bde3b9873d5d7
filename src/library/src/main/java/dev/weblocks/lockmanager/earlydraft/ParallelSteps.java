package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.earlydraft.StepListener.Delivery;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shared lock states of one user agent, with a queue of the steps that the early draft runs in
 * parallel. Steps within a call or microtask of an agent run immediately, on the agent's thread.
 *
 * <p>It has no thread of its own. The constructor's {@code wake} notifies a driver, which calls
 * {@link #runStep} until it returns false, on any thread, one call at a time. Parallel steps run in
 * the order in which they were enqueued. Commands are mutually exclusive, on all threads. A command
 * of a client that is not registered does nothing.
 */
public final class ParallelSteps {
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();

  /** Exceptions of listeners and sinks in unqueued commands; {@link #runStep} throws them. */
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final Map<ClientId, Consumer<Effect>> sinks = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Runnable wake;
  private final @Nullable StepListener trace;
  private final @Nullable LockWatcher watcher;

  /** Held during a command and its reports, so that causes precede consequences. */
  private final Object reporting = new Object();

  /** Whether the queue contains a {@link Proceed}; guarded by {@link #reporting}. */
  private boolean proceeds;

  /** The lock states, guarded by their own monitor: any thread may call {@link #diagnose()}. */
  private final LockStates states;

  /**
   * Creates the parallel steps of a user agent that has no locks and requests yet.
   *
   * @param wake called when {@link #runStep} has something to do, on the thread that caused this;
   *     must return soon, and arrange that {@link #runStep} is called
   * @param trace called for each command, in order, before its effects are delivered; null for none
   * @param nanoTime the clock of {@link #diagnose()} and the watcher; nothing else depends on it
   * @param watcher gets the transitions of each command for which {@link LockWatcher#isWatching}
   *     returned true; null for none
   */
  public ParallelSteps(
      Runnable wake,
      @Nullable StepListener trace,
      LongSupplier nanoTime,
      @Nullable LockWatcher watcher) {
    this.wake = Objects.requireNonNull(wake, "wake");
    this.trace = trace;
    this.watcher = watcher;
    this.states = new LockStates(nanoTime);
  }

  /** Returns a new, unique id for a request, a release or a query, from 1 upward. */
  public long nextId() {
    return lastId.incrementAndGet();
  }

  /**
   * Registers a client, until the step of its {@link EndClient} runs. Callable on any thread.
   *
   * @param client an id that no other environment ever has
   * @param sink gets the client's effects except those that {@link #requestLock} returns, on the
   *     thread that runs the step; must only post a task, and must not run a step
   * @throws IllegalStateException if the client is registered and has not ended
   */
  public void register(ClientId client, Consumer<Effect> sink) {
    if (sinks.putIfAbsent(client, sink) != null) {
      throw new IllegalStateException(
          client + " is already registered; give every environment its own id");
    }
  }

  /**
   * Requests a lock on the current thread; the step is not queued.
   *
   * @return the effect if the request is over because the lock is not available, otherwise null; a
   *     grant or an abort always goes to the sink
   * @throws IllegalArgumentException if the id is in use
   */
  public @Nullable Unavailable requestLock(RequestLock command) {
    for (Effect effect : now(command)) {
      if (effect instanceof Unavailable unavailable) {
        return unavailable;
      }
    }
    return null;
  }

  /** Removes a lock on the current thread, because its waiting promise has settled. */
  public void waitingPromiseSettles(long requestId) {
    now(new WaitingPromiseSettles(requestId));
  }

  private List<Effect> now(Command command) {
    List<Effect> effects = new ArrayList<>();
    Throwable failure = runAndDeliver(command, effects);
    if (failure != null) {
      failures.add(failure);
    }
    if (!isEmpty()) {
      wake.run();
    }
    return effects;
  }

  /**
   * Enqueues a parallel step and wakes the driver. Callable on any thread.
   *
   * @throws IllegalArgumentException if the command does not run in parallel
   */
  public void begin(Command command) {
    if (command instanceof RequestLock || command instanceof WaitingPromiseSettles) {
      throw new IllegalArgumentException("only a parallel step can be begun: " + command);
    }
    if (trace != null) {
      trace.onBegin(command);
    }
    commands.add(command);
    wake.run();
  }

  /** Returns whether {@link #runStep} has nothing to do at the moment. Callable on any thread. */
  public boolean isEmpty() {
    return commands.isEmpty() && failures.isEmpty();
  }

  /**
   * Runs the first parallel step of the queue and delivers its effects. Callable on any thread, one
   * at a time.
   *
   * @return false if there was no step to run
   * @throws RuntimeException if the trace listener, the watcher or a sink threw it, now or during
   *     an earlier command that was not queued; further exceptions are suppressed in it. The step
   *     is complete nevertheless, and all other effects were delivered. The same holds for an Error
   */
  public boolean runStep() {
    Throwable failure = failures.poll();
    Command command = commands.poll();
    if (command != null) {
      Throwable failed = runAndDeliver(command, new ArrayList<>());
      failure = failed == null ? failure : joined(failure, failed);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    return command != null;
  }

  /**
   * Returns the held locks and waiting requests. Callable on any thread; waits for at most one
   * command.
   */
  public List<LockState> diagnose() {
    synchronized (states) {
      return states.diagnose();
    }
  }

  /**
   * Returns the counters of locks and requests. Callable on any thread; waits for at most one
   * command.
   */
  public LockCounts counts() {
    synchronized (states) {
      return states.counts();
    }
  }

  /** The delivery listener of a command, and the exception that a listener threw, null if none. */
  private record Reported(Delivery delivery, @Nullable Throwable failure) {}

  /**
   * Runs a command and delivers its effects; returns an exception of a listener or sink, or null.
   */
  private @Nullable Throwable runAndDeliver(Command command, List<Effect> effects) {
    Reported reported = run(command, effects);
    Throwable failure = reported.failure();
    for (Effect effect : effects) {
      if (!(effect instanceof Unavailable)) { // requestLock() returns it
        try {
          reported.delivery().onDeliver(effect);
          deliver(effect);
        } catch (RuntimeException | Error failed) {
          failure = joined(failure, failed);
        }
      }
    }
    reported.delivery().onEnd();
    return failure;
  }

  private Reported run(Command command, List<Effect> effects) {
    synchronized (reporting) {
      LockWatcher watching = watcher != null && watcher.isWatching() ? watcher : null;
      boolean isObserved = watching != null || trace != null;
      List<Transition> transitions = new ArrayList<>();
      Proceed begun = null;
      if (command instanceof Proceed) {
        proceeds = false;
      }
      if (isFromRegisteredClient(command)) {
        synchronized (states) {
          states.apply(command, effects::add, isObserved ? transitions::add : null);
          if (states.mayProceed() && !proceeds) {
            proceeds = true;
            begun = new Proceed();
            commands.add(begun); // cannot run before this command was reported
          }
        }
      }
      if (command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      return report(command, List.copyOf(transitions), List.copyOf(effects), begun, watching);
    }
  }

  private Reported report(
      Command command,
      List<Transition> transitions,
      List<Effect> effects,
      @Nullable Proceed begun,
      @Nullable LockWatcher watching) {
    Delivery delivery = Delivery.UNWATCHED;
    Throwable failure = null;
    if (trace != null) {
      try {
        delivery = trace.onStep(command, transitions, effects);
        if (begun != null) {
          delivery.onProceed(begun);
        }
      } catch (RuntimeException | Error failed) {
        failure = failed;
      }
    }
    if (watching != null) {
      for (Transition transition : transitions) {
        for (LockTransition each : transition.byName()) {
          try {
            watching.on(each);
          } catch (RuntimeException | Error failed) {
            failure = joined(failure, failed);
          }
        }
      }
    }
    return new Reported(delivery, failure);
  }

  private static Throwable joined(@Nullable Throwable earlier, Throwable later) {
    if (earlier == null) {
      return later;
    }
    if (earlier != later) {
      earlier.addSuppressed(later);
    }
    return earlier;
  }

  private boolean isFromRegisteredClient(Command command) {
    return switch (command) {
      case RequestLock request -> sinks.containsKey(request.client());
      case QueryState query -> sinks.containsKey(query.client());
      case ForceRelease release -> sinks.containsKey(release.client());
      case EndClient end -> sinks.containsKey(end.client());
      // The lock or request of an ended client no longer exists, so these do nothing.
      case WaitingPromiseSettles settled -> true;
      case AbortRequest abort -> true;
      case GiveUp given -> true;
      case Proceed proceed -> true;
    };
  }

  private void deliver(Effect effect) {
    Consumer<Effect> sink = sinks.get(effect.client());
    if (sink == null) {
      throw new IllegalStateException(
          "no sink is registered for %s, although it has not ended: %s"
              .formatted(effect.client(), effect));
    }
    sink.accept(effect);
  }
}
