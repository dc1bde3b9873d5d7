package dev.weblocks.explore.schedule;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Threads that run schedules; results come in the order in which the schedules were begun. So
 * findings do not depend on the number of threads. Used by one thread, which must not be a worker.
 */
final class Workers implements AutoCloseable {

  /** The stack size of a thread, as for threads of drivers; deeply recursive scripts need it. */
  private static final long STACK_SIZE = 16L << 20;

  /** The time after which a step is assumed not to end. */
  private static final Duration LONGEST_STEP = Duration.ofSeconds(2);

  record Run(Execution execution, Coverage states) {}

  private final ScheduleRunner runner;
  private final int most;
  private final ExecutorService threads;
  private final Deque<Future<Run>> inFlight = new ArrayDeque<>();
  private volatile boolean enough;

  Workers(ScheduleRunner runner, int jobs) {
    this.runner = runner;
    this.most = jobs == 1 ? 1 : 2 * jobs; // no thread idles while the oldest run continues
    ThreadFactory daemons =
        Thread.ofPlatform()
            .daemon() // a script that does not end must not keep the process alive
            .name("weblocks-explore-", 1)
            .stackSize(STACK_SIZE)
            .factory();
    this.threads = Executors.newFixedThreadPool(jobs, daemons);
  }

  /** Returns the number of runs that have begun and whose results have not been taken. */
  int inFlight() {
    return inFlight.size();
  }

  boolean haveRoom() {
    return inFlight.size() < most;
  }

  void begin(Chooser chooser) {
    inFlight.add(
        threads.submit(() -> {
          Coverage states = new Coverage();
          return new Run(runner.run(chooser, states, () -> enough), states);
        }));
  }

  /**
   * Waits for the oldest run in progress. There must be one.
   *
   * @throws RuntimeException if the run failed with this exception; likewise for errors
   */
  Run take() {
    Future<Run> oldest = inFlight.remove();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return oldest.get();
        } catch (InterruptedException e) {
          interrupted = true; // runs check for an end between steps
        } catch (ExecutionException failure) {
          throw thrown(failure);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(ExecutionException failure) {
    return switch (failure.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      case null, default -> new IllegalStateException(failure);
    };
  }

  /**
   * Aborts the runs in progress, each after its current step, and waits for them. Does not wait for
   * a step that does not end; closing the environment ends such a step.
   */
  @Override
  public void close() {
    enough = true;
    inFlight.forEach(run -> run.cancel(false)); // prevents runs that have not begun
    inFlight.clear();
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(LONGEST_STEP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
