package dev.weblocks.embed;

import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.model.ForeignStep;
import dev.weblocks.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A driver for tests and experiments: runs agents on the calling thread, one step at a time, in an
 * order that a seed or a {@link Schedule} determines, and in virtual time. The same seed gives the
 * same order, and the same program observes the same environment on every machine:
 *
 * <ul>
 *   <li>Time is virtual: {@code Date}, {@code Temporal.Now}, {@code performance}, timers. It begins
 *       at {@link #START_TIME}. A step takes a microsecond, and so does each read of the clock;
 *       when nothing else is left, time jumps to the next timer. It ends 292 years after the start;
 *       a later timer never fires.
 *   <li>The time zone is UTC, the language is {@code en-US}.
 *   <li>{@code Math.random()}, the random values of {@code crypto} and all identifiers are derived
 *       from the seed, unless {@link UserAgent.Builder#random} is set.
 *   <li>Each response of the resource loader arrives as a separate step.
 *   <li>Script cannot observe garbage collection. There is no {@code Atomics.waitAsync}.
 * </ul>
 *
 * <p>Only the maximum recursion depth of script and the available memory depend on the machine. In
 * a context that the embedder owns, {@code Date}, {@code Math.random()}, the time zone and the
 * language remain those of the context: an {@link Installation} changes no built-ins.
 *
 * <p>Steps run only inside {@link #runOne()} and the other run methods, and inside calls that wait,
 * such as {@link LockClient#acquire(String)}. A driver belongs to the first thread that runs it.
 * Another thread may run it only after {@link #takeOver()}, or when the first thread has ended.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="deterministicDriver"}
 */
public final class DeterministicDriver extends Driver {

  /**
   * The default start time of the clocks of scripts: 2025-09-24T00:00:00Z, the day of the Working
   * Draft.
   */
  public static final Instant START_TIME =
      Instant.ofEpochMilli((long) dev.weblocks.agent.DeterministicDriver.DEFAULT_EPOCH_MILLIS);

  private final dev.weblocks.agent.DeterministicDriver driver;

  /** The source of randomness for user agents whose builder sets none. Guarded by itself. */
  private final SplittableRandom randomness;

  private final boolean collectsGarbage;

  private DeterministicDriver(dev.weblocks.agent.DeterministicDriver driver, Builder builder) {
    super(driver);
    this.driver = driver;
    this.randomness = new SplittableRandom(builder.seed);
    this.collectsGarbage = builder.collectsGarbage;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** A builder for a deterministic driver. Not thread-safe. */
  public static final class Builder {
    private long seed = 1;
    private @Nullable Schedule schedule;
    private Instant startTime = START_TIME;
    private boolean collectsGarbage;
    private @Nullable Consumer<ForeignStep> onForeignStep;

    private Builder() {}

    /**
     * Sets the seed of all random values, and of the order unless a {@link #schedule} is set;
     * default is 1.
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets a schedule that chooses each step; by default the seed determines the order. Under a
     * schedule a step takes no time, so only the schedule determines the order: time advances to
     * the next timer when nothing else is left, or when the schedule chooses so. A read of the
     * clock takes no time either, until scripts have read it ten thousand times since time last
     * advanced to a timer. From then on each read takes 0.1 ms, so that a script that busy-waits on
     * the clock makes progress. Timestamps that scripts read from events and files are counted
     * separately, with the same limit.
     *
     * @param schedule must not be shared with another driver
     */
    public Builder schedule(Schedule schedule) {
      this.schedule = Objects.requireNonNull(schedule, "schedule");
      return this;
    }

    /**
     * Sets the time that the clocks of scripts show at the start; default is {@link #START_TIME}.
     * Fractions of a microsecond may be rounded.
     *
     * @throws IllegalArgumentException if it is beyond the range of {@code Date}
     */
    public Builder startTime(Instant startTime) {
      Objects.requireNonNull(startTime, "startTime");
      if (Math.abs(startTime.getEpochSecond()) > MAX_EPOCH_SECONDS) {
        throw new IllegalArgumentException(
            "startTime is "
                + startTime
                + ", which a Date cannot represent; use one within 270,000 years of 1970");
      }
      this.startTime = startTime;
      return this;
    }

    /**
     * Sets whether script can observe garbage collection through {@code WeakRef} or {@code
     * FinalizationRegistry}; default is false, because the seed does not determine the time of a
     * collection.
     */
    public Builder collectsGarbage(boolean collectsGarbage) {
      this.collectsGarbage = collectsGarbage;
      return this;
    }

    /**
     * Sets a listener for steps taken by another thread. It is called on that thread and must not
     * block. By default the next call that runs the driver fails with an {@link
     * IllegalStateException} that names the first such step.
     */
    public Builder onForeignStep(Consumer<ForeignStep> onForeignStep) {
      this.onForeignStep = Objects.requireNonNull(onForeignStep, "onForeignStep");
      return this;
    }

    /** Creates the driver, which belongs to the first thread that runs it. */
    public DeterministicDriver build() {
      Schedule chosen = schedule;
      double epochMillis = startTime.getEpochSecond() * 1e3 + startTime.getNano() / 1e6;
      return new DeterministicDriver(
          chosen == null
              ? new dev.weblocks.agent.DeterministicDriver(seed, epochMillis, onForeignStep)
              : new dev.weblocks.agent.DeterministicDriver(chosen, 0, epochMillis, onForeignStep),
          this);
    }

    /**
     * The maximum distance of the start time from the epoch, in seconds: a little less than the
     * hundred million days that a Date can represent.
     */
    private static final long MAX_EPOCH_SECONDS = 8_500_000_000_000L;
  }

  /**
   * Runs one step: a turn of an agent, a step of the locks, or other work that has been scheduled.
   * If nothing has work, time jumps to the next timer first.
   *
   * @return false if nothing is left that could ever run
   * @throws IllegalStateException if this driver belongs to another thread, or another thread has
   *     taken a step
   */
  public boolean runOne() {
    return driver.step();
  }

  /**
   * Like {@link #runOne()}, but runs no step that would begin later than the given virtual time
   * since the start.
   *
   * @param sinceStart as {@link #elapsed()} returns it; negative counts as zero
   * @return false when nothing is left that could run until then
   * @throws IllegalStateException as {@link #runOne()} does
   */
  public boolean runOneUntil(Duration sinceStart) {
    return driver.step(nanos(Objects.requireNonNull(sinceStart, "sinceStart")));
  }

  /**
   * Runs steps until nothing is left that could ever run. Since time jumps to each timer, no timer
   * is left either, and all user agents of this driver are {@linkplain UserAgent#quiescent
   * quiescent}.
   *
   * @param maxSteps the maximum number of steps, for programs that never become idle
   * @return the number of steps
   * @throws IllegalStateException if {@code maxSteps} is reached, and as {@link #runOne()} does
   */
  public long runUntilIdle(long maxSteps) {
    return driver.runUntilQuiescent(maxSteps);
  }

  /** Returns the virtual time since the start. Callable on any thread. */
  public Duration elapsed() {
    return Duration.ofNanos(driver.clock().nanoTime());
  }

  /**
   * Makes the current thread the owner of this driver; only the owner may run it. The previous
   * owner must have stopped using it. The first thread that runs a driver owns it without this
   * call.
   *
   * @throws IllegalStateException if another thread runs a step
   */
  public void takeOver() {
    driver.takeOver();
  }

  @Override
  VirtualWorld virtualWorld() {
    return new VirtualWorld(collectsGarbage);
  }

  /** Returns a new random source for each call; the seed determines its values. */
  @Override
  RandomGenerator newRandom() {
    synchronized (randomness) {
      return randomness.split();
    }
  }

  /** Schedules the arrival of a response as a separate step. */
  @Override
  void arrive(String label, Runnable arrival) {
    driver.runBlocking(label, arrival);
  }

  @Override
  boolean runFor(long nanos) {
    driver.runFor(nanos);
    return true;
  }

  @Override
  void runUntil(CompletableFuture<?> done) {
    while (!done.isDone() && driver.step()) {}
  }

  @Override
  void prepareEnd() {
    driver.takeOver();
  }

  @Override
  void runEnd(UserAgentEnd end) {
    while (!(end.agentsHaveEnded() && end.listenersHaveRun()) && driver.runOne()) {}
  }
}
