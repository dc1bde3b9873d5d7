package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of one user agent in one JVM: a parallel queue. Only its steps change the lock
 * state. It has no thread of its own. Any thread may enqueue. The constructor's {@code wake}
 * notifies a driver, which calls {@link #runStep} until it returns false, on any thread, one call
 * at a time. Steps run in the order in which they were enqueued.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concepts
public final class LockTaskQueue implements LockService {
  /** The size up to which a list of effects or transitions is reused for the next step. */
  private static final int EFFECTS_KEPT = 1024;

  private final Queue<LockCommand> commands = new ConcurrentLinkedQueue<>();
  private final Map<ClientId, Consumer<LockEffect>> sinks = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Runnable wake;
  private final LongSupplier nanoTime;
  private final @Nullable LockTraceListener trace;
  private final @Nullable LockWatcher watcher;

  /**
   * True while a step runs. Each step sets and clears this flag, so a step sees the writes of the
   * previous step to {@link #effects} and {@link #transitions}, even on another thread.
   */
  private final AtomicBoolean running = new AtomicBoolean();

  /** The lock managers, guarded by their own monitor: any thread may call {@link #diagnose()}. */
  private final LockManagers managers;

  private ArrayList<LockEffect> effects = new ArrayList<>();

  private final Consumer<LockEffect> collect = effect -> effects.add(effect);

  /** The transitions of the current step for watcher and trace; empty without either. */
  private ArrayList<LockTransition> transitions = new ArrayList<>();

  /** The number of held locks in the upper 32 bits, of waiting requests in the lower ones. */
  private final AtomicLong counts = new AtomicLong();

  /** The pending {@link #enqueueAwaited} steps; null without variant callback-inside-request. */
  private final @Nullable Set<LockCommand> awaited;

  /**
   * Creates a queue in which nothing is held.
   *
   * @param wake called after each enqueue, on the enqueuing thread; must return soon, and arrange
   *     that {@link #runStep} is called
   * @param trace gets every step; null for none
   * @param nanoTime the clock of {@link #diagnose()} and of the watcher; nothing else depends on it
   * @param watcher gets the transitions of each step for which {@link LockWatcher#isWatching}
   *     returned true when the step began; null for none
   * @param variants deviations from the Working Draft; those that concern only agents have no
   *     effect
   * @throws IllegalArgumentException if two variants exclude each other
   */
  public LockTaskQueue(
      Runnable wake,
      @Nullable LockTraceListener trace,
      LongSupplier nanoTime,
      @Nullable LockWatcher watcher,
      Set<Variant> variants) {
    this.managers = new LockManagers(variants);
    this.nanoTime = nanoTime;
    this.awaited =
        variants.contains(Variant.CALLBACK_INSIDE_REQUEST) ? ConcurrentHashMap.newKeySet() : null;
    this.wake = Objects.requireNonNull(wake, "wake");
    this.trace = trace;
    this.watcher = watcher;
  }

  @Override
  public RequestId nextId(ClientId client) {
    return new RequestId(client, lastId.incrementAndGet());
  }

  /**
   * {@inheritDoc}
   *
   * @param sink gets the effects on the thread that runs the step; it must not run a step
   */
  @Override
  public void register(RegisterClient client, Consumer<LockEffect> sink) {
    if (sinks.putIfAbsent(client.client(), sink) != null) {
      throw new IllegalStateException(
          client.client() + " is already registered; give every environment its own id");
    }
    if (trace != null) {
      trace.onRegister(client);
    }
    synchronized (managers) {
      managers.apply(client, nanoTime.getAsLong(), collect, null);
    }
  }

  /** Enqueues one step and wakes the driver. Callable on any thread. */
  @Override
  public void enqueue(LockCommand command) {
    if (command instanceof RegisterClient) {
      throw new IllegalArgumentException(
          "a registration cannot be enqueued; call register(): " + command);
    }
    if (trace != null) {
      trace.onEnqueue(command);
    }
    commands.add(command);
    wake.run();
  }

  /**
   * Enqueues one step for a thread that waits until the step has run, under the variant
   * callback-inside-request. Callable on any thread except the one that runs a step.
   *
   * @param command not equal to any other awaited command
   * @throws IllegalStateException without that variant
   */
  public void enqueueAwaited(LockCommand command) {
    if (awaited == null) {
      throw new IllegalStateException(
          "only the variant callback-inside-request awaits steps; use enqueue()");
    }
    awaited.add(command);
    enqueue(command);
  }

  /**
   * Returns whether a step given to {@link #enqueueAwaited} has not run yet. Callable on any
   * thread.
   */
  public boolean isAwaited(LockCommand command) {
    return awaited != null && awaited.contains(command);
  }

  /**
   * Returns whether no step waits to run; the answer may change at any time. Callable on any
   * thread.
   */
  public boolean isEmpty() {
    return commands.isEmpty();
  }

  /**
   * Returns the next step, which another thread may run at any time; null if none. Callable on any
   * thread.
   */
  public @Nullable LockCommand next() {
    return commands.peek();
  }

  /**
   * Runs the step at the head of the queue and delivers its effects. Callable on any thread, one at
   * a time.
   *
   * @return false if there was no step to run
   * @throws IllegalStateException if a step is running, on this thread or on another
   * @throws IllegalArgumentException if the step was a request with an id in use; it did nothing
   * @throws RuntimeException if the trace listener, the watcher or a sink threw it; further
   *     exceptions are suppressed in it. The step is done, and every other effect was delivered.
   *     The same holds for an Error
   */
  public boolean runStep() {
    if (!running.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "a step of the lock task queue is already running; call runStep() from one driver, one"
              + " call at a time, and never from a sink");
    }
    try {
      LockCommand command = commands.poll();
      if (command == null) {
        return false;
      }
      run(command);
      return true;
    } finally {
      running.set(false);
    }
  }

  /** {@inheritDoc} Does not block. */
  @Override
  public LockStats stats() {
    long both = counts.getAcquire();
    return new LockStats((int) (both >>> 32), (int) both);
  }

  /** {@inheritDoc} Waits for at most one step. */
  @Override
  public List<LockState> diagnose() {
    synchronized (managers) {
      return managers.diagnose();
    }
  }

  /** {@inheritDoc} Waits for at most one step. */
  @Override
  public LockCounts counts() {
    synchronized (managers) {
      return managers.counts();
    }
  }

  private void run(LockCommand command) {
    try {
      LockWatcher watching = watcher != null && watcher.isWatching() ? watcher : null;
      synchronized (managers) {
        managers.apply(
            command,
            nanoTime.getAsLong(),
            collect,
            watching == null && trace == null ? null : transitions::add);
      }
      counts.setRelease(
          ((long) managers.heldCount() << 32) | Integer.toUnsignedLong(managers.pendingCount()));
      if (command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      // Effects are delivered after the state change, so a failing sink cannot corrupt the state.
      deliverAll(command, watching);
    } finally {
      effects = emptied(effects);
      transitions = emptied(transitions);
      if (awaited != null) { // variant callback-inside-request
        awaited.remove(command);
      }
    }
  }

  private static <T> ArrayList<T> emptied(ArrayList<T> list) {
    if (list.size() > EFFECTS_KEPT) {
      return new ArrayList<>();
    }
    list.clear();
    return list;
  }

  private void deliverAll(LockCommand command, @Nullable LockWatcher watching) {
    // An Error is deferred too, so that a failing sink does not cost other clients their effects.
    Throwable failure = null;
    if (trace != null) {
      try {
        trace.onStep(command, List.copyOf(transitions), List.copyOf(effects));
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }
    if (watching != null) {
      for (LockTransition transition : transitions) {
        try {
          watching.on(transition);
        } catch (RuntimeException | Error e) {
          failure = joined(failure, e);
        }
      }
      try {
        watching.stepHasRun(command, this);
      } catch (RuntimeException | Error e) {
        failure = joined(failure, e);
      }
    }
    for (LockEffect effect : effects) {
      try {
        if (trace != null) {
          trace.onDeliver(effect);
        }
        deliver(effect);
      } catch (RuntimeException | Error e) {
        failure = joined(failure, e);
      }
    }
    if (trace != null) {
      trace.onEnd();
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
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

  private void deliver(LockEffect effect) {
    Consumer<LockEffect> sink = sinks.get(effect.client());
    if (sink != null) { // otherwise the client has ended, or has its sink elsewhere
      sink.accept(effect);
    }
  }
}
