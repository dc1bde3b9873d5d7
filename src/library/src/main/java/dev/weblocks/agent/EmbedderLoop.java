package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The driver of the one event loop of an agent in a context of the embedder. The loop runs on an
 * executor, or when the embedder calls {@link #runOne()} or a deterministic driver of the user
 * agent schedules a turn. Everything else is delegated to the driver of the user agent.
 */
public final class EmbedderLoop implements Driver {

  /** The maximum number of consecutive turns before the thread is returned to the executor. */
  private static final int BATCH = 64;

  /** The delay of the first retry of a refused turn or failed submission; later delays double. */
  private static final long FIRST_RETRY_NANOS = 500_000;

  private static final long LAST_RETRY_NANOS = 50_000_000;

  private final Driver parent;
  private final Clock clock;
  private final @Nullable Executor executor;
  private final Runnable onWork;
  private final Runnable onRejected;
  private final Consumer<Throwable> onFailure;
  private final BooleanSupplier isCalledByScript;
  private final BooleanSupplier wasRefused;
  private final AtomicReference<@Nullable EmbedderLane> lane = new AtomicReference<>();
  private final Object signalLock = new Object();
  private long signals;

  /**
   * @param executor runs the loop; null if the embedder runs it
   * @param onWork called on any thread when there is work or another deadline, if the embedder runs
   *     the loop; must not throw
   * @param onRejected called when the executor rejects the loop, which then never runs again
   * @param onFailure called with any other exception of the executor, except stack overflows and
   *     exceptions during retries; must not throw
   * @param isCalledByScript whether script of the embedder is on the stack of this thread
   * @param wasRefused whether the last turn found another thread in the context
   */
  public EmbedderLoop(
      Driver parent,
      Clock clock,
      @Nullable Executor executor,
      Runnable onWork,
      Runnable onRejected,
      Consumer<Throwable> onFailure,
      BooleanSupplier isCalledByScript,
      BooleanSupplier wasRefused) {
    this.parent = parent;
    this.clock = clock;
    this.executor = executor;
    this.onWork = onWork;
    this.onRejected = onRejected;
    this.onFailure = onFailure;
    this.isCalledByScript = isCalledByScript;
    this.wasRefused = wasRefused;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public RealTimeDelays delays() {
    return parent.delays();
  }

  @Override
  public int parallelism() {
    return parent.parallelism();
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    EmbedderLane made =
        executor == null ? new DrivenLane(actor, kind) : new ExecutorLane(actor, executor);
    if (!lane.compareAndSet(null, made)) {
      throw new IllegalStateException(
          "this driver already runs an event loop; create one driver for each event loop");
    }
    return made;
  }

  /** Returns whether a deterministic driver schedules the turns and provides the clock. */
  public boolean isScheduled() {
    return executor == null && parent.isDeterministic() && clock == parent.clock();
  }

  @Override
  public boolean isDeterministic() {
    return isScheduled();
  }

  @Override
  public boolean needsCaller() {
    return executor == null;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    parent.runBlocking(label, work);
  }

  @Override
  public void pause(CompletableFuture<?> until) throws InterruptedException {
    parent.pause(until);
  }

  /** Does nothing: the loop ends with its agent. */
  @Override
  public void close() {}

  private EmbedderLane lane() {
    EmbedderLane attached = lane.get();
    if (attached == null) {
      throw new IllegalStateException(
          "no event loop is attached to this driver yet; attach one first");
    }
    return attached;
  }

  /**
   * Runs one turn. One thread at a time.
   *
   * @return false if there was nothing to run, or the context could not be entered
   */
  public boolean runOne() {
    return lane() instanceof DrivenLane driven ? driven.runTurn() : lane().actor.runTurn();
  }

  /** Returns the time of the next timer by the clock; {@link Actor#NEVER} if there is none. */
  public long nextDeadline() {
    return lane().actor.nextDeadline();
  }

  /** Returns the number of signals so far, for {@link #awaitSignalAfter}. */
  public long signals() {
    synchronized (signalLock) {
      return signals;
    }
  }

  /** Wakes all threads in {@link #awaitSignalAfter}. Callable on any thread. */
  public void signal() {
    synchronized (signalLock) {
      signals++;
      signalLock.notifyAll();
    }
  }

  /**
   * Waits until {@link #signals()} differs from {@code seen}, at most {@code nanos} (positive) of
   * real time. Returns whether the two differ.
   */
  public boolean awaitSignalAfter(long seen, long nanos) throws InterruptedException {
    synchronized (signalLock) {
      if (signals == seen) {
        TimeUnit.NANOSECONDS.timedWait(signalLock, nanos);
      }
      return signals != seen;
    }
  }

  private abstract static sealed class EmbedderLane implements Lane {
    final Actor actor;

    EmbedderLane(Actor actor) {
      this.actor = actor;
    }
  }

  private final class DrivenLane extends EmbedderLane {
    /** The lane of this actor in the deterministic driver; null without such a driver. */
    private final @Nullable Lane scheduled;

    private volatile boolean inTurn;

    /** Whether the last turn found another thread in the context; cleared by the next wake. */
    private volatile boolean shutOut;

    private volatile boolean detached;

    DrivenLane(Actor actor, Kind kind) {
      super(actor);
      this.scheduled = isScheduled() ? parent.attach(new ScheduledActor(this), kind) : null;
    }

    boolean runTurn() {
      long before = actor.nextDeadline();
      inTurn = true;
      try {
        boolean ran = actor.runTurn();
        shutOut = !ran && wasRefused.getAsBoolean();
        return ran;
      } finally {
        inTurn = false;
        long deadline = actor.nextDeadline();
        if (deadline != before && deadline != Actor.NEVER) {
          onWork.run(); // another thread may wait for a later one
        }
      }
    }

    /**
     * Returns whether no turn may begin: during a turn, inside script that the embedder runs, or
     * after a refused turn until the next wake.
     */
    boolean isBusy() {
      return inTurn || shutOut || isCalledByScript.getAsBoolean();
    }

    @Override
    public void wake() {
      if (!detached) {
        shutOut = false;
        signal();
        if (scheduled != null) {
          scheduled.wake();
        }
        onWork.run();
      }
    }

    @Override
    public void detach() {
      detached = true;
      signal();
      if (scheduled != null) {
        scheduled.detach();
      }
    }
  }

  /** The actor that a deterministic driver runs; it begins no turn while the lane is busy. */
  private record ScheduledActor(DrivenLane lane) implements Actor {
    @Override
    public String name() {
      return lane.actor.name();
    }

    @Override
    public String nextStep() {
      return lane.actor.nextStep();
    }

    @Override
    public boolean runTurn() {
      return !lane.isBusy() && lane.runTurn();
    }

    @Override
    public boolean hasWork() {
      return !lane.isBusy() && lane.actor.hasWork();
    }

    @Override
    public long nextDeadline() {
      return lane.isBusy() ? NEVER : lane.actor.nextDeadline();
    }
  }

  /** A lane that is submitted to the executor at most once at a time. */
  private final class ExecutorLane extends EmbedderLane implements Runnable {
    private final Executor executor;
    private final LaneState state = new LaneState();

    // while running only
    private long retryNanos = FIRST_RETRY_NANOS;

    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> alarm =
        new AtomicReference<>();

    ExecutorLane(Actor actor, Executor executor) {
      super(actor);
      this.executor = executor;
    }

    @Override
    public void wake() {
      if (state.wake()) {
        submit(0);
      }
    }

    /**
     * Submits this QUEUED lane {@code waited} nanoseconds after the last attempt; 0 at the first.
     */
    private void submit(long waited) {
      try {
        execute();
      } catch (RejectedExecutionException closed) {
        onRejected.run();
      } catch (RuntimeException | Error failure) {
        submitLater(Math.clamp(2 * waited, FIRST_RETRY_NANOS, LAST_RETRY_NANOS));
        if (waited == 0 && !(failure instanceof StackOverflowError)) { // script causes the latter
          onFailure.accept(failure);
        }
      }
    }

    /**
     * Passes this to the executor.
     *
     * @throws IllegalStateException if the executor runs it on this thread: script may be on the
     *     stack, and a task must not begin inside another one
     */
    private void execute() {
      if (!Handover.submit(executor, this)) {
        throw new IllegalStateException(
            "the executor ran a task on the submitting thread; use one that never does");
      }
    }

    private void submitLater(long nanos) {
      try {
        after(
            nanos,
            () -> {
              if (state.isQueued()) {
                submit(nanos);
              } else {
                wake(); // the executor ran it despite the exception, and this replaced a timer
              }
            });
      } catch (RuntimeException | Error exhausted) {
        state.giveUpQueueing();
      }
    }

    /** Runs steps after a delay unless the lane is detached before; replaces the previous alarm. */
    private void after(long nanos, Runnable steps) {
      CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
      setAlarm(next);
      delays().completeOnTimeout(next, nanos);
      next.thenRun(steps);
      if (state.isDetached()) { // detached meanwhile: nothing else cancels it
        setAlarm(null);
      }
    }

    @Override
    public void detach() {
      state.detach();
      setAlarm(null);
    }

    private void setAlarm(@Nullable CompletableFuture<@Nullable Void> next) {
      CompletableFuture<@Nullable Void> before = alarm.getAndSet(next);
      if (before != null) {
        before.cancel(false);
      }
    }

    @Override
    public void run() {
      if (!state.beginRun()) {
        return;
      }
      boolean more = true;
      try {
        for (int i = 0; more && i < BATCH && !state.isDetached(); i++) {
          more = actor.runTurn();
        }
        if (!more) {
          more = true; // if the alarm cannot be set, it is set after another turn
          waitForWhatIsNext();
          more = false;
        } else {
          retryNanos = FIRST_RETRY_NANOS;
        }
      } finally {
        if (state.endRun(more)) {
          submit(0);
        }
      }
    }

    /** Sets the alarm for the next timer or, if the turn was refused, for a retry. */
    private void waitForWhatIsNext() {
      long deadline = actor.nextDeadline();
      long nanos = deadline == Actor.NEVER ? Actor.NEVER : deadline - clock.nanoTime();
      if (actor.hasWork() || nanos <= 0) {
        nanos = retryNanos;
        retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
      } else {
        retryNanos = FIRST_RETRY_NANOS;
      }
      if (nanos == Actor.NEVER) {
        setAlarm(null);
        return;
      }
      after(nanos, this::wake);
    }
  }
}
