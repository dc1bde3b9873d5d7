package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of one user agent in one JVM: a parallel queue. Only its steps change the lock
 * state. It has no thread of its own. Any thread may enqueue. The constructor's {@code wake}
 * notifies a driver, which calls {@link #runStep} until it returns false, on any thread, one call
 * at a time. Steps run in the order in which they were enqueued. If a step runs inside {@code
 * wake}, the caller ensures that the stack has room for it; an overflow would leave it half done.
 */
// https://www.w3.org/TR/2025/WD-web-locks-20250924/#concepts
public final class LockTaskQueue implements LockService {
  /** The size up to which a list of effects or transitions is reused for the next step. */
  private static final int EFFECTS_KEPT = 1024;

  private final Queue<LockCommand> commands = new ConcurrentLinkedQueue<>();
  private final Map<ClientId, Registration> registrations = new ConcurrentHashMap<>();

  /**
   * The head of a linked list of clients whose end could not be enqueued because memory was
   * exhausted. The registrations themselves are the links, as nothing can be allocated.
   */
  private final AtomicReference<@Nullable Registration> ending = new AtomicReference<>();

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

  /** The effects of the current step; has room for those of the next step, unless it requests. */
  private ArrayList<LockEffect> effects = new ArrayList<>();

  /** The capacity that {@link #effects} was given. */
  private int room;

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
  public void register(
      RegisterClient client, Consumer<LockEffect> sink, @Nullable Consumer<Throwable> onLost) {
    Registration registration = new Registration(new EndClient(client.client()), sink, onLost);
    if (registrations.putIfAbsent(client.client(), registration) != null) {
      throw new IllegalStateException(
          client.client() + " is already registered; give every environment its own id");
    }
    if (trace != null) {
      trace.onRegister(client);
    }
    try {
      synchronized (managers) {
        managers.apply(client, nanoTime.getAsLong(), collect, null);
      }
    } catch (Error exhausted) {
      registrations.remove(client.client());
      throw exhausted;
    }
  }

  /**
   * Enqueues one step and wakes the driver. Callable on any thread.
   *
   * @throws OutOfMemoryError if memory is exhausted; the step was not enqueued then, unless the
   *     driver threw it. The end of a client is always enqueued
   */
  @Override
  public void enqueue(LockCommand command) {
    if (command instanceof RegisterClient) {
      throw new IllegalArgumentException(
          "a registration cannot be enqueued; call register(): " + command);
    }
    if (trace != null) {
      trace.onEnqueue(command);
    }
    try {
      commands.add(command);
    } catch (Error exhausted) {
      Registration registration =
          command instanceof EndClient end ? registrations.get(end.client()) : null;
      if (registration == null) {
        throw exhausted;
      }
      enqueueEnd(registration);
    }
    wake.run();
  }

  /** Enqueues the end of a client before all other steps, without an allocation; idempotent. */
  private void enqueueEnd(Registration client) {
    if (!client.isEnding.compareAndSet(false, true)) {
      return;
    }
    Registration first;
    do {
      first = ending.get();
      client.next = first;
    } while (!ending.compareAndSet(first, client));
  }

  private @Nullable LockCommand poll() {
    Registration first;
    do {
      first = ending.get();
      if (first == null) {
        return commands.poll();
      }
    } while (!ending.compareAndSet(first, first.next)); // one thread at a time removes
    return first.end;
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
    return commands.isEmpty() && ending.get() == null;
  }

  /**
   * Returns the next step, which another thread may run at any time; null if none. Callable on any
   * thread.
   */
  public @Nullable LockCommand next() {
    Registration first = ending.get();
    return first == null ? commands.peek() : first.end;
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
      LockCommand command = poll();
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
    Throwable failure = null;
    try {
      LockWatcher watching = watcher != null && watcher.isWatching() ? watcher : null;
      try {
        synchronized (managers) {
          if (command instanceof RequestLock || command instanceof TakeSnapshot) {
            reserve(managers.heldCount() + managers.pendingCount() + 2);
          }
          managers.apply(
              command,
              nanoTime.getAsLong(),
              collect,
              watching == null && trace == null ? null : transitions::add);
          failure = managers.transitions().failure();
        }
      } catch (Error exhausted) { // by lack of memory: nothing has changed
        if (lose(command.client(), exhausted)) {
          return;
        }
        throw exhausted;
      }
      counts.setRelease(
          ((long) managers.heldCount() << 32) | Integer.toUnsignedLong(managers.pendingCount()));
      if (command instanceof EndClient end) {
        registrations.remove(end.client());
      }
      // Effects are delivered after the state change, so a failing sink cannot corrupt the state.
      deliverAll(command, watching, failure);
    } finally {
      emptyEffects();
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

  private void deliverAll(
      LockCommand command, @Nullable LockWatcher watching, @Nullable Throwable earlier) {
    // An Error is deferred too, so that a failing sink does not cost other clients their effects.
    Throwable failure = earlier;
    if (trace != null) {
      try {
        trace.onStep(command, List.copyOf(transitions), List.copyOf(effects));
      } catch (RuntimeException | Error e) {
        failure = joined(failure, e);
      }
    }
    if (watching != null) {
      for (int i = 0; i < transitions.size(); i++) {
        try {
          watching.on(transitions.get(i));
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
    for (int i = 0; i < effects.size(); i++) { // an iterator would be an allocation
      LockEffect effect = effects.get(i);
      if (trace != null) {
        try {
          trace.onDeliver(effect);
        } catch (RuntimeException | Error e) {
          failure = joined(failure, e);
        }
      }
      try {
        deliver(effect);
      } catch (RuntimeException | Error e) {
        if (!lose(effect.client(), e)) {
          failure = joined(failure, e);
        }
      }
    }
    if (trace != null) {
      try {
        trace.onEnd();
      } catch (RuntimeException | Error e) {
        failure = joined(failure, e);
      }
    }
    rethrow(failure);
  }

  private static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** Reports to a client that a step or an effect of it was lost; returns whether it handled it. */
  private boolean lose(ClientId client, Throwable failure) {
    Registration registration = registrations.get(client);
    if (registration == null || registration.onLost == null) {
      return false;
    }
    registration.onLost.accept(failure);
    return true;
  }

  /** Ensures room for the effects of each step until the next request. */
  private void reserve(int count) {
    if (count > room) {
      int more = Math.max(count, room + room / 2 + 16);
      effects.ensureCapacity(more);
      room = more;
    }
  }

  private void emptyEffects() {
    int needed = managers.heldCount() + managers.pendingCount() + 2;
    if (room > EFFECTS_KEPT && room / 4 > needed) {
      try {
        effects = new ArrayList<>(needed);
        room = needed;
        return;
      } catch (OutOfMemoryError exhausted) {
        // the large one is kept
      }
    }
    effects.clear();
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
    Registration registration = registrations.get(effect.client());
    if (registration != null) { // otherwise the client has ended, or has its sink elsewhere
      registration.sink.accept(effect);
    }
  }

  /** A registered client, and a link of {@link #ending}. */
  private static final class Registration {
    final EndClient end;
    final Consumer<LockEffect> sink;
    final @Nullable Consumer<Throwable> onLost;
    final AtomicBoolean isEnding = new AtomicBoolean();

    /** Written before the registration is linked. */
    @Nullable Registration next;

    Registration(EndClient end, Consumer<LockEffect> sink, @Nullable Consumer<Throwable> onLost) {
      this.end = end;
      this.sink = sink;
      this.onLost = onLost;
    }
  }
}
