package dev.weblocks.embed;

import dev.weblocks.agent.Activity;
import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Installation} whose event loop the caller runs with the methods of this type: timers,
 * callbacks of locks and all other tasks run only inside these methods. Any thread that may enter
 * the context may run the loop, one at a time.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="callerDrivenInstallation"}
 */
public final class CallerDrivenInstallation extends Installation {

  /** The real time after which {@link #run} throws if the clock it waits for stands still. */
  private static final long STANDSTILL_NANOS = 1_000_000_000;

  private final AtomicBoolean driven = new AtomicBoolean();

  CallerDrivenInstallation(Installed installed) {
    super(installed);
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
          long nanos = Driver.nanos(time);
          if (!loop.isScheduled() || !driver.runFor(nanos)) {
            runAndWait(nanos, () -> false);
          }
          return true;
        });
  }

  /**
   * Runs turns until a stage has completed. In between, waits for timers, and for all that runs by
   * itself in the user agent: agents on threads of its driver or of an executor, steps of locks,
   * and requests to the resource loader. Runs a deterministic driver, if there is one and no {@link
   * Builder#clock clock} was set.
   *
   * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="runUntil"}
   *
   * @return the value of the stage
   * @throws java.util.concurrent.CompletionException if the stage fails; its exception is the cause
   * @throws java.util.concurrent.CancellationException if the stage is cancelled, as by the end of
   *     the installation
   * @throws IllegalStateException if there is no task, no timer and nothing else to wait for. Then
   *     only other code of the host, another loop that a caller runs, or another process of a lock
   *     cluster can complete the stage: use {@link #runUntil(CompletionStage, Duration)}. The
   *     message names the locks that script waits for. Also in the cases of {@link #run}
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <T extends @Nullable Object> T runUntil(CompletionStage<T> stage)
      throws InterruptedException {
    CompletableFuture<T> future = Objects.requireNonNull(stage, "stage").toCompletableFuture();
    drive(() -> {
      if (loop.isScheduled()) {
        driver.runUntil(future);
      } else {
        runUntilDone(future, Actor.NEVER);
      }
      return true;
    });
    if (!future.isDone()) {
      throw new IllegalStateException(
          agent.isEnding()
              ? hasEnded()
              : "the stage is not done, but "
                  + name()
                  + " is idle: no task or timer is left, and nothing is in flight"
                  + waits()
                  + "; if other code or another process completes the stage, use runUntil(stage,"
                  + " timeout)");
    }
    return future.join();
  }

  /**
   * Runs turns until a stage has completed, and waits for work and timers in between, for a limited
   * time. Otherwise like {@link #runUntil(CompletionStage)}.
   *
   * @param timeout positive, by the clock of this installation
   * @throws TimeoutException if the stage is not done in time; the message names the locks that
   *     script waits for
   */
  public <T extends @Nullable Object> T runUntil(CompletionStage<T> stage, Duration timeout)
      throws InterruptedException, TimeoutException {
    CompletableFuture<T> future = Objects.requireNonNull(stage, "stage").toCompletableFuture();
    if (Objects.requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout is " + timeout + "; use a positive duration");
    }
    long nanos = Driver.nanos(timeout);
    boolean done =
        drive(() -> {
          if (!loop.isScheduled()) {
            return runUntilDone(future, nanos);
          }
          try {
            driver.internal().await(future, nanos, name());
            return true;
          } catch (TimeoutException late) {
            return false;
          }
        });
    if (!done && agent.isEnding()) {
      throw new IllegalStateException(hasEnded());
    }
    if (!done) {
      throw new TimeoutException(
          "the stage is not done after "
              + Driver.text(timeout)
              + " of turns of "
              + name()
              + waits());
    }
    return future.join();
  }

  /** Runs turns until a future is done, like {@link #runAndWait}; returns whether it is. */
  private boolean runUntilDone(CompletableFuture<?> future, long nanos)
      throws InterruptedException {
    Activity activity = agent.userAgent().activity();
    CompletableFuture<?> over = new CompletableFuture<>();
    // anyOf() leaves no dependent on the future when the other one is done
    CompletableFuture<?> unused =
        CompletableFuture.anyOf(future, over).whenComplete((any, failure) -> loop.signal());
    Runnable signal = loop::signal;
    activity.onStandstill(signal);
    try {
      runAndWait(nanos, future::isDone);
    } finally {
      activity.removeOnStandstill(signal);
      over.complete(null);
    }
    return future.isDone();
  }

  /** Returns the lock requests of this client that wait, as a part of a message; empty for none. */
  private String waits() {
    List<LockEntry> locks = Observing.locks(agent.userAgent());
    StringBuilder text = new StringBuilder();
    for (LockEntry entry : locks) {
      if (!entry.isHeld() && entry.clientId().equals(clientId())) {
        text.append("; it waits for ").append(DeadlockReport.describe(entry, locks));
      }
    }
    return text.toString();
  }

  /**
   * Runs turns until a time has passed, or the stage is done; also returns if the installation
   * ends.
   *
   * @param nanos {@link Actor#NEVER} to return when nothing is left to run or to wait for
   */
  private void runAndWait(long nanos, BooleanSupplier isDone) throws InterruptedException {
    Clock clock = loop.clock();
    long end = clock.after(nanos);
    long stoodStill = 0;
    while (!agent.isEnding() && !isDone.getAsBoolean()) {
      long seen = loop.signals();
      boolean ran = turn();
      long now = clock.nanoTime();
      if (now >= end) {
        return;
      }
      if (!ran && !isDone.getAsBoolean()) {
        long next = Math.min(end, loop.nextDeadline());
        if (next == Actor.NEVER) {
          if (othersGoOn()) {
            boolean unused = loop.awaitSignalAfter(seen, Actor.NEVER);
          } else if (loop.signals() == seen) { // after the check: others signal before they rest
            return;
          }
        } else if (next > now) {
          boolean signalled = loop.awaitSignalAfter(seen, next - now);
          boolean stands = !signalled && clock.nanoTime() == now;
          stoodStill = stands ? stoodStill + next - now : 0;
          if (stoodStill > STANDSTILL_NANOS) {
            throw new IllegalStateException(
                "the clock of "
                    + name()
                    + " did not advance while its loop waited; advance it, and call runUntilIdle()");
          }
        }
      }
    }
  }

  /** Returns whether anything goes on in the user agent that no caller has to run. */
  private boolean othersGoOn() {
    return !driver.internal().isDeterministic() && agent.userAgent().activity().goesOnByItself();
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
