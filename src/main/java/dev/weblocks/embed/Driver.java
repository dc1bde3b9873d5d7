package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Alarm;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.agent.ThreadPoolDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agents of any number of user agents. Close it after them.
 *
 * <p>Thread-safe, except that a deterministic driver belongs to one thread.
 */
public final class Driver implements AutoCloseable {

  /**
   * What scripts under a deterministic driver take for the present at its start if nobody says
   * otherwise: 2025-09-24T00:00:00Z, the day of the Working Draft.
   */
  public static final Instant START_TIME =
      Instant.ofEpochMilli((long) DeterministicDriver.DEFAULT_EPOCH_MILLIS);

  private final dev.weblocks.agent.Driver driver;

  /** Of user agents that are given none; guarded by itself. */
  private final SplittableRandom randomness;

  private final boolean garbageGoes;

  private Driver(dev.weblocks.agent.Driver driver) {
    this(driver, 1, false);
  }

  private Driver(dev.weblocks.agent.Driver driver, long seed, boolean garbageGoes) {
    this.driver = driver;
    this.randomness = new SplittableRandom(seed);
    this.garbageGoes = garbageGoes;
  }

  /**
   * Runs agents on a pool of daemon threads, in real time.
   *
   * @param threads how many agents run script at the same time, at least 1; agents may be many more
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public static Driver threadPool(int threads) {
    return new Driver(new ThreadPoolDriver(threads));
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order that the seed decides and in
   * virtual time. Nothing happens before {@link #runUntilQuiescent}.
   *
   * @see #newDeterministic what script sees of the world then
   */
  public static Driver deterministic(long seed) {
    return newDeterministic().seed(seed).build();
  }

  /**
   * Like {@link #deterministic(long)}, from another moment on.
   *
   * @param startTime what the clocks of scripts show at the start
   */
  public static Driver deterministic(long seed, Instant startTime) {
    return newDeterministic().seed(seed).startTime(startTime).build();
  }

  /**
   * Begins a deterministic driver. The same seed gives the same order, and the same program with it
   * sees the same world, whatever the machine and its settings:
   *
   * <ul>
   *   <li>Time is virtual: {@code Date}, {@code performance}, timers. It begins at {@link
   *       #START_TIME}, a step takes a microsecond of it, and so does each look at the clock; when
   *       nothing else is left it jumps to the next timer.
   *   <li>The time zone is UTC, the language is {@code en-US}.
   *   <li>{@code Math.random()}, {@code crypto} and all identifiers come from the seed, unless
   *       {@link UserAgent.Builder#random} says otherwise.
   *   <li>Responses of the resource loader arrive as steps of their own.
   *   <li>Nothing is collected that script might miss. There is no {@code Atomics.waitAsync}.
   * </ul>
   *
   * <p>What is left to the machine: how deep script may recurse, and how much memory there is. In a
   * context that the embedder owns, an {@link Installation} changes nothing of the engine's.
   */
  public static Deterministic newDeterministic() {
    return new Deterministic();
  }

  /** Configures a deterministic driver. Not thread-safe. */
  public static final class Deterministic {
    private long seed = 1;
    private Instant startTime = START_TIME;
    private boolean garbageGoes;
    private @Nullable Consumer<ForeignStep> onForeignStep;

    private Deterministic() {}

    /** What decides the order, and what is random; default is 1. */
    public Deterministic seed(long value) {
      seed = value;
      return this;
    }

    /**
     * What the clocks of scripts show at the start; default is {@link #START_TIME}. Below a
     * microsecond it may be rounded.
     *
     * @throws IllegalArgumentException if it is beyond the range of {@code Date}
     */
    public Deterministic startTime(Instant value) {
      if (Math.abs(value.getEpochSecond()) > MAX_EPOCH_SECONDS) {
        throw new IllegalArgumentException(
            "startTime is "
                + value
                + ", which no Date can show; use one within 270,000 years of 1970");
      }
      startTime = value;
      return this;
    }

    /**
     * Whether script may notice, by {@code WeakRef} or {@code FinalizationRegistry}, that something
     * was collected; default is that it may not, as the time of that is no choice of the seed.
     */
    public Deterministic collectsGarbage(boolean value) {
      garbageGoes = value;
      return this;
    }

    /**
     * Is told of each step that another thread has taken, on that thread; must not block. By
     * default the next run fails with an {@link IllegalStateException} that names the first.
     */
    public Deterministic onForeignStep(Consumer<ForeignStep> value) {
      onForeignStep = Objects.requireNonNull(value, "onForeignStep");
      return this;
    }

    /** Makes a driver, which belongs to the first thread that runs it. */
    public Driver build() {
      Consumer<ForeignStep> told = onForeignStep;
      return new Driver(
          new DeterministicDriver(
              dev.weblocks.agent.Schedule.random(seed),
              DeterministicDriver.DEFAULT_TURN_NANOS,
              startTime.getEpochSecond() * 1e3 + startTime.getNano() / 1e6,
              told == null ? null : step -> told.accept(ForeignStep.of(step))),
          seed,
          garbageGoes);
    }

