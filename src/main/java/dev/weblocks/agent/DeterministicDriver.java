package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Runs everything on the calling thread, in an order that a {@link Schedule} decides, in virtual
 * time: the test bed. Which actor runs next is chosen among all that have work. A turn takes a
 * little virtual time, so that timers come due beside a busy loop, too; when nothing can run, the
 * clock jumps to the next timer. Not thread-safe: attach, wake and run on one thread.
 */
public final class DeterministicDriver implements Driver {

  /** How long a turn takes in virtual time if nobody says otherwise. */
  public static final long DEFAULT_TURN_NANOS = 1_000;

  private final List<ScheduledLane> lanes = new ArrayList<>();
  private final Schedule schedule;
  private final long turnNanos;
  private final VirtualClock clock;

  /** Turns since the last count began, and how many there may be. */
  private long turns;

  private long limit = Long.MAX_VALUE;

  /** Draws each turn from a seed; virtual time begins at the Unix epoch. */
  public DeterministicDriver(long seed) {
    this(Schedule.random(seed), DEFAULT_TURN_NANOS, 0);
  }

  /**
   * Has a schedule choose each turn.
   *
   * @param turnNanos how long a turn takes in virtual time; 0 for none, so that only timers move it
   * @param epochMillis what the wall clock shows at the start, in milliseconds since the Unix epoch
   * @throws IllegalArgumentException if {@code turnNanos} is negative
   */
  public DeterministicDriver(Schedule schedule, long turnNanos, double epochMillis) {
    if (turnNanos < 0) {
      throw new IllegalArgumentException("turnNanos is " + turnNanos + "; it must not be negative");
    }
    this.schedule = schedule;
    this.turnNanos = turnNanos;
    this.clock = new VirtualClock(epochMillis);
  }

  @Override
  public int parallelism() {
    return 1;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    ScheduledLane lane = new ScheduledLane(actor);
    lanes.add(lane);
    return lane;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    lanes.add(new ScheduledLane(new OneShot(label, work)));
  }

  /** What the future waits for is run here and now, by the same schedule. */
  @Override
  public void pause(CompletableFuture<?> until) {
    while (!until.isDone()) {
      if (!runOne() && !advanceToNextTimer(Actor.NEVER - 1)) {
        throw new IllegalStateException(
            "paused for ever: nothing is left that could end the pause");
      }
    }
  }

  /** Runs one turn now, without waiting for a timer; false when no actor has work. */
  public boolean runOne() {
    List<ScheduledLane> ready = new ArrayList<>();
    for (ScheduledLane lane : lanes) {
      if (!lane.inTurn && (lane.actor.hasWork() || lane.actor.nextDeadline() <= clock.now)) {
        ready.add(lane);
      }
    }
    if (ready.isEmpty()) {
      return false;
    }
    if (turns == limit) {
      throw new IllegalStateException(
          "still busy after " + limit + " turns; raise the bound or look for a loop");
    }
    turns++;
    ScheduledLane chosen = ready.get(choose(ready));
    chosen.inTurn = true; // until it returns: a pause inside it runs others only
    try {
      chosen.actor.runTurn();
    } finally {
      chosen.inTurn = false;
    }
    clock.now += turnNanos;
    if (chosen.actor instanceof OneShot) {
      chosen.detach();
    }
    return true;
  }

  private int choose(List<ScheduledLane> ready) {
    if (ready.size() == 1) {
      return 0;
    }
    List<Actor> actors = new ArrayList<>(ready.size());
    for (ScheduledLane lane : ready) {
      actors.add(lane.actor);
    }
    return Objects.checkIndex(schedule.choose(actors), actors.size());
  }

  /** Runs one turn, of the next timer if need be; false when nothing is left that could run. */
  public boolean step() {
    return runOne() || advanceToNextTimer(Actor.NEVER - 1) && runOne();
  }

  /**
   * Runs until nothing is left that could ever run, timers included.
   *
   * @param maxTurns a bound for programs that never come to rest
   * @return the turns that were run
   * @throws IllegalStateException if there is work left after that many turns
   */
  public long runUntilQuiescent(long maxTurns) {
    turns = 0;
    limit = maxTurns; // counts the turns inside a pause, too
    try {
      while (step()) {
        // goes on until everything rests
      }
      return turns;
    } finally {
      limit = Long.MAX_VALUE;
    }
  }

  /** Runs everything that happens within the given virtual time from now. */
  public void runFor(long nanos) {
    long end = clock.now + nanos;
    while (runOne() || advanceToNextTimer(end)) {
      // goes on until the time is over
    }
    clock.now = Math.max(clock.now, end);
  }

  private boolean advanceToNextTimer(long latest) {
    long earliest = Actor.NEVER;
    for (ScheduledLane lane : lanes) {
      if (!lane.inTurn) {
        earliest = Math.min(earliest, lane.actor.nextDeadline());
      }
    }
    if (earliest > latest) {
      return false;
    }
    clock.now = Math.max(clock.now, earliest);
    return true;
  }

  @Override
  public void close() {
    while (true) {
      ScheduledLane left = null;
      for (ScheduledLane lane : lanes) {
        if (lane.actor instanceof OneShot) {
          left = lane;
          break;
        }
      }
      if (left == null) {
        break;
      }
      left.actor.runTurn();
      left.detach();
    }
    lanes.clear();
  }

  private final class ScheduledLane implements Lane {
    private final Actor actor;
    private boolean inTurn;

    ScheduledLane(Actor actor) {
      this.actor = actor;
    }

    @Override
    public void wake() {
      // readiness is asked for before each turn
    }

    @Override
    public void detach() {
      lanes.remove(this);
    }
  }

  private static final class OneShot implements Actor {
    private final String label;
    private final Runnable work;
    private boolean done;

    OneShot(String label, Runnable work) {
      this.label = label;
      this.work = work;
    }

    @Override
    public String name() {
      return label;
    }

    @Override
    public boolean runTurn() {
      if (done) {
        return false;
      }
      done = true;
      work.run();
      return true;
    }

    @Override
    public boolean hasWork() {
      return !done;
    }

    @Override
    public long nextDeadline() {
      return NEVER;
    }
  }

  private static final class VirtualClock implements Clock {
    private final double epochMillis;
    private long now;

    VirtualClock(double epochMillis) {
      this.epochMillis = epochMillis;
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public double epochMillisAtZero() {
      return epochMillis;
    }
  }
}
