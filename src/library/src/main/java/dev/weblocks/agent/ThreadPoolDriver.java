package dev.weblocks.agent;

import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A driver that runs any number of agents on a bounded pool of threads, in real time. A lane is
 * queued to the pool at most once, runs a batch of turns there and returns to the end of the queue.
 * So a busy agent delays others by one batch only. An agent whose turn never ends keeps one thread
 * until the agent is terminated.
 *
 * <p>A turn may wake a lane, as when one agent passes a lock to the next. The lane waits for the
 * thread of that turn, because waking another thread would take longer than most turns. If that
 * thread does not run the lane soon, the lane is queued to the pool after all.
 */
public final class ThreadPoolDriver implements Driver {

  /** The stack size of a thread: a megabyte holds only a few hundred interpreted script frames. */
  private static final long STACK_BYTES = 16L << 20;

  /** The number of reapers (threads that end agents) in addition to one per pool thread. */
  private static final int SPARE_REAPERS = 2;

  /** The maximum total of turns of a lane and the lanes that it wakes, before other lanes run. */
  private static final int BATCH = 64;

  /** The check period for woken lanes: a lane not yet run is queued after one to two periods. */
  private static final long PATIENCE_NANOS = 250_000;

  private final Clock clock;
  private final RealTimeDelays delays = new RealTimeDelays();
  private final ThreadPoolExecutor pool;
  private final ExecutorService blocking;
  private final ScheduledThreadPoolExecutor timer;
  private volatile boolean closed;

  private final Set<WorkerSlot> slots = ConcurrentHashMap.newKeySet();

  private final ThreadLocal<@Nullable WorkerSlot> slot = new ThreadLocal<>();

  /** Whether the timer is set that checks the lanes waiting for the thread that woke them. */
  private final AtomicBoolean lookingAfter = new AtomicBoolean();

  /**
   * @param threads how many agents run script at the same time, at least 1
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public ThreadPoolDriver(int threads) {
    this(threads, new SystemClock());
  }

  ThreadPoolDriver(int threads, Clock clock) {
    this(
        clock,
        new ThreadPoolExecutor(
            requirePositive(threads), threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()),
        reapers(threads + SPARE_REAPERS),
        new ScheduledThreadPoolExecutor(
            1, daemonThreads("weblocks-timer-", UnaryOperator.identity())));
    pool.setThreadFactory(daemonThreads("weblocks-agent-", this::withSlot));
  }

  /**
   * Creates a driver on the given executors.
   *
   * @param pool runs the lanes; its threads run inside {@link #withSlot}
   * @param blocking runs work that blocks
   */
  ThreadPoolDriver(
      Clock clock,
      ThreadPoolExecutor pool,
      ExecutorService blocking,
      ScheduledThreadPoolExecutor timer) {
    this.clock = clock;
    this.pool = pool;
    this.blocking = blocking;
    this.timer = timer;
    this.timer.setRemoveOnCancelPolicy(true);
  }

