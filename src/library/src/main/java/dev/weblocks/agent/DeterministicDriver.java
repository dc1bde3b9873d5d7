package dev.weblocks.agent;

import dev.weblocks.model.ForeignStep;
import dev.weblocks.model.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The driver for tests: runs everything on the calling thread, in virtual time, in an order that a
 * seed or a {@link Schedule} determines. The next actor is chosen among all that have work. By
 * default, each turn, and each read of the clock by a script, takes a little virtual time. So
 * timers become due while other actors are busy. When nothing can run, the clock jumps to the next
 * timer.
 *
 * <p>The driver belongs to the thread that runs it first; other threads cannot run it. Only the
 * owner should attach and wake actors. If another thread does so, the change takes effect at a
 * moment that no schedule has chosen, and is reported as a {@link ForeignStep}. Before the first
 * run, any thread may attach and wake actors, one thread at a time.
 */
public final class DeterministicDriver implements Driver {

  /** The default duration of a turn in virtual time. */
  public static final long DEFAULT_TURN_NANOS = 1_000;

  /** The actor of turns that advance the clock. */
  private static final Schedule.Actor TIMER =
      new Schedule.Actor(Schedule.CLOCK, "advances to the next timer");

  /**
   * The default start time of the wall clock, in milliseconds since the Unix epoch:
   * 2025-09-24T00:00:00Z, the day of the Working Draft.
   */
  public static final double DEFAULT_EPOCH_MILLIS = 1_758_672_000_000.0;

  /** The name by which a {@link TurnLog} records that a turn advances the time. */
  static final String TIME = "driver: time";

  /** The attached lanes; a change by a thread that is not the owner is a foreign step. */
  private final List<ScheduledLane> lanes = new CopyOnWriteArrayList<>();

  /** The schedule; null if {@link #random} chooses. */
  private final @Nullable Schedule schedule;

  private final SplittableRandom random;
  private final boolean timeIsChosen;

  /** The log of turns for a schedule that observes them; null without one. */
  private final @Nullable TurnLog log;

  private final VirtualClock clock;
  private final RealTimeDelays delays = new RealTimeDelays();

  /** The listener for foreign steps; if null, a foreign step makes the next run throw. */
  private final @Nullable Consumer<ForeignStep> onForeignStep;

  private final AtomicReference<@Nullable ForeignStep> foreignStep = new AtomicReference<>();

  /** The thread that this driver belongs to; null before its first run. */
  private volatile @Nullable Thread owner;

  /** The thread that is running a turn now; null between turns. */
  private volatile @Nullable Thread inside;

  /** The number of turns since {@link #runUntilQuiescent} began; at most {@link #limit}. */
  private long turns;

  private long limit = Long.MAX_VALUE;

  /**
   * Creates a driver that chooses turns at random from a seed; the wall clock begins at {@link
   * #DEFAULT_EPOCH_MILLIS}.
   */
  public DeterministicDriver(long seed) {
    this(seed, DEFAULT_EPOCH_MILLIS, null);
  }

  /**
   * Creates a driver that chooses turns at random from a seed. A turn takes {@link
   * #DEFAULT_TURN_NANOS}.
   *
   * @param epochMillis the start time of the wall clock, in milliseconds since the Unix epoch
   * @param onForeignStep receives each foreign step, on the thread that takes it; null to make the
   *     next run fail
   */
  public DeterministicDriver(
      long seed, double epochMillis, @Nullable Consumer<ForeignStep> onForeignStep) {
    this(null, seed, DEFAULT_TURN_NANOS, epochMillis, onForeignStep);
  }

  /**
   * Creates a driver that follows a schedule.
   *
   * @param turnNanos the virtual time that a turn, or a clock read, takes; if 0, time advances only
   *     to timers, and for scripts that read the clock very often
   * @param epochMillis the start time of the wall clock, in milliseconds since the Unix epoch
   * @param onForeignStep receives each foreign step, on the thread that takes it; null to make the
   *     next run fail
   * @throws IllegalArgumentException if {@code turnNanos} is negative
   */
  public DeterministicDriver(
      Schedule schedule,
      long turnNanos,
      double epochMillis,
      @Nullable Consumer<ForeignStep> onForeignStep) {
    this(schedule, 0, turnNanos, epochMillis, onForeignStep);
  }

  private DeterministicDriver(
      @Nullable Schedule schedule,
      long seed,
      long turnNanos,
      double epochMillis,
      @Nullable Consumer<ForeignStep> onForeignStep) {
    if (turnNanos < 0) {
      throw new IllegalArgumentException("turnNanos is " + turnNanos + "; it must not be negative");
    }
    this.schedule = schedule;
    this.random = new SplittableRandom(seed);
    this.timeIsChosen = schedule != null && schedule.choosesTime();
    this.log = schedule != null && schedule.observesTurns() ? new TurnLog() : null;
    this.clock = new VirtualClock(epochMillis, turnNanos, log);
    this.onForeignStep = onForeignStep;
  }

