package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether anything can still happen in a user agent by itself: an actor has work or a timer,
 * an agent is ending, or something outside, such as a fetch, will come back. Any thread.
 *
 * <p>One number counts all of these. It never touches zero too early: whoever causes something new
 * is counted until that is counted too.
 */
public final class Activity {

  private final AtomicInteger going = new AtomicInteger();
  private final LongAdder tasks = new LongAdder();

  /** Guarded by itself. */
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  Activity() {}

  /** An event loop takes a task. */
  void taskRuns() {
    tasks.increment();
  }

  /** How many tasks the event loops have run so far, roughly while they run. */
  public long tasks() {
    return tasks.sum();
  }

  /** Something begins that ends by {@link #end()} and not by any turn. */
  public void begin() {
    going.incrementAndGet();
  }

  /** Ends what {@link #begin()} began, after all that follows from its end was caused. */
  public void end() {
    if (going.decrementAndGet() == 0) {
      tellRest();
    }
  }

  /**
   * Completes, with null, at the next moment at which nothing is going on; before this returns if
   * that is now. Each call gives a future of its own.
   */
  public CompletableFuture<Void> rest() {
    CompletableFuture<Void> rest = new CompletableFuture<>();
    synchronized (waiting) {
      waiting.add(rest);
    }
    tellRest();
    return rest;
  }

  /** Looks again: whoever waits may have begun to after the moment of rest that led here. */
  private void tellRest() {
    List<CompletableFuture<Void>> told;
    synchronized (waiting) {
      if (going.get() != 0) {
        return;
      }
      told = List.copyOf(waiting);
      waiting.clear();
    }
    told.forEach(rest -> rest.complete(null));
  }

  /** Attaches an actor to a driver and counts it while it has anything to do. */
  Driver.Lane attach(Driver driver, Actor actor, Driver.Kind kind) {
    boolean isAsked =
        driver instanceof DeterministicDriver
            || (driver instanceof BorrowedLoop loop && loop.isScheduled());
    WatchedLane watched = new WatchedLane(actor, isAsked);
    watched.lane = driver.attach(watched, kind);
    return watched;
  }

  /** Stands between an actor and its driver. */
  private final class WatchedLane implements Actor, Driver.Lane {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int LOOKING = 2;
    private static final int DETACHED = 3;

    private final Actor actor;

    /** A driver that asks before each turn gives none that finds nothing. */
    private final boolean lookAfterEachTurn;

    /** Counted unless it is idle or detached. */
    private final AtomicInteger state = new AtomicInteger(IDLE);

    private Driver.@Nullable Lane lane;

    WatchedLane(Actor actor, boolean lookAfterEachTurn) {
      this.actor = actor;
      this.lookAfterEachTurn = lookAfterEachTurn;
    }

    @Override
    public void wake() {
      int now = state.get();
      while (now == IDLE || now == LOOKING) {
        if (now == IDLE) {
          begin(); // before anybody can end it
        }
        if (state.compareAndSet(now, BUSY)) {
          break;
        }
        if (now == IDLE) {
          end();
        }
        now = state.get();
      }
      if (lane != null) {
        lane.wake();
      }
    }

    @Override
    public void detach() {
      if (lane != null) {
        lane.detach();
      }
      int before = state.getAndSet(DETACHED);
      if (before == BUSY || before == LOOKING) {
        end();
      }
    }

    @Override
    public String name() {
      return actor.name();
    }

    @Override
    public String nextStep() {
      return actor.nextStep();
    }

    @Override
    public boolean runTurn() {
      boolean more = false;
      try {
        more = actor.runTurn();
        return more;
      } finally {
        if (!more || lookAfterEachTurn) {
          look();
        }
      }
    }

    @Override
    public void workedOff() {
      look();
    }

    /** What arrives after the look has begun wakes the lane, and so undoes what is found. */
    private void look() {
      if (!state.compareAndSet(BUSY, LOOKING)) {
        return;
      }
      if (actor.hasWork() || actor.nextDeadline() != NEVER) {
        state.compareAndSet(LOOKING, BUSY);
      } else if (state.compareAndSet(LOOKING, IDLE)) {
        end();
      }
    }

    @Override
    public boolean hasWork() {
      return actor.hasWork();
    }

    @Override
    public long nextDeadline() {
      return actor.nextDeadline();
    }
  }
}
