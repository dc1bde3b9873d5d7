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
 * The lock states of one user agent between its agents: what the early draft does within a call or
 * a microtask of an agent happens at once, on the agent's thread; what it runs in parallel waits in
 * a queue for its turn.
 *
 * <p>It has no thread of its own. A driver that {@code wake} notifies calls {@link #runStep} until
 * it returns false, on whatever thread it likes, one call at a time. Parallel steps run in the
 * order in which they were begun. Commands exclude each other, wherever they run.
 *
 * <p>A client is registered before its first command and ends by {@link EndClient}. A command for a
 * client that is not registered does nothing.
 */
public final class ParallelSteps {
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();

  /** What listeners threw while an agent was in a call: it is none of its business. */
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final Map<ClientId, Consumer<Effect>> sinks = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Runnable wake;
  private final @Nullable StepListener trace;
  private final @Nullable LockWatcher watcher;

  /** Held for a command and until all have been told of it, so that causes are told first. */
  private final Object telling = new Object();

  /** Whether a {@link Proceed} is among the commands; guarded by {@link #telling}. */
  private boolean proceeds;

  /** Its own monitor guards it against diagnoses, which come from any thread. */
  private final LockStates states;

  /**
   * Makes the steps of a user agent in which nothing is held and nobody waits.
   *
   * @param wake called when there is a parallel step, on the thread that began it; must return
   *     soon, and see to it that {@link #runStep} is called
   * @param trace told of every command, in order, before its effects reach their clients; null for
   *     nobody
   * @param nanoTime a clock for {@link #diagnose()} and the watcher; nothing else depends on it
   * @param watcher asked before each command whether it wants to be told of it; null for nobody
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

  /** Returns an id for a request, a release or a query, from 1 upward, never the same twice. */
  public long nextId() {
    return lastId.incrementAndGet();
  }

  /**
   * Makes a client known, until the step of its {@link EndClient} runs. Any thread.
   *
   * @param client not used for another environment before or after
   * @param sink gets the client's effects but those that {@link #requestLock} returns, on the
   *     thread that runs the step; it only posts a task, and must not run a step
   * @throws IllegalStateException if the client is registered and has not ended
   */
  public void register(ClientId client, Consumer<Effect> sink) {
    if (sinks.putIfAbsent(client, sink) != null) {
      throw new IllegalStateException(
          client + " is registered already; give every environment an id of its own");
    }
  }

  /**
   * Requests a lock, now.
   *
   * @return the effect where the request is over because the lock is not available; null if it
   *     waits, if only for its first step, or its signal has aborted it from the start, of which
   *     its client hears as of every abort
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

  /** The waiting promise of a lock has settled: removes the lock, now. */
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
   * Begins a parallel step and wakes the driver. Any thread.
   *
   * @throws IllegalArgumentException for what does not happen in parallel
   */
  public void begin(Command command) {
    if (command instanceof RequestLock || command instanceof WaitingPromiseSettles) {
      throw new IllegalArgumentException("this happens at once, in the agent's turn: " + command);
    }
    if (trace != null) {
      trace.onBegin(command);
    }
    commands.add(command);
    wake.run();
  }

  /** Whether no parallel step waits to run. Any thread; another may change the answer any time. */
  public boolean isEmpty() {
    return commands.isEmpty() && failures.isEmpty();
  }

  /**
   * Runs the parallel step at the head of the queue and delivers its effects. Any thread, one at a
   * time.
   *
   * @return false if there was no step to run
   * @throws RuntimeException what the trace listener, the watcher or a sink threw, further ones
   *     suppressed in it; the step is done, and every other effect was delivered; an Error likewise
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

  /** Tells what is held and who waits. Any thread; waits for no more than a command. */
  public List<LockState> diagnose() {
    synchronized (states) {
      return states.diagnose();
    }
  }

  /** Tells what was done so far and is in hand. Any thread; waits for no more than a command. */
  public LockCounts counts() {
    synchronized (states) {
      return states.counts();
    }
  }

  /** What was told of a command, and what listeners threw; it is done all the same. */
  private record Told(Delivery delivery, @Nullable Throwable failure) {}

  /** Returns what listeners and sinks threw; null if nothing. */
  private @Nullable Throwable runAndDeliver(Command command, List<Effect> effects) {
    Told told = run(command, effects);
    Throwable failure = told.failure();
    for (Effect effect : effects) {
      if (!(effect instanceof Unavailable)) { // who asked is told by what requestLock() returns
        try {
          told.delivery().onDeliver(effect);
          deliver(effect);
        } catch (RuntimeException | Error failed) {
          failure = joined(failure, failed);
        }
      }
    }
    told.delivery().onEnd();
    return failure;
  }

  private Told run(Command command, List<Effect> effects) {
    synchronized (telling) {
      LockWatcher watching = watcher != null && watcher.isWatching() ? watcher : null;
      boolean isTold = watching != null || trace != null;
      List<Transition> transitions = new ArrayList<>();
      Proceed begun = null;
      if (command instanceof Proceed) {
        proceeds = false;
      }
      if (isFromRegisteredClient(command)) {
        synchronized (states) {
          states.apply(command, effects::add, isTold ? transitions::add : null);
          if (states.mayProceed() && !proceeds) {
            proceeds = true;
            begun = new Proceed();
            commands.add(begun); // and cannot run before this command is told
          }
        }
      }
      if (command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      return tell(command, List.copyOf(transitions), List.copyOf(effects), begun, watching);
    }
  }

  private Told tell(
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
    return new Told(delivery, failure);
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
      // What these name is gone with its client.
      case WaitingPromiseSettles settled -> true;
      case AbortRequest abort -> true;
      case GiveUp given -> true;
      case Proceed proceed -> true;
    };
  }

  private void deliver(Effect effect) {
    Consumer<Effect> sink = sinks.get(effect.client());
    if (sink == null) {
      throw new IllegalStateException("nobody to deliver to, though not ended: " + effect);
    }
    sink.accept(effect);
  }
}
