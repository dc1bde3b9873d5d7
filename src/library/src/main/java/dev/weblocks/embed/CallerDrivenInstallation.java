package dev.weblocks.embed;

import dev.weblocks.agent.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An {@link Installation} whose event loop the caller runs with the methods of this type: timers,
 * callbacks of locks and all other tasks run only inside these methods. Callable on any thread that
 * may enter the context may run the loop, one at a time.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="callerDrivenInstallation"}
 */
public final class CallerDrivenInstallation extends Installation {

  /** The real time after which {@link #run} throws if the clock it waits for stands still. */
  private static final long STANDSTILL_NANOS = 1_000_000_000;

  private final Driver driver;
  private final AtomicBoolean driven = new AtomicBoolean();

  CallerDrivenInstallation(Installed installed, Driver driver) {
    super(installed);
    this.driver = driver;
  }

  /**
   * Runs one turn, if there is work: for example the callback of a timer or a lock, with all
   * microtasks.
   *
   * @return false if there was no work; a timer that is not due does not count
   * @throws IllegalStateException if a callback calls this, if another thread runs the loop or is
   *     inside the context, or if the installation has ended
   */
  public boolean runOne() {
    return drive(this::turn);
  }

  /**
   * Runs turns until there is no work. Timers that are not due stay.
   *
   * @return the number of turns
   * @throws IllegalStateException as {@link #runOne} does
   */
  public long runUntilIdle() {
    return drive(() -> {
      long turns = 0;
      while (!agent.isEnding() && turn()) {
        turns++;
      }
      return turns;
    });
  }

  /**
   * Runs turns until the clock has advanced by the given time; waits for work and timers in
   * between. Returns early if the installation ends. If the driver is deterministic, and no {@link
   * Builder#clock clock} was set, runs that driver for this virtual time instead, without waiting.
   *
   * @param time not negative
   * @throws IllegalArgumentException if the time is negative
   * @throws IllegalStateException in the cases of {@link #runOne}; also if a {@link Builder#clock
   *     clock} was set and stands still during the wait: advance it, and call {@link #runUntilIdle}
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void run(Duration time) throws InterruptedException {
    Objects.requireNonNull(time, "time");
    if (time.isNegative()) {
      throw new IllegalArgumentException("time is " + time + "; use zero or a positive duration");
    }
    boolean unused =
        drive(() -> {
          runAndWait(time.toNanos());
          return true;
        });
  }

  private void runAndWait(long nanos) throws InterruptedException {
    if (loop.isScheduled() && driver.runFor(nanos)) {
      return;
    }
    Clock clock = loop.clock();
    long end = clock.nanoTime() + nanos;
    long stoodStill = 0;
    while (!agent.isEnding()) {
      long seen = loop.signals();
      boolean ran = turn();
      long now = clock.nanoTime();
      if (now >= end) {
        return;
      }
      if (!ran) {
        long next = Math.min(end, loop.nextDeadline());
        if (next > now) {
          boolean signalled = loop.awaitSignalAfter(seen, next - now);
          boolean stands = !signalled && clock.nanoTime() == now;
          stoodStill = stands ? stoodStill + next - now : 0;
          if (stoodStill > STANDSTILL_NANOS) {
            throw new IllegalStateException(
                "the clock of "
                    + name()
                    + " did not advance while run() waited; advance it, and call runUntilIdle()");
          }
        }
      }
    }
  }

  /**
   * Returns the time until the next timer is due; empty if there is no timer, zero if one is due.
   * Callable on any thread, at any time. The result may be stale at once; {@link Builder#onWork}
   * announces an earlier timer.
   */
  public Optional<Duration> untilNextTimer() {
    return Driver.until(loop.nextDeadline(), loop.clock());
  }

  private boolean turn() {
    boolean ran = loop.runOne();
    if (!ran && agent.wasRefused()) {
      throw new IllegalStateException(
          "another thread is inside the context of "
              + name()
              + "; run the loop on that thread, or when it has left");
    }
    return ran;
  }

  private interface Steps<T, E extends Exception> {
    T run() throws E;
  }

  private <T, E extends Exception> T drive(Steps<T, E> steps) throws E {
    if (agent.eventLoop().isOnLoop() || isCalledByScript()) {
      throw new IllegalStateException(
          "a callback of " + name() + " must not run its loop; return from the callback first");
    }
    if (agent.isEnding()) {
      throw new IllegalStateException(hasEnded());
    }
    if (!driven.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "another thread runs the loop of " + name() + "; use submit() to run a task there");
    }
    try {
      return steps.run();
    } finally {
      driven.set(false);
    }
  }
}
