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
import java.util.function.BiConsumer;
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
  private final @Nullable BiConsumer<Command, List<Effect>> trace;
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
   * @param trace told of every command with its effects, in order, before the effects reach their
   *     clients; null for nobody
   * @param nanoTime a clock for {@link #diagnose()} and the watcher; nothing else depends on it
   * @param watcher asked before each command whether it wants to be told of it; null for nobody
   */
  public ParallelSteps(
      Runnable wake,
      @Nullable BiConsumer<Command, List<Effect>> trace,
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
   * @param sink gets the client's effects but those of {@link #requestLock}, on the thread that
   *     runs the step; it only posts a task, and must not run a step
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
   * @return null if it waits, if only for its first step; otherwise it is over, because it was
   *     {@link Effect.Unavailable} or its signal had {@link Effect.Aborted} it before
   * @throws IllegalArgumentException if the id is in use
   */
  public @Nullable Effect requestLock(RequestLock command) {
    List<Effect> effects = now(command);
    return effects.isEmpty() ? null : effects.getFirst();
  }

  /** The waiting promise of a lock has settled: removes the lock, now. */
  public void waitingPromiseSettles(long requestId) {
    now(new WaitingPromiseSettles(requestId));
  }

  private List<Effect> now(Command command) {
    List<Effect> effects = new ArrayList<>();
    try {
      run(command, effects);
    } catch (ListenerFailure failure) {
      failures.add(failure.thrown);
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
      List<Effect> effects = new ArrayList<>();
      try {
        run(command, effects);
      } catch (ListenerFailure failed) {
        failure = joined(failure, failed.thrown);
      }
      for (Effect effect : effects) {
        try {
          deliver(effect);
        } catch (RuntimeException | Error failed) {
          failure = joined(failure, failed);
        }
      }
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

  /** What a listener threw; the command is done all the same. */
  private static final class ListenerFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Throwable thrown;

    ListenerFailure(Throwable thrown) {
      super(thrown);
      this.thrown = thrown;
    }
  }

  private void run(Command command, List<Effect> effects) throws ListenerFailure {
    synchronized (telling) {
      LockWatcher watching = watcher != null && watcher.isWatching() ? watcher : null;
      List<LockTransition> transitions = new ArrayList<>();
      if (command instanceof Proceed) {
        proceeds = false;
      }
      if (isFromRegisteredClient(command)) {
        synchronized (states) {
          states.apply(command, effects::add, watching == null ? null : transitions::add);
          if (states.mayProceed() && !proceeds) {
            proceeds = true;
            commands.add(new Proceed());
          }
        }
      }
      if (command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      tell(command, List.copyOf(effects), watching, transitions);
    }
  }

  private void tell(
      Command command,
      List<Effect> effects,
      @Nullable LockWatcher watching,
      List<LockTransition> transitions)
      throws ListenerFailure {
    Throwable failure = null;
    if (trace != null) {
      try {
        trace.accept(command, effects);
      } catch (RuntimeException | Error failed) {
        failure = failed;
      }
    }
    if (watching != null) {
      for (LockTransition transition : transitions) {
        try {
          watching.on(transition);
        } catch (RuntimeException | Error failed) {
          failure = joined(failure, failed);
        }
      }
    }
    if (failure != null) {
      throw new ListenerFailure(failure);
    }
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
