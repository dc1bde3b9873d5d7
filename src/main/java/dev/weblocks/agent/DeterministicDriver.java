package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything on the calling thread, in an order that a {@link Schedule} decides, in virtual
 * time: the test bed. Which actor runs next is chosen among all that have work. A turn takes a
 * little virtual time, so that timers come due beside a busy loop, too; when nothing can run, the
 * clock jumps to the next timer. Not thread-safe: attach, wake and run on one thread.
 */
public final class DeterministicDriver implements Driver {

  /** How long a turn takes in virtual time if nobody says otherwise. */
  public static final long DEFAULT_TURN_NANOS = 1_000;

  /** The name of what stands for the time among the actors, where that has a turn. */
  public static final String CLOCK = "clock";

  private final List<ScheduledLane> lanes = new ArrayList<>();
  private final Schedule schedule;
  private final boolean timeIsChosen;
  private final @Nullable TurnListener listener;

  /** Null where nobody listens. */
  private final @Nullable TurnLog log;

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
    this.timeIsChosen = schedule.choosesTime();
    this.listener = schedule instanceof TurnListener wanting ? wanting : null;
    this.log = listener == null ? null : new TurnLog();
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
  public @Nullable TurnLog turnLog() {
    return log;
  }

  private void note(String way) {
    if (log != null) {
      log.reaches(way);
    }
  }

  @Override
  public Lane attach(Actor actor, Kind kind) {
    note("driver: attach");
    ScheduledLane lane = new ScheduledLane(actor);
    lanes.add(lane);
    return lane;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    note("driver: run blocking");
    lanes.add(new ScheduledLane(new OneShot(label, work)));
  }

  /** What the future waits for is run here and now, by the same schedule. */
  @Override
  public void pause(CompletableFuture<?> until) {
    while (!until.isDone()) {
      if (!runOne() && !goOnToNextTimer()) {
        throw new IllegalStateException(
            "paused for ever: nothing is left that could end the pause");
      }
    }
  }

  /**
   * Runs one turn now, without waiting for a timer unless the schedule chooses that; false when no
   * actor has work.
   */
  public boolean runOne() {
    List<ScheduledLane> ready = ready();
    if (ready.isEmpty()) {
      return false;
    }
    if (turns == limit) {
      throw new IllegalStateException(
          "still busy after " + limit + " turns; raise the bound or look for a loop");
    }
    turns++;
    ScheduledLane chosen;
    while (true) {
      if (ready.size() == 1 && !timeIsChosen && listener == null) {
        chosen = ready.getFirst();
        break;
      }
      List<Actor> actors = actors(ready);
      long later = timeIsChosen ? nextDeadline(clock.now + 1) : Actor.NEVER;
      if (later != Actor.NEVER) {
        actors.add(new ClockActor());
      }
      int choice =
          actors.size() == 1 ? 0 : Objects.checkIndex(schedule.choose(actors), actors.size());
      if (choice < ready.size()) {
        chosen = ready.get(choice);
        begins(chosen.actor, actors);
        break;
      }
      goOnTo(later, actors.getLast(), actors); // somebody has work all the same
      ready = ready();
    }
    chosen.inTurn = true; // until it returns: a pause inside it runs others only
    try {
      chosen.actor.runTurn();
    } finally {
      chosen.inTurn = false;
      ended();
    }
    clock.now += turnNanos;
    if (chosen.actor instanceof OneShot) {
      chosen.detach();
    }
    return true;
  }

  private List<ScheduledLane> ready() {
    List<ScheduledLane> ready = new ArrayList<>();
    for (ScheduledLane lane : lanes) {
      if (!lane.inTurn && (lane.actor.hasWork() || lane.actor.nextDeadline() <= clock.now)) {
        ready.add(lane);
      }
    }
    return ready;
  }

  private static List<Actor> actors(List<ScheduledLane> ready) {
    List<Actor> actors = new ArrayList<>(ready.size() + 1);
    for (ScheduledLane lane : ready) {
      actors.add(lane.actor);
    }
    return actors;
  }

  private void begins(Actor actor, List<Actor> ready) {
    if (listener != null && log != null) {
      listener.begins(log.begin(actor.name(), actor.nextStep()), actor, List.copyOf(ready));
    }
  }

  private void ended() {
    if (listener != null && log != null) {
      listener.ended(log.end());
    }
  }

  /** Runs one turn, of the next timer if need be; false when nothing is left that could run. */
  public boolean step() {
    return runOne() || goOnToNextTimer() && runOne();
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
    while (runOne() || goOnToNextTimer(end)) {
      // goes on until the time is over
    }
    clock.now = Math.max(clock.now, end);
  }

  private boolean goOnToNextTimer() {
    return goOnToNextTimer(Actor.NEVER - 1);
  }

  private boolean goOnToNextTimer(long latest) {
    long earliest = nextDeadline(Long.MIN_VALUE);
    if (earliest > latest) {
      return false;
    }
    if (earliest > clock.now) {
      Actor time = new ClockActor();
      goOnTo(earliest, time, List.of(time));
    }
    return true;
  }

  /** The earliest time not before another one at which an actor wants a turn. */
  private long nextDeadline(long notBefore) {
    long earliest = Actor.NEVER;
    for (ScheduledLane lane : lanes) {
      long deadline = lane.inTurn ? Actor.NEVER : lane.actor.nextDeadline();
      if (deadline >= notBefore) {
        earliest = Math.min(earliest, deadline);
      }
    }
    return earliest;
  }

  private void goOnTo(long time, Actor clockActor, List<Actor> ready) {
    begins(clockActor, ready);
    note("driver: time");
    clock.now = time;
    ended();
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
      if (log != null) {
        log.wakes(actor.name());
      }
    }

    @Override
    public void detach() {
      note("driver: detach");
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

  /** Stands for the time where it goes on: never attached, never run. */
  private static final class ClockActor implements Actor {
    @Override
    public String name() {
      return CLOCK;
    }

    @Override
    public String nextStep() {
      return "goes on to the next timer";
    }

    @Override
    public boolean runTurn() {
      return false;
    }

    @Override
    public boolean hasWork() {
      return false;
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