  private static int requirePositive(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + "; use at least 1");
    }
    return threads;
  }

  /**
   * Creates the pool that ends agents. A few threads suffice, however many agents end at once,
   * because only running agents block a thread. If a listener blocks until another agent has ended,
   * a {@link ForkJoinPool} adds a thread, unlike a {@link ThreadPoolExecutor}.
   */
  private static ExecutorService reapers(int threads) {
    AtomicInteger count = new AtomicInteger();
    return new ForkJoinPool(
        threads,
        pool -> {
          ForkJoinWorkerThread thread =
              ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
          thread.setName("weblocks-reaper-" + count.incrementAndGet());
          return thread;
        },
        null,
        /* asyncMode= */ true,
        /* corePoolSize= */ 0,
        /* maximumPoolSize= */ 4 * threads + 256,
        /* minimumRunnable= */ 1,
        saturated -> true,
        /* keepAliveTime= */ 1,
        TimeUnit.SECONDS);
  }

  /** Wraps the work of a pool thread: the thread gets a slot. */
  Runnable withSlot(Runnable work) {
    WorkerSlot own = new WorkerSlot();
    return () -> {
      slots.add(own);
      slot.set(own);
      try {
        work.run();
      } finally {
        slots.remove(own);
        slot.remove(); // the thread's exception handler, which runs later, may wake a lane
        own.giveAwayNext();
      }
    };
  }

  /**
   * Creates a factory whose threads have the context class loader of this thread, which makes the
   * driver. They inherit nothing from a later caller: it may be an application that ends before the
   * driver.
   */
  private static ThreadFactory daemonThreads(String prefix, UnaryOperator<Runnable> around) {
    AtomicInteger count = new AtomicInteger();
    ClassLoader ofMaker = Thread.currentThread().getContextClassLoader();
    return work -> {
      Thread thread =
          new Thread(
              null,
              around.apply(work),
              prefix + count.incrementAndGet(),
              STACK_BYTES,
              /* inheritThreadLocals= */ false);
      thread.setContextClassLoader(ofMaker);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public int parallelism() {
    return pool.getMaximumPoolSize();
  }

  @Override
  public int runningTurns() {
    return pool.getActiveCount() + pool.getQueue().size();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public RealTimeDelays delays() {
    return delays;
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    return kind == Kind.PARALLEL_QUEUE ? new CombiningLane(actor, timer) : new PooledLane(actor);
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    try {
      blocking.execute(work);
    } catch (RejectedExecutionException closed) {
      work.run(); // late, but it may be the end of an agent
    }
  }

  /** Pauses this thread; the pool gets another meanwhile, as a turn may complete the future. */
  @Override
  public void pause(CompletableFuture<?> until) throws InterruptedException {
    resize(1);
    WorkerSlot here = slot.get();
    if (here != null) {
      here.giveAwayNext();
    }
    try {
      until.get();
    } catch (ExecutionException | CancellationException done) {
      // the future is done
    } finally {
      resize(-1);
    }
  }

  @Override
  public void giveUpThread() {
    resize(1);
  }

  @Override
  public void threadIsBack() {
    resize(-1);
  }

  private void resize(int by) {
    synchronized (pool) {
      int size = pool.getCorePoolSize() + by;
      if (by > 0) {
        pool.setMaximumPoolSize(size);
        pool.setCorePoolSize(size);
      } else {
        pool.setCorePoolSize(size);
        pool.setMaximumPoolSize(size);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    timer.shutdownNow();
    pool.shutdown();
    blocking.shutdown();
  }

  /**
   * Sets the timer of {@link #lookingAfter}, so that no lane waits long behind a long turn.
   *
   * @throws OutOfMemoryError if there is no memory for it
   */
  private void lookAfterWaiting() {
    if (!closed && lookingAfter.compareAndSet(false, true)) {
      try {
        timer.schedule(this::lookAtSlots, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException closed) {
        // the lanes are detached
      }
    }
  }

  private void lookAtSlots() {
    lookingAfter.set(false);
    boolean again = false;
    for (WorkerSlot each : slots) {
      again |= each.look();
    }
    if (again) {
      lookAfterWaiting();
    }
  }

  /** The slot of a pool thread: holds the lane that the thread is to run next. */
  private final class WorkerSlot {
    /** The waiting lane: the first that the current turn has woken; null for none. */
    private final AtomicReference<@Nullable PooledLane> next = new AtomicReference<>();

    /** The number of lanes that this slot has accepted so far; changed only by its thread. */
    private volatile int taken;

    private int takenAtLastLook;

    /**
     * Accepts a lane to run next; returns false if the slot is taken. Called on the slot's thread.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread only
    boolean takeNext(PooledLane lane) {
      if (next.get() != null || !next.compareAndSet(null, lane)) {
        return false;
      }
      taken++;
      lookAfterWaiting();
      return true;
    }

    /**
     * Lets this thread run a lane next, unless there is one already; for a lane that this thread
     * has just run. Called on the slot's thread, which takes the next lane at once.
     */
    boolean keep(PooledLane lane) {
      return next.get() == null && next.compareAndSet(null, lane);
    }

    @Nullable PooledLane next() {
      return next.get() == null ? null : next.getAndSet(null);
    }

    void giveAwayNext() {
      PooledLane lane = next();
      if (lane != null) {
        lane.submit();
      }
    }

    /**
     * Returns whether a lane was accepted since the last check; if not, queues the waiting lane.
     */
    boolean look() {
      int now = taken;
      boolean stuck = now == takenAtLastLook;
      takenAtLastLook = now;
      if (stuck) {
        giveAwayNext();
      }
      return !stuck;
    }
  }

  int armedTimers() {
    return Math.max(0, timer.getQueue().size() - (lookingAfter.get() ? 1 : 0));
  }

  private final class PooledLane implements Lane, Runnable {
    private final Actor actor;
    private final LaneState state = new LaneState();
    private final AtomicLong timerDeadline = new AtomicLong(Actor.NEVER);
    private volatile @Nullable ScheduledFuture<?> pendingTimer;

    PooledLane(Actor actor) {
      this.actor = actor;
    }

    @Override
    public void wake() {
      try {
        WorkerSlot here = state.isIdle() ? slot.get() : null;
        if (state.wake() && (here == null || !here.takeNext(this))) {
          submit();
        }
      } catch (RuntimeException | Error exhausted) {
        actor.isLost(exhausted);
      }
    }

    /** Queues the lane, whose state is QUEUED. */
    private void submit() {
      try {
        pool.execute(this);
      } catch (RejectedExecutionException closed) {
        state.detach();
      } catch (RuntimeException | Error exhausted) {
        actor.isLost(exhausted);
      }
    }

    @Override
    public void detach() {
      state.detach();
      cancelPendingTimer();
    }

    private void cancelPendingTimer() {
      ScheduledFuture<?> timerTask = pendingTimer;
      if (timerTask != null) {
        timerTask.cancel(false);
        pendingTimer = null;
      }
    }

    @Override
    public void run() {
      WorkerSlot here = slot.get(); // null where there was no memory for one
      PooledLane lane = this;
      int left = BATCH;
      try {
        while (lane != null) {
          left -= lane.runTurns(left, here);
          if (left <= 0) {
            if (!pool.getQueue().isEmpty()) {
              break;
            }
            left = BATCH;
          }
          lane = here == null ? null : here.next();
        }
      } finally {
        if (here != null) {
          here.giveAwayNext();
        }
      }
    }

    private int runTurns(int atMost, @Nullable WorkerSlot here) {
      if (!state.beginRun()) {
        return 0;
      }
      boolean more = true;
      int turns = 0;
      try {
        while (more && turns < atMost && !state.isDetached() && !closed) {
          turns++;
          more = actor.runTurn();
        }
        if (!more) {
          armTimer(actor.nextDeadline());
        }
      } finally {
        // an exception of a turn goes to the handler of the thread, and the actor continues
        if (state.endRun(more)) {
          // another thread would have to wake up, and its caches know nothing of the agent
          if (here == null || closed || !pool.getQueue().isEmpty() || !here.keep(this)) {
            submit();
          }
        }
      }
      return turns;
    }

    private void armTimer(long deadline) {
      if (deadline == timerDeadline.get()) {
        return;
      }
      timerDeadline.set(Actor.NEVER);
      cancelPendingTimer();
      if (deadline == Actor.NEVER) {
        return;
      }
      try {
        long delay = Math.max(0, deadline - clock.nanoTime());
        timerDeadline.set(deadline);
        pendingTimer =
            timer.schedule(
                () -> {
                  timerDeadline.compareAndSet(deadline, Actor.NEVER);
                  wake();
                },
                delay,
                TimeUnit.NANOSECONDS);
        if (state.isDetached()) { // detached meanwhile: nothing else cancels it
          cancelPendingTimer();
        }
      } catch (RejectedExecutionException closed) {
        state.detach();
      } catch (RuntimeException | Error exhausted) {
        actor.isLost(exhausted);
      }
    }
  }
}
