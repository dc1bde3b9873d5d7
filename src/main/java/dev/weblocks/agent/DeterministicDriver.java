package dev.weblocks.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Runs everything on the calling thread, in an order that a seed decides, in virtual time: the test
 * bed. Which actor runs next is drawn among all that have work. A turn takes a microsecond of
 * virtual time, so that timers come due beside a busy loop, too; when nothing can run, the clock
 * jumps to the next timer. Not thread-safe: attach, wake and run on one thread.
 */
public final class DeterministicDriver implements Driver {

  /** How long a turn takes in virtual time. */
  private static final long TURN_NANOS = 1_000;

  private final List<SeededLane> lanes = new ArrayList<>();
  private final SplittableRandom random;
  private final VirtualClock clock = new VirtualClock();

  /** Turns since the last count began, and how many there may be. */
  private long turns;

  private long limit = Long.MAX_VALUE;

  public DeterministicDriver(long seed) {
    this.random = new SplittableRandom(seed);
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
    SeededLane lane = new SeededLane(actor);
    lanes.add(lane);
    return lane;
  }

  @Override
  public void runBlocking(String label, Runnable work) {
    lanes.add(new SeededLane(new OneShot(label, work)));
  }

  /** What the future waits for is run here and now, by the same seeded choice. */
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
    List<SeededLane> ready = new ArrayList<>();
    for (SeededLane lane : lanes) {
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
    SeededLane chosen = ready.get(ready.size() == 1 ? 0 : random.nextInt(ready.size()));
    chosen.inTurn = true; // until it returns: a pause inside it runs others only
    try {
      chosen.actor.runTurn();
    } finally {
      chosen.inTurn = false;
    }
    clock.now += TURN_NANOS;
    if (chosen.actor instanceof OneShot) {
      chosen.detach();
    }
    return true;
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
    for (SeededLane lane : lanes) {
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
      SeededLane left = null;
      for (SeededLane lane : lanes) {
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

  private final class SeededLane implements Lane {
    private final Actor actor;
    private boolean inTurn;

    SeededLane(Actor actor) {
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
    private long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public double epochMillisAtZero() {
      return 0;
    }
  }
}
