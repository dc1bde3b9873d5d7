package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.agent.ThreadPoolDriver;
import dev.weblocks.fastpath.FastPaths;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs the agents of any number of user agents. Close it after them.
 *
 * <p>Thread-safe, except that a deterministic driver belongs to one thread.
 */
public final class Driver implements AutoCloseable {

  private final dev.weblocks.agent.Driver driver;

  private Driver(dev.weblocks.agent.Driver driver) {
    this.driver = driver;
  }

  /**
   * Runs agents on a pool of daemon threads, in real time.
   *
   * @param threads how many agents run script at the same time, at least 1; agents may be many more
   * @throws IllegalArgumentException if {@code threads} is not positive
   */
  public static Driver threadPool(int threads) {
    return threadPool(threads, FastPaths.ofProcess());
  }

  static Driver threadPool(int threads, FastPaths fastPaths) {
    return new Driver(new ThreadPoolDriver(threads, fastPaths));
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order that the seed decides and in
   * virtual time. Nothing happens before {@link #runUntilQuiescent}.
   */
  public static Driver deterministic(long seed) {
    return new Driver(new DeterministicDriver(seed));
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

  /**
   * Runs a deterministic driver until nothing is left that could ever run.
   *
   * @param maxSteps a bound, for programs that never come to rest
   * @return the number of steps
   * @throws IllegalStateException if this driver is not deterministic, or the bound is reached
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
