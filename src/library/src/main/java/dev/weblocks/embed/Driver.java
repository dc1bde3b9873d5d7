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
 * A scheduler that runs the agents of any number of user agents. Close it after them.
 *
 * <p>Thread-safe, except that a deterministic driver belongs to one thread.
 */
public final class Driver implements AutoCloseable {

  /**
   * The default start time of the clocks of scripts under a deterministic driver:
   * 2025-09-24T00:00:00Z, the day of the Working Draft.
   */
  public static final Instant START_TIME =
      Instant.ofEpochMilli((long) DeterministicDriver.DEFAULT_EPOCH_MILLIS);

  private final dev.weblocks.agent.Driver driver;

  /** The random source of user agents without their own; guarded by itself. */
  private final SplittableRandom randomness;

  private final boolean collectsGarbage;

  private Driver(dev.weblocks.agent.Driver driver) {
    this(driver, 1, false);
  }

  private Driver(dev.weblocks.agent.Driver driver, long seed, boolean collectsGarbage) {
    this.driver = driver;
    this.randomness = new SplittableRandom(seed);
    this.collectsGarbage = collectsGarbage;
  }

  /**
   * Runs agents on a pool of daemon threads, in real time.
   *
   * @param threads the maximum number of agents that run script at the same time, at least 1; there
   *     may be many more agents
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public static Driver threadPool(int threads) {
    return new Driver(new ThreadPoolDriver(threads));
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order determined by the seed, and
   * in virtual time. Nothing runs before {@link #runUntilQuiescent}.
   *
   * @see #newDeterministic the effects that script can observe
   */
  public static Driver deterministic(long seed) {
    return newDeterministic().seed(seed).build();
  }

  /**
   * Like {@link #deterministic(long)}, with another start time.
   *
   * @param startTime the time that the clocks of scripts show at the start
   */
  public static Driver deterministic(long seed, Instant startTime) {
    return newDeterministic().seed(seed).startTime(startTime).build();
  }

  /**
   * Returns a builder for a deterministic driver. The same seed gives the same order, and the same
   * program observes the same environment on every machine:
   *
   * <ul>
   *   <li>Time is virtual: {@code Date}, {@code performance}, timers. It begins at {@link
   *       #START_TIME}. A step takes a microsecond, and so does each read of the clock; when
   *       nothing else is left, time jumps to the next timer.
   *   <li>The time zone is UTC, the language is {@code en-US}.
   *   <li>{@code Math.random()}, {@code crypto} and all identifiers are derived from the seed,
   *       unless {@link UserAgent.Builder#random} is set.
   *   <li>Each response of the resource loader arrives as a separate step.
   *   <li>Script cannot observe garbage collection. There is no {@code Atomics.waitAsync}.
   * </ul>
   *
   * <p>Only the maximum recursion depth of script and the available memory depend on the machine.
   * In a context that the embedder owns, an {@link Installation} changes no built-ins of the
   * engine.
   */
  public static Deterministic newDeterministic() {
    return new Deterministic();
  }

  /** Configures a deterministic driver. Not thread-safe. */
  public static final class Deterministic {
    private long seed = 1;
    private Instant startTime = START_TIME;
    private boolean collectsGarbage;
    private @Nullable Consumer<ForeignStep> onForeignStep;

    private Deterministic() {}

    /** Sets the seed of the order and of all random values; default is 1. */
    public Deterministic seed(long value) {
      seed = value;
      return this;
    }

    /**
     * Sets the time that the clocks of scripts show at the start; default is {@link #START_TIME}.
     * Fractions of a microsecond may be rounded.
     *
     * @throws IllegalArgumentException if it is beyond the range of {@code Date}
     */
    public Deterministic startTime(Instant value) {
      if (Math.abs(value.getEpochSecond()) > MAX_EPOCH_SECONDS) {
        throw new IllegalArgumentException(
            "startTime is "
                + value
                + ", which a Date cannot represent; use one within 270,000 years of 1970");
      }
      startTime = value;
      return this;
    }

    /**
     * Sets whether script can observe garbage collection by {@code WeakRef} or {@code
     * FinalizationRegistry}; default is false, because the seed does not determine the time of a
     * collection.
     */
    public Deterministic collectsGarbage(boolean value) {
      collectsGarbage = value;
      return this;
    }

    /**
     * Sets a listener that is called for each step that another thread has taken, on that thread;
     * must not block. By default the next run fails with an {@link IllegalStateException} that
     * names the first.
     */
    public Deterministic onForeignStep(Consumer<ForeignStep> value) {
      onForeignStep = Objects.requireNonNull(value, "onForeignStep");
      return this;
    }

    /** Makes the driver, which belongs to the first thread that runs it. */
    public Driver build() {
      Consumer<ForeignStep> told = onForeignStep;
      return new Driver(
          new DeterministicDriver(
              dev.weblocks.agent.Schedule.random(seed),
              DeterministicDriver.DEFAULT_TURN_NANOS,
              startTime.getEpochSecond() * 1e3 + startTime.getNano() / 1e6,
              told == null ? null : step -> told.accept(ForeignStep.of(step))),
          seed,
          collectsGarbage);
    }

