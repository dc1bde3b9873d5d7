package dev.weblocks.embed;

import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.ThreadPoolDriver;

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
    return new Driver(new ThreadPoolDriver(threads));
  }

  /**
   * Runs agents on the calling thread, one step at a time, in an order that the seed decides and in
   * virtual time. Nothing happens before {@link #runUntilQuiescent}.
   */
  public static Driver deterministic(long seed) {
    return new Driver(new DeterministicDriver(seed));
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
