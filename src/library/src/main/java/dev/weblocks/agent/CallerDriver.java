package dev.weblocks.agent;

import static java.lang.System.Logger.Level.ERROR;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A driver that runs agents on threads of the embedder, only while these threads call the driver.
 * Several threads may drive at once; an agent still runs one turn at a time. While an agent pauses,
 * its thread runs turns of other agents above it on the stack. The paused agent continues, or ends,
 * when these turns are over.
 */
public final class CallerDriver implements Driver {

  private final Clock clock;
  private final RealTimeDelays delays = new RealTimeDelays();
  private final @Nullable Runnable onWork;
  private final List<CallerLane> lanes = new CopyOnWriteArrayList<>();
  private final List<Runnable> blockingWork = new ArrayList<>();
  private final Object signalLock = new Object();
  private long signals;
  private volatile boolean closed;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * @param onWork called on any thread when an agent may have new work or an earlier deadline; must
   *     not run agents itself, only arrange for {@link #runOne()} to be called soon; null for none
   */
  public CallerDriver(Clock clock, @Nullable Runnable onWork) {
    this.clock = clock;
    this.onWork = onWork;
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
  public boolean needsCaller() {
    return true;
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    if (kind == Kind.PARALLEL_QUEUE) {
      // of the JDK, because the threads that run this driver may all wait for a lock
      return new CombiningLane(actor, new CompletableFuture<Void>().defaultExecutor());
    }
    CallerLane lane = new CallerLane(actor);
    lanes.add(lane);
    return lane;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    boolean late;
    synchronized (blockingWork) {
      late = closed;
      if (!late) {
        blockingWork.add(work);
      }
    }
    if (late) {
      work.run(); // no other thread will run it, and it may be the end of an agent
    } else {
      announce();
    }
  }

  private void announce() {
    signal();
    if (onWork != null) {
      try {
        onWork.run();
      } catch (RuntimeException | Error failure) {
        System.getLogger("dev.weblocks")
            .log(
                ERROR,
                "onWork of the caller-driven driver threw; the event loop keeps running",
                failure);
      }
    }
  }

  /** Pauses the agent; this thread drives other agents meanwhile. */
  @Override
  public void pause(CompletableFuture<?> until) throws InterruptedException {
    until.whenComplete((value, failure) -> signal());
    while (!until.isDone()) {
      long seen = signals();
      if (!runOne() && !until.isDone()) {
        awaitSignalAfter(seen);
      }
    }
  }

  private void signal() {
    synchronized (signalLock) {
      signals++;
      signalLock.notifyAll();
    }
  }

  private long signals() {
    synchronized (signalLock) {
      return signals;
    }
  }

  /** Waits until {@link #signals()} differs from {@code seen}, or the next timer is due. */
  private void awaitSignalAfter(long seen) throws InterruptedException {
    long deadline = nextDeadline();
    synchronized (signalLock) {
      while (signals == seen) {
        if (deadline == Actor.NEVER) {
          signalLock.wait();
        } else {
          long nanos = deadline - clock.nanoTime();
          if (nanos <= 0) {
            return;
          }
          TimeUnit.NANOSECONDS.timedWait(signalLock, nanos + 1);
        }
      }
    }
  }

  /**
   * Runs one turn of the next agent that has work, round robin, or one {@link #runBlocking} action.
   *
   * @return false if there is nothing to run
   */
  public boolean runOne() {
    if (closed) {
      return false;
    }
    Runnable work = null;
    synchronized (blockingWork) {
      if (!blockingWork.isEmpty()) {
        work = blockingWork.remove(0);
      }
    }
    if (work != null) {
      work.run();
      return true;
    }
    int count = lanes.size();
    int start = next.getAndIncrement();
    for (int i = 0; i < count; i++) {
      CallerLane lane;
      try {
        lane = lanes.get(Math.floorMod(start + i, count));
      } catch (IndexOutOfBoundsException shrunk) {
        continue;
      }
      if (lane.tryTurn()) {
        return true;
      }
    }
    return false;
  }

  /** Runs turns until no agent has work that is due now; returns the number of turns. */
  public int runUntilIdle() {
    int turns = 0;
    while (runOne()) {
      turns++;
    }
    return turns;
  }

  /**
   * Returns the time of the next timer by {@link Clock#nanoTime()}; {@link Actor#NEVER} if there is
   * none. Ignores agents that run a turn; when such a turn ends, {@code onWork} is called if a
   * timer is left. Callable on any thread.
   */
  public long nextDeadline() {
    long earliest = Actor.NEVER;
    for (CallerLane lane : lanes) {
      if (lane.runner != Thread.currentThread() // an agent paused here gets no turn now
          && !lane.isRunning()) {
        earliest = Math.min(earliest, lane.actor.nextDeadline());
      }
    }
    return earliest;
  }

  @Override
  public void close() {
    List<Runnable> rest;
    synchronized (blockingWork) {
      closed = true;
      rest = List.copyOf(blockingWork);
      blockingWork.clear();
    }
    rest.forEach(Runnable::run);
    lanes.clear();
  }

  private final class CallerLane implements Lane {
    private final Actor actor;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean turnedAway;
    private volatile @Nullable Thread runner;
    private volatile boolean detached;

    CallerLane(Actor actor) {
      this.actor = actor;
    }

    /** Returns whether a turn runs; its end calls {@code onWork} if work or a timer is left. */
    boolean isRunning() {
      if (running.get()) {
        turnedAway = true;
      }
      return running.get();
    }

    boolean tryTurn() {
      if (!running.compareAndSet(false, true)) {
        // Set the flag, then retry: either the current turn sees it at its end, or it is over.
        turnedAway = true;
        if (!running.compareAndSet(false, true)) {
          return false;
        }
      }
      long before = actor.nextDeadline();
      runner = Thread.currentThread();
      try {
        return !detached && actor.runTurn();
      } finally {
        runner = null;
        running.set(false);
        boolean missed = turnedAway;
        turnedAway = false;
        long deadline = actor.nextDeadline();
        if ((missed && actor.hasWork()) // the thread that was woken for this work has left
            || (deadline != Actor.NEVER && (missed || deadline != before))) {
          announce();
        }
      }
    }

    @Override
    public void wake() {
      announce();
    }

    @Override
    public void detach() {
      detached = true;
      lanes.remove(this);
    }
  }
}
