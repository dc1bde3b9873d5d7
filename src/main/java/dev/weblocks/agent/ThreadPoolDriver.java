package dev.weblocks.agent;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs any number of agents on a bounded pool of threads, in real time.
 *
 * <p>A lane is an actor in the classical sense: it is queued to the pool at most once, runs a batch
 * of turns there and goes back to the end of the queue, so a busy agent delays others by a batch,
 * not for ever. An agent that never returns keeps one thread until it is terminated.
 */
public final class ThreadPoolDriver implements Driver {

  /** The interpreter needs deep stacks: a megabyte holds only some hundred script frames. */
  private static final long STACK_BYTES = 16L << 20;

  /** For ends that need no waiting, while each thread of the pool is in the way of another one. */
  private static final int SPARE_REAPERS = 2;

  /** Turns that a lane may take before others get the thread. */
  private static final int BATCH = 64;

  private final Clock clock;
  private final ThreadPoolExecutor pool;
  private final ExecutorService blocking;
  private final ScheduledThreadPoolExecutor timer;
  private volatile boolean closed;

  /**
   * @param threads how many agents run script at the same time, at least 1
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public ThreadPoolDriver(int threads) {
    this(threads, new SystemClock());
  }

  ThreadPoolDriver(int threads, Clock clock) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + "; use at least 1");
    }
    this.clock = clock;
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemonThreads("weblocks-agent-"));
    this.blocking = reapers(threads + SPARE_REAPERS);
    this.timer = new ScheduledThreadPoolExecutor(1, daemonThreads("weblocks-timer-"));
    this.timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * Few threads, however many agents end at once: an idle agent ends in no time, and no more than
   * run can keep a thread waiting. Whoever hears of an end and waits there for another one gets the
   * pool a further thread, as only this kind of pool does.
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

  private static ThreadFactory daemonThreads(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(null, work, prefix + count.incrementAndGet(), STACK_BYTES);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public int parallelism() {
    return pool.getMaximumPoolSize();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    return kind == Kind.PARALLEL_QUEUE ? new CombiningLane(actor) : new PooledLane(actor);
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    try {
      blocking.execute(work);
    } catch (RejectedExecutionException closed) {
      work.run(); // late, but an agent must not be left without its end
    }
  }

  /** Another thread stands in for the one that waits: what it waits for may need a turn. */
  @Override
  public void pause(CompletableFuture<?> until) throws InterruptedException {
    resize(1);
    try {
      until.get();
    } catch (ExecutionException | CancellationException done) {
      // done all the same
    } finally {
      resize(-1);
    }
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

  /** How many lanes wait for a deadline. */
  int armedTimers() {
    return timer.getQueue().size();
  }

  private final class PooledLane implements Lane, Runnable {
    private static final int IDLE = 0;
    private static final int QUEUED = 1;
    private static final int RUNNING = 2;
    private static final int RUNNING_AND_WOKEN = 3;
    private static final int DETACHED = 4;

    private final Actor actor;
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final AtomicLong timerDeadline = new AtomicLong(Actor.NEVER);
    private volatile @Nullable ScheduledFuture<?> pendingTimer;

    PooledLane(Actor actor) {
      this.actor = actor;
    }

    @Override
    public void wake() {
      while (true) {
        int now = state.get();
        switch (now) {
          case IDLE -> {
            if (state.compareAndSet(IDLE, QUEUED)) {
              submit();
              return;
            }
          }
          case RUNNING -> {
            if (state.compareAndSet(RUNNING, RUNNING_AND_WOKEN)) {
              return;
            }
          }
          default -> {
            return;
          }
        }
      }
    }

    private void submit() {
      try {
        pool.execute(this);
      } catch (RejectedExecutionException closed) {
        state.set(DETACHED);
      }
    }

    @Override
    public void detach() {
      state.set(DETACHED);
      cancelPendingTimer();
    }

    private void cancelPendingTimer() {
      ScheduledFuture<?> timerTask = pendingTimer;
      if (timerTask != null) {
        timerTask.cancel(false);
      }
    }

    @Override
    public void run() {
      if (!state.compareAndSet(QUEUED, RUNNING)) {
        return;
      }
      boolean more = true;
      try {
        for (int i = 0; more && i < BATCH && state.get() != DETACHED && !closed; i++) {
          more = actor.runTurn();
        }
        if (!more) {
          armTimer(actor.nextDeadline());
        }
      } finally {
        // a turn that throws goes to the handler of the thread, and the actor goes on
        if (more || !state.compareAndSet(RUNNING, IDLE)) {
          queueAgain();
        }
      }
    }

    private void queueAgain() {
      int now = state.get();
      while (now != DETACHED && !state.compareAndSet(now, QUEUED)) {
        now = state.get();
      }
      if (now != DETACHED) {
        submit();
      }
    }

    private void armTimer(long deadline) {
      if (deadline == timerDeadline.get()) {
        return;
      }
      timerDeadline.set(deadline);
      ScheduledFuture<?> previous = pendingTimer;
      if (previous != null) {
        previous.cancel(false);
        pendingTimer = null;
      }
      if (deadline == Actor.NEVER) {
        return;
      }
      long delay = Math.max(0, deadline - clock.nanoTime());
      try {
        pendingTimer =
            timer.schedule(
                () -> {
                  timerDeadline.compareAndSet(deadline, Actor.NEVER);
                  wake();
                },
                delay,
                TimeUnit.NANOSECONDS);
        if (state.get() == DETACHED) { // meanwhile: nobody else will take it back
          cancelPendingTimer();
        }
      } catch (RejectedExecutionException closed) {
        state.set(DETACHED);
      }
    }
  }
}
