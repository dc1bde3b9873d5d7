package dev.weblocks.agent;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The count of everything pending in a user agent: {@linkplain Actor#isActive active} actors,
 * agents that are ending, and external operations in flight, such as a fetch. Zero means idle.
 * Thread-safe.
 *
 * <p>An activity that causes another one stays counted until the caused one is counted. So the
 * count does not drop to zero in between.
 */
public final class Activity {

  /** The unit of activities that go on only while a caller runs a driver. */
  private static final long BY_CALLER = 1L << 32;

  /** The sum of the units: 1 for each activity that goes on by itself, else BY_CALLER. */
  private final AtomicLong going = new AtomicLong();

  private final List<Runnable> onStandstill = new CopyOnWriteArrayList<>();

  private final LongAdder tasks = new LongAdder();

  /** A future of {@link #rest()}. Futures are linked, so that no removal allocates. */
  private static final class Rest extends CompletableFuture<Void> {
    @Nullable Rest next;
  }

  /** The first and the last incomplete future; guarded by this. */
  private @Nullable Rest first;

  private @Nullable Rest last;

  private final String actorPrefix;
  private final Consumer<Throwable> onLost;

  Activity() {
    this("", failure -> {});
  }

  /**
   * Creates a count of zero.
   *
   * @param actorPrefix the prefix of the names of attached actors
   * @param onLost gets the failure of a driver that has lost an actor
   */
  Activity(String actorPrefix, Consumer<Throwable> onLost) {
    this.actorPrefix = actorPrefix;
    this.onLost = onLost;
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
    begin(1);
  }

  /** Counts an activity that {@code driver} runs, until {@link #end(Driver)} is called. */
  public void begin(Driver driver) {
    begin(unit(driver));
  }

  private void begin(long unit) {
    going.addAndGet(unit);
  }

  private static long unit(Driver driver) {
    return driver.needsCaller() ? BY_CALLER : 1;
  }

  /**
   * Ends an activity begun by {@link #begin()}. The caller first counts the activities that this
   * end causes.
   */
  public void end() {
    end(1);
  }

  /** Ends an activity begun by {@link #begin(Driver)}, like {@link #end()}. */
  public void end(Driver driver) {
    end(unit(driver));
  }

  private void end(long unit) {
    long now = going.addAndGet(-unit);
    if (now == 0) {
      completeRest();
    }
    if (unit == 1 && (int) now == 0) {
      onStandstill.forEach(Runnable::run);
    }
  }

  /**
   * Returns whether an activity goes on although no caller runs a driver. Not for user agents with
   * a deterministic driver, which also takes part in activities that began outside of it.
   */
  public boolean goesOnByItself() {
    return going.intValue() != 0;
  }

  /**
   * Adds an action that runs when {@link #goesOnByItself()} may have become false, on any thread;
   * it must not throw.
   */
  public void onStandstill(Runnable action) {
    onStandstill.add(action);
  }

  /** Removes an action of {@link #onStandstill}. */
  public void removeOnStandstill(Runnable action) {
    onStandstill.remove(action);
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

  /** Attaches an actor to a driver and counts the actor while it is active. */
  Driver.Lane attach(Driver driver, Actor actor, Driver.Kind kind) {
    WatchedLane watched =
        new WatchedLane(
            actor, driver.isDeterministic(), kind == Driver.Kind.EVENT_LOOP ? unit(driver) : 1);
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

    private final long unit;

    /** The state of this lane; the lane is counted unless the state is IDLE or DETACHED. */
    private final AtomicInteger state = new AtomicInteger(IDLE);

    private Driver.@Nullable Lane lane;

    WatchedLane(Actor actor, boolean lookAfterEachTurn, long unit) {
      this.actor = actor;
      this.unit = unit;
      this.lookAfterEachTurn = lookAfterEachTurn;
    }

    @Override
    public void wake() {
      int now = state.get();
      while (now == IDLE || now == LOOKING) {
        if (now == IDLE) {
          begin(unit); // before another thread can end it
        }
        if (state.compareAndSet(now, BUSY)) {
          break;
        }
        if (now == IDLE) {
          end(unit);
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
        end(unit);
      }
    }

    @Override
    public void isLost(Throwable failure) {
      onLost.accept(failure);
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
     * Stops counting the lane if its actor is not active. If work arrives meanwhile, the lane stays
     * counted.
     */
    private void look() {
      if (!state.compareAndSet(BUSY, LOOKING)) {
        return;
      }
      if (actor.isActive()) {
        state.compareAndSet(LOOKING, BUSY);
      } else if (state.compareAndSet(LOOKING, IDLE)) {
        end(unit);
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