  // ---- the owner -------------------------------------------------------------------------------

  /**
   * Makes the current thread the owner: only the owner may run this driver from now on. The
   * previous owner must not use it any more.
   *
   * @throws IllegalStateException if another thread is inside a turn
   */
  public void takeOver() {
    Thread busy = inside;
    if (busy != null && busy != Thread.currentThread()) {
      throw new IllegalStateException(
          "thread "
              + busy.getName()
              + " is running this driver, which only one thread may run at a time; wait until its"
              + " run ends");
    }
    owner = Thread.currentThread();
  }

  private void requireOwnThread() {
    if (owner != Thread.currentThread()) {
      takeOverFromNobody();
    }
  }

  /** Makes the current thread the owner, unless the thread of the previous owner is alive. */
  private synchronized void takeOverFromNobody() {
    Thread other = owner;
    if (other != null && other.isAlive()) {
      throw new IllegalStateException(
          "this driver belongs to thread "
              + other.getName()
              + "; run it there, or call takeOver() once that thread has stopped running it");
    }
    owner = Thread.currentThread();
  }

  /** Reports a foreign step if the current thread is not the owner. */
  private void reportIfForeign(String what, Actor actor) {
    Thread other = owner;
    Thread current = Thread.currentThread();
    if (other == null || other == current || !other.isAlive()) {
      return;
    }
    ForeignStep step =
        ForeignSteps.of(
            actor.name(), what, current.getName(), List.of(new Throwable().getStackTrace()));
    if (onForeignStep != null) {
      onForeignStep.accept(step);
    } else {
      foreignStep.compareAndSet(null, step);
    }
  }

  private void failIfForeign() {
    ForeignStep step = foreignStep.getAndSet(null);
    if (step != null) {
      throw new IllegalStateException(step.text());
    }
  }

  // ---- the driver ------------------------------------------------------------------------------

  @Override
  public boolean isDeterministic() {
    return true;
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
    if (log != null) {
      log.reaches("driver: attach " + actor.name());
    }
    reportIfForeign("was added", actor);
    ScheduledLane lane = new ScheduledLane(actor);
    lanes.add(lane);
    return lane;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    note("driver: run blocking");
    OneShot once = new OneShot(label, work);
    reportIfForeign("was submitted", once);
    lanes.add(new ScheduledLane(once));
  }

  /** Pauses the agent. Meanwhile other actors run on this thread, as the schedule chooses. */
  @Override
  public void pause(CompletableFuture<?> until) {
    while (!until.isDone()) {
      if (!runOne() && !goOnToNextTimer(Actor.NEVER - 1)) {
        throw new IllegalStateException(
            "paused forever: no task or timer is left that could end the pause");
      }
    }
  }

  @Override
  public void await(CompletableFuture<?> until, long nanos, String waiting)
      throws TimeoutException {
    if (nanos == Actor.NEVER) {
      pause(until);
      return;
    }
    Deadline deadline = new Deadline(this, nanos, waiting);
    try {
      pause(CompletableFuture.anyOf(until, deadline.reached()));
    } finally {
      deadline.forget();
    }
    if (!until.isDone()) {
      throw new TimeoutException();
    }
  }

  /**
   * Runs one turn now, without advancing to a timer unless the schedule chooses that. Returns false
   * if no actor has work.
   *
   * @throws IllegalStateException if this driver belongs to another thread
   */
  public boolean runOne() {
    return runOne(Actor.NEVER - 1);
  }

  /** Like {@link #runOne()}, but runs no turn if the schedule advances beyond {@code latest}. */
  private boolean runOne(long latest) {
    requireOwnThread();
    List<ScheduledLane> ready = ready();
    if (ready.isEmpty()) {
      return false;
    }
    if (turns == limit) {
      throw new IllegalStateException(
          "still busy after " + limit + " turns; raise the limit, or look for an endless loop");
    }
    ScheduledLane chosen;
    while (true) {
      if (schedule == null) {
        chosen = ready.get(ready.size() == 1 ? 0 : random.nextInt(ready.size()));
        break;
      }
      if (ready.size() == 1 && !timeIsChosen && log == null) {
        chosen = ready.getFirst();
        break;
      }
      List<Schedule.Actor> actors = actors(ready);
      long later = timeIsChosen ? nextDeadline(clock.nanoTime() + 1) : Actor.NEVER;
      if (later != Actor.NEVER) {
        actors.add(TIMER);
      }
      int choice =
          actors.size() == 1 ? 0 : Objects.checkIndex(schedule.choose(actors), actors.size());
      if (choice < ready.size()) {
        chosen = ready.get(choice);
        begins(actors.get(choice), actors);
        break;
      }
      goOnTo(later, actors); // although actors have work
      if (later > latest) {
        return false;
      }
      ready = ready();
    }
    turns++;
    chosen.inTurn = true; // until it returns: a pause inside it runs others only
    Thread around = inside;
    inside = Thread.currentThread();
    try {
      chosen.actor.runTurn();
    } finally {
      inside = around;
      chosen.inTurn = false;
      ended();
      clock.moveOn();
      if (chosen.actor instanceof OneShot) {
        chosen.detach();
      }
    }
    return true;
  }