    /** A little less than the hundred million days that a Date can represent. */
    private static final long MAX_EPOCH_SECONDS = 8_500_000_000_000L;
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order that a schedule chooses, and
   * in virtual time. A step takes no time, so only the schedule determines the order: time advances
   * to the next timer when nothing else is left, or when the schedule chooses so. A read of the
   * clock takes no time either, until scripts have read it ten thousand times since time last
   * advanced. From then on each read takes 0.1 ms, so that a script that busy-waits on the clock
   * makes progress. The times of events and files count as reads. Nothing runs before {@link
   * #runOne()} or {@link #runUntilQuiescent}.
   *
   * <p>All else has the defaults of {@link #newDeterministic()}: time begins at {@link
   * #START_TIME}; {@code Math.random()}, {@code crypto} and identifiers are derived from the seed
   * 1, unless {@link UserAgent.Builder#random} is set; script cannot observe garbage collection; a
   * step of another thread makes the next run fail.
   *
   * @param schedule must not be shared with another driver
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
   * @param onWork called on any thread when an agent has work; it must not run agents itself, but
   *     arrange that {@link #runOne()} is called soon, until it returns false
   */
  public static Driver callerDriven(Runnable onWork) {
    return new Driver(new CallerDriver(new SystemClock(), onWork));
  }

  /**
   * Runs one turn of one agent that has work. A deterministic driver may also run a lock step or
   * other work that the seed selects; if nothing has work, it jumps to the next timer first.
   *
   * @return false if there is no work: with a caller-driven driver, timers that are not due do not
   *     count; with a deterministic one, nothing is left that could ever run
   * @throws IllegalStateException if this driver runs agents by itself
   */
  public boolean runOne() {
    return driver instanceof DeterministicDriver deterministic
        ? deterministic.step()
        : callerDriver().runOne();
  }

  /**
   * Returns the time until the next timer is due, which {@code onWork} does not announce; empty if
   * there is no timer, zero if one is due. To be called while no thread is in {@link #runOne()}.
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
   * Like {@link #runOne()}, but runs no step that would begin later than the given virtual time
   * since the start.
   *
   * @param until negative counts as zero
   * @return false when nothing is left that could run until then
   * @throws IllegalStateException if this driver is not deterministic, or as specified by {@link
   *     #runUntilQuiescent}
   */
  public boolean runOne(Duration until) {
    return deterministicDriver().step(nanos(until));
  }

  /**
   * Returns the virtual time since the start of a deterministic driver. Any thread.
   *
   * @throws IllegalStateException if this driver is not deterministic
   */
  public Duration elapsed() {
    return Duration.ofNanos(deterministicDriver().clock().nanoTime());
  }

  /**
   * Makes the current thread the owner of a deterministic driver; only the owner may run it. The
   * previous owner must have stopped using it. The first thread that runs a driver owns it without
   * this call.
   *
   * @throws IllegalStateException if another thread runs a step, or this driver is not
   *     deterministic
   */
  public void takeOver() {
    deterministicDriver().takeOver();
  }

  /** A handle to cancel a scheduled action. */
  @FunctionalInterface
  public interface Timer {
    /** Cancels the action; no-op if it has run. Any thread. */
    void cancel();
  }

  /**
   * Schedules an action to run once, after a delay by the clock of this driver, on a thread that
   * runs agents: for example in a resource loader that delays its answers. With a deterministic
   * driver it is a step like others, in virtual time. It does not keep a user agent from being
   * quiescent. Any thread; with a deterministic driver, only its own.
   *
   * @param delay negative counts as zero
   * @param name its name in traces and schedules
   * @param action must not block
   */
  public Timer schedule(Duration delay, String name, Runnable action) {
    return new Alarm(driver, nanos(delay), name, action)::cancel;
  }

  /** Converts a delay; larger values are clamped. */
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
        "this driver cannot be stepped; use Driver.deterministic(seed) to run step by step");
  }

  private CallerDriver callerDriver() {
    if (driver instanceof CallerDriver caller) {
      return caller;
    }
    throw new IllegalStateException(
        "this driver is not caller-driven; use Driver.callerDriven(onWork) to run agents yourself");
  }

  dev.weblocks.agent.Driver internal() {
    return driver;
  }

  /**
   * Returns whether time, time zone, language and randomness are virtual rather than those of the
   * machine.
   */
  boolean isVirtual() {
    return driver instanceof DeterministicDriver;
  }

  /** Returns whether script can observe garbage collection. */
  boolean collectsGarbage() {
    return collectsGarbage;
  }

  /**
   * Returns the random source for the next user agent of a deterministic driver; a new one for each
   * call.
   */
  RandomGenerator nextRandom() {
    synchronized (randomness) {
      return randomness.split();
    }
  }

  /**
   * Runs a deterministic driver until nothing is left that could ever run.
   *
   * @param maxSteps the maximum number of steps, for programs that never become quiescent
   * @return the number of steps
   * @throws IllegalStateException if this driver is not deterministic, the bound is reached, the
   *     driver belongs to another thread, or another thread has taken a step
   */
  public long runUntilQuiescent(long maxSteps) {
    if (driver instanceof DeterministicDriver deterministic) {
      return deterministic.runUntilQuiescent(maxSteps);
    }
    throw new IllegalStateException(
        "a thread pool cannot be stepped; use Driver.deterministic(seed) to run step by step");
  }

  /** Stops running agents. Close the user agents before. */
  @Override
  public void close() {
    driver.close();
  }
}
