package dev.weblocks.agent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The count of everything pending in a user agent: actors that have work or a timer, agents that
 * are ending, and external operations in flight, such as a fetch. Zero means idle. Thread-safe.
 *
 * <p>An activity that causes another one stays counted until the caused one is counted. So the
 * count does not drop to zero in between.
 */
public final class Activity {

  private final AtomicInteger going = new AtomicInteger();
  private final LongAdder tasks = new LongAdder();

  /** A future of {@link #rest()}. Futures are linked, so that no removal allocates. */
  private static final class Rest extends CompletableFuture<Void> {
    @Nullable Rest next;
  }

  /** The first and the last incomplete future; guarded by this. */
  private @Nullable Rest first;

  private @Nullable Rest last;

  private final String actorPrefix;

  Activity() {
    this("");
  }

  /**
   * Creates a count of zero.
   *
   * @param actorPrefix the prefix of the names of attached actors
   */
  Activity(String actorPrefix) {
    this.actorPrefix = actorPrefix;
  }

  /** Counts a task that an event loop runs. */
  void taskRuns() {
    tasks.increment();
  }

  /** Returns the number of tasks that the event loops have run; approximate while they run. */
  public long tasks() {
    return tasks.sum();
  }

  /** Counts an activity until {@link #end()} is called. */
  public void begin() {
    going.incrementAndGet();
  }

  /**
   * Ends an activity begun by {@link #begin()}. The caller first counts the activities that this
   * end causes.
   */
  public void end() {
    if (going.decrementAndGet() == 0) {
      completeRest();
    }
  }

  /**
   * Returns a new future that completes with null when nothing is pending. It is already complete
   * on return if nothing is pending now.
   */
  public CompletableFuture<Void> rest() {
    Rest rest = new Rest();
    synchronized (this) {
      if (going.get() != 0) {
        if (last == null) {
          first = rest;
        } else {
          last.next = rest;
        }
        last = rest;
        return rest;
      }
    }
    rest.complete(null);
    return rest;
  }

  /**
   * Completes the futures of {@link #rest()} if the count is zero now. The count may have changed
   * since the caller read it.
   */
  private void completeRest() {
    Rest rest;
    synchronized (this) {
      if (going.get() != 0) {
        return;
      }
      rest = first;
      first = null;
      last = null;
    }
    while (rest != null) {
      Rest next = rest.next;
      rest.complete(null);
      rest = next;
    }
  }

  /** Attaches an actor to a driver and counts the actor while it has work or a timer. */
  Driver.Lane attach(Driver driver, Actor actor, Driver.Kind kind) {
    WatchedLane watched = new WatchedLane(actor, driver.isDeterministic());
    watched.lane = driver.attach(watched, kind);
    return watched;
  }

  /** A wrapper between an actor and its driver that keeps the count up to date. */
  private final class WatchedLane implements Actor, Driver.Lane {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int LOOKING = 2;
    private static final int DETACHED = 3;

    private final Actor actor;

    /** Whether to check for work after each turn, not only after a turn without work. */
    private final boolean lookAfterEachTurn;

    /** The state of this lane; the lane is counted unless the state is IDLE or DETACHED. */
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
          begin(); // before another thread can end it
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
      return actorPrefix.isEmpty() ? actor.name() : actorPrefix + actor.name();
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

    /**
     * Stops counting the lane if it has no work and no timer. If work arrives meanwhile, the lane
     * stays counted.
     */
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