    /** A little less than what the hundred million days of a Date are. */
    private static final long MAX_EPOCH_SECONDS = 8_500_000_000_000L;
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order that a schedule chooses and
   * in virtual time. A step takes no time, so that nothing but the schedule decides about the
   * order: time goes on to the next timer when nothing else is left, or when the schedule says so.
   * A look at the clock takes none either, until scripts have looked ten thousand times since time
   * last went on; from then on it takes 0.1 ms, or who waits by looking would never end. Of the
   * times of events and files the same holds. Nothing happens before {@link #runOne()} or {@link
   * #runUntilQuiescent}.
   *
   * <p>All else is as {@link #newDeterministic()} has it where nothing is said: time begins at
   * {@link #START_TIME}; {@code Math.random()}, {@code crypto} and identifiers come from the seed
   * 1, unless {@link UserAgent.Builder#random} says otherwise; nothing is collected that script
   * might miss; a step of another thread makes the next run fail.
   *
   * @param schedule of this driver alone
   */
  public static Driver deterministic(Schedule schedule) {
    return new Driver(
        new DeterministicDriver(
            ScheduleAdapter.of(schedule),
            /* turnNanos= */ 0,
            DeterministicDriver.DEFAULT_EPOCH_MILLIS));
  }

  /**
   * Runs agents on threads of the caller, in real time, and only inside {@link #runOne()}. Several
   * threads may call that at once.
   *
   * @param onWork called on any thread when an agent has work; it must not run agents itself, only
   *     see to it that {@link #runOne()} is called soon, until it returns false
   */
  public static Driver callerDriven(Runnable onWork) {
    return new Driver(new CallerDriver(new SystemClock(), onWork));
  }

  /**
   * Gives one turn to one agent that has work; under a deterministic driver also to a lock step or
   * whatever else the seed draws, after a jump to the next timer when nothing has work.
   *
   * @return false when none has work now: timers that are not due do not count under a
   *     caller-driven driver, and under a deterministic one nothing is left that could ever run
   * @throws IllegalStateException if this driver runs agents by itself
   */
  public boolean runOne() {
    return driver instanceof DeterministicDriver deterministic
        ? deterministic.step()
        : callerDriver().runOne();
  }

  /**
   * How long until a timer is due and {@link #runOne()} finds work without any announcement; empty
   * if there is no timer, zero if one is due. To be called while no thread is in {@link #runOne()}.
   *
   * @throws IllegalStateException if this driver is not caller-driven
   */
  public Optional<Duration> untilNextTimer() {
    CallerDriver caller = callerDriver();
    long deadline = caller.nextDeadline();
    return deadline == Actor.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, deadline - caller.clock().nanoTime())));
  }

  /**
   * Like {@link #runOne()}, but takes no step that would begin later than some virtual time since
   * the start.
   *
   * @param until negative counts as zero
   * @return false when nothing is left that could run until then
   * @throws IllegalStateException if this driver is not deterministic, or as {@link
   *     #runUntilQuiescent} has it
   */
  public boolean runOne(Duration until) {
    return deterministicDriver().step(nanos(until));
  }

  /**
   * The virtual time since the start of a deterministic driver. Any thread.
   *
   * @throws IllegalStateException if this driver is not deterministic
   */
  public Duration elapsed() {
    return Duration.ofNanos(deterministicDriver().clock().nanoTime());
  }

  /**
   * Gives a deterministic driver to the current thread, which alone may run it from now on; whoever
   * ran it before has to be done with it. The first thread that runs one has it without that.
   *
   * @throws IllegalStateException if another thread runs a step, or this driver is not
   *     deterministic
   */
  public void takeOver() {
    deterministicDriver().takeOver();
  }

  /** Takes something back that was to be done at some time. */
  @FunctionalInterface
  public interface Timer {
    /** Nothing happens if it was done already. Any thread. */
    void cancel();
  }

  /**
   * Has something done once, after some time by the clock of this driver, on whatever thread it
   * runs agents: the timers of resource loaders whose answers are to come late, for example. Under
   * a deterministic driver it is a step like others, in virtual time. No user agent is kept from
   * its rest by it. Any thread; with a deterministic driver, its own.
   *
   * @param delay negative counts as zero
   * @param name what traces and schedules call it
   * @param action must not block
   */
  public Timer schedule(Duration delay, String name, Runnable action) {
    return new Alarm(driver, nanos(delay), name, action)::cancel;
  }

  /** What is more than fits is more than there is time. */
  private static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(Duration.ofNanos(Actor.NEVER - 1)) >= 0
        ? Actor.NEVER - 1
        : duration.toNanos();
  }

  private DeterministicDriver deterministicDriver() {
    if (driver instanceof DeterministicDriver deterministic) {
      return deterministic;
    }
    throw new IllegalStateException(
        "this driver runs by itself; use Driver.deterministic(seed) to run step by step");
  }

  private CallerDriver callerDriver() {
    if (driver instanceof CallerDriver caller) {
      return caller;
    }
    throw new IllegalStateException(
        "this driver runs agents its own way; use Driver.callerDriven(onWork) to run them yourself");
  }

  dev.weblocks.agent.Driver internal() {
    return driver;
  }

  /** Whether what script sees of the world is made here, and not by the machine. */
  boolean isVirtual() {
    return driver instanceof DeterministicDriver;
  }

  /** Whether script may notice that something was collected. */
  boolean garbageGoes() {
    return garbageGoes;
  }

  /** The randomness of the next user agent of a deterministic driver: another one for each. */
  RandomGenerator nextRandom() {
    synchronized (randomness) {
      return randomness.split();
    }
  }

  /**
   * Runs a deterministic driver until nothing is left that could ever run.
   *
   * @param maxSteps a bound, for programs that never come to rest
   * @return the number of steps
   * @throws IllegalStateException if this driver is not deterministic, the bound is reached, the
   *     driver belongs to another thread, or another thread has taken a step
   */
  public long runUntilQuiescent(long maxSteps) {
    if (driver instanceof DeterministicDriver deterministic) {
      return deterministic.runUntilQuiescent(maxSteps);
    }
    throw new IllegalStateException(
        "a thread pool runs by itself; use Driver.deterministic(seed) to run step by step");
  }

  /** Stops running agents. User agents are to be closed before. */
  @Override
  public void close() {
    driver.close();
  }
}