  private List<ScheduledLane> ready() {
    List<ScheduledLane> ready = new ArrayList<>();
    for (ScheduledLane lane : lanes) {
      if (!lane.inTurn && (lane.actor.hasWork() || lane.actor.nextDeadline() <= clock.nanoTime())) {
        ready.add(lane);
      }
    }
    return ready;
  }

  private static List<Schedule.Actor> actors(List<ScheduledLane> ready) {
    List<Schedule.Actor> actors = new ArrayList<>(ready.size() + 1);
    for (ScheduledLane lane : ready) {
      actors.add(new Schedule.Actor(lane.actor.name(), lane.actor.nextStep()));
    }
    return actors;
  }

  private void begins(Schedule.Actor actor, List<Schedule.Actor> ready) {
    if (schedule != null && log != null) {
      schedule.turnBegins(log.begin(actor.name(), actor.nextStep()), actor, List.copyOf(ready));
    }
  }

  private void ended() {
    if (schedule != null && log != null) {
      schedule.turnEnded(log.end());
    }
  }

  /**
   * Runs one turn, advancing to the next timer if necessary. Returns false if nothing is left to
   * run.
   *
   * @throws IllegalStateException if this driver belongs to another thread, or if another thread
   *     has taken a step that no listener received
   */
  public boolean step() {
    return step(Actor.NEVER - 1);
  }

  /**
   * Like {@link #step()}, but runs no turn that would begin after {@code latest}.
   *
   * @param latest a {@link Clock#nanoTime()} of the clock of this driver
   */
  public boolean step(long latest) {
    failIfForeign();
    return clock.nanoTime() <= latest
        && (runOne(latest) || (goOnToNextTimer(latest) && runOne(latest)));
  }

  /**
   * Runs until nothing is left to run, including timers.
   *
   * @param maxTurns a bound for programs that never become idle
   * @return the number of turns
   * @throws IllegalStateException if there is work left after that many turns, or as in {@link
   *     #step()}
   */
  public long runUntilQuiescent(long maxTurns) {
    turns = 0;
    limit = maxTurns; // counts the turns inside a pause, too
    try {
      while (step()) {
        // until nothing is left to run
      }
      return turns;
    } finally {
      limit = Long.MAX_VALUE;
    }
  }

  /**
   * Runs all turns that begin within the given virtual time, and then sets the clock to the end of
   * that time, unless the last turn ended later.
   *
   * @throws IllegalStateException as in {@link #step()}
   */
  public void runFor(long nanos) {
    long end = Math.min(clock.after(nanos), Actor.NEVER - 1);
    while (step(end)) {
      // until nothing is left to run, or the time is over
    }
    clock.moveTo(end);
  }

  private boolean goOnToNextTimer(long latest) {
    long earliest = nextDeadline(Long.MIN_VALUE);
    if (earliest > latest || clock.nanoTime() > latest) {
      return false;
    }
    if (earliest > clock.nanoTime()) {
      goOnTo(earliest, List.of(TIMER));
    }
    return true;
  }

  /** Returns the earliest deadline of all actors, ignoring those before {@code notBefore}. */
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

  private void goOnTo(long time, List<Schedule.Actor> ready) {
    begins(TIMER, ready);
    note(TIME);
    clock.moveTo(time);
    ended();
  }

  @Override
  public void close() {
    if (inside == null) {
      owner = Thread.currentThread(); // so that the turns below are not foreign steps
    }
    Throwable failure = null;
    ScheduledLane left = nextOneShot();
    while (left != null) {
      lanes.remove(left);
      try {
        left.actor.runTurn();
      } catch (RuntimeException | Error thrown) {
        // deferred: the others may be the ends of agents
        if (failure == null) {
          failure = thrown;
        } else if (failure != thrown) {
          failure.addSuppressed(thrown);
        }
      }
      left = nextOneShot();
    }
    lanes.clear();
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private @Nullable ScheduledLane nextOneShot() {
    for (ScheduledLane lane : lanes) {
      if (lane.actor instanceof OneShot) {
        return lane;
      }
    }
    return null;
  }

  private final class ScheduledLane implements Lane {
    private final Actor actor;
    private boolean inTurn;

    ScheduledLane(Actor actor) {
      this.actor = actor;
    }

    @Override
    public void wake() {
      // readiness is checked before each turn
      reportIfForeign("was given work", actor);
      if (log != null) {
        log.wakes(actor.name());
      }
    }

    @Override
    public void detach() {
      note("driver: detach");
      reportIfForeign("was removed", actor);
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
  }
}
