package dev.weblocks.embed;

import dev.weblocks.agent.CallerDriver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A driver for a program that has its own event loop. It runs agents in real time, on threads of
 * the caller, only inside the methods of this type. Several threads may run it at once; each agent
 * still runs one turn at a time. Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="callerDrivenDriver"}
 *
 * @see Driver#callerDriven
 */
public final class CallerDrivenDriver extends Driver {

  private final CallerDriver driver;

  CallerDrivenDriver(CallerDriver driver) {
    super(driver);
    this.driver = driver;
  }

  /**
   * Runs one turn of one agent that has work.
   *
   * @return false if there is no work; timers that are not due do not count
   */
  public boolean runOne() {
    return driver.runOne();
  }

  /**
   * Runs turns until there is no work. Timers that are not due stay, so user agents may not be
   * {@linkplain UserAgent#quiescent quiescent} afterwards.
   *
   * @return the number of turns
   */
  public long runUntilIdle() {
    return driver.runUntilIdle();
  }

  /**
   * Returns the time until the next timer is due; empty if there is no timer, zero if one is due.
   * Callable on any thread, at any time. The result may be stale at once; the callback of {@link
   * Driver#callerDriven} announces an earlier timer.
   */
  public Optional<Duration> untilNextTimer() {
    return until(driver.nextDeadline(), driver.clock());
  }

  @Override
  void runUntil(CompletableFuture<?> done) throws InterruptedException {
    driver.pause(done);
  }

  @Override
  void runEnd(UserAgentEnd end) {
    try {
      while (!end.agentsHaveEnded()) {
        runUntil(end.agentsWithinPatience());
        if (!end.agentsHaveEnded()) {
          end.refuseToWaitForInstallations();
        }
      }
      while (!end.listenersHaveRun() && driver.runOne()) {}
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while agents were ending", interrupted);
    }
  }
}
