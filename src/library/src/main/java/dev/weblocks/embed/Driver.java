package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Alarm;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.agent.ThreadPoolDriver;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.model.Schedule;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that decides when and on which thread the scripts of windows, workers and {@linkplain
 * Installation installations} run, and with which clock. It may serve any number of user agents;
 * set it with {@link UserAgent.Builder#driver}, and close it after them.
 *
 * <p>A driver of exactly this type is a pool of threads, which runs agents without further calls.
 * {@link CallerDrivenDriver} and {@link DeterministicDriver} have methods that run the agents on
 * the calling thread. Thread-safe, except that a deterministic driver belongs to one thread.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="driver"}
 */
public sealed class Driver implements AutoCloseable
    permits CallerDrivenDriver, DeterministicDriver {

  private final dev.weblocks.agent.Driver driver;

  Driver(dev.weblocks.agent.Driver driver) {
    this.driver = driver;
  }

  /**
   * Returns a driver that runs agents on a pool of daemon threads, in real time.
   *
   * @param threads the maximum number of agents that run script at the same time, at least 1; there
   *     may be many more agents
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public static Driver threadPool(int threads) {
    return new Driver(new ThreadPoolDriver(threads));
  }

  /**
   * Returns a driver whose methods run agents on the thread that calls them, in real time.
   *
   * @param onWork called on any thread when there may be new work, or when {@link
   *     CallerDrivenDriver#untilNextTimer} may have become shorter; possibly too often. It must not
   *     run agents itself, but arrange that {@link CallerDrivenDriver#runOne()} is called soon,
   *     until it returns false
   */
  public static CallerDrivenDriver callerDriven(Runnable onWork) {
    Objects.requireNonNull(onWork, "onWork");
    return new CallerDrivenDriver(new CallerDriver(new SystemClock(), onWork));
  }

  /**
   * Returns a driver whose methods run agents on the thread that calls them, one step at a time, in
   * an order determined by a seed, and in virtual time.
   *
   * @see DeterministicDriver#newBuilder further options
   */
  public static DeterministicDriver deterministic(long seed) {
    return DeterministicDriver.newBuilder().seed(seed).build();
  }

  /**
   * Returns a driver whose methods run agents on the thread that calls them, one step at a time, in
   * an order that a schedule chooses, and in virtual time. Random values are those of seed 1.
   *
   * @see DeterministicDriver.Builder#schedule
   */
  public static DeterministicDriver deterministic(Schedule schedule) {
    return DeterministicDriver.newBuilder().schedule(schedule).build();
  }

  /** A handle to cancel a scheduled action. */
  @FunctionalInterface
  public interface Timer {
    /**
     * Cancels the action; no-op if it has run, or if the driver is closed. Callable on any thread.
     */
    void cancel();
  }

  /**
   * Schedules an action to run once, after a delay by the clock of this driver, on a thread that
   * runs agents. A resource loader can use this to delay its answers. With a deterministic driver
   * the action is a step like others, in virtual time. A pending action does not keep a user agent
   * from being quiescent, and never runs once the driver is closed. Callable on any thread; with a
   * deterministic driver, only the thread that owns it.
   *
   * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="driver.schedule"}
   *
   * @param delay negative counts as zero
   * @param name the name of the action in traces and schedules
   * @param action must not block
   */
  public Timer schedule(Duration delay, String name, Runnable action) {
    Objects.requireNonNull(delay, "delay");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(action, "action");
    return new Alarm(driver, nanos(delay), name, action)::cancel;
  }

  /**
   * Ends this driver, without waiting for running turns. Close its user agents first. Idempotent.
   */
  @Override
  public void close() {
    driver.close();
  }

  /**
   * Returns how many agents run script now, or wait for a thread; approximate. 0 if this driver
   * runs them on the threads of its callers. Callable on any thread.
   */
  public int runningAgents() {
    return driver.runningTurns();
  }

  dev.weblocks.agent.Driver internal() {
    return driver;
  }

  /**
   * Returns the marker of user agents that hide properties of the machine, such as its time zone,
   * from scripts; null if scripts may see them.
   */
  @Nullable VirtualWorld virtualWorld() {
    return null;
  }

  /** Returns a new source of randomness, for a user agent whose builder sets none. */
  RandomGenerator newRandom() {
    return new SecureRandom();
  }

  /** Processes an arrived response: by default at once, on the thread that completed it. */
  void arrive(String label, Runnable arrival) {
    arrival.run();
  }

  /**
   * Runs all work of a span of virtual time, and returns true; a real-time driver runs nothing and
   * returns false.
   */
  boolean runFor(long nanos) {
    return false;
  }

  /**
   * Runs agents until a future is done or, in virtual time, nothing is left to run; no-op for a
   * driver with threads of its own.
   */
  void runUntil(CompletableFuture<?> done) throws InterruptedException {}

  /**
   * Prepares this driver for the current thread to end a user agent: a deterministic driver then
   * belongs to that thread.
   */
  void prepareEnd() {}

  /** Runs agents until a user agent has ended; no-op for a driver with threads of its own. */
  void runEnd(UserAgentEnd end) {}

  /**
   * Converts a delay to nanoseconds; a negative delay counts as zero, one that is too long is
   * clamped.
   */
  static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(Duration.ofNanos(Actor.NEVER - 1)) >= 0
        ? Actor.NEVER - 1
        : duration.toNanos();
  }

  /** Returns a duration as text for messages, such as {@code 5.0 ms} or {@code 1.5 s}. */
  static String text(Duration duration) {
    double millis = nanos(duration) / 1e6;
    return millis < 1000
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }

  /** Returns the time until a deadline: zero if it has passed, empty if there is none. */
  static Optional<Duration> until(long deadline, dev.weblocks.agent.Clock clock) {
    return deadline == Actor.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, deadline - clock.nanoTime())));
  }
}
