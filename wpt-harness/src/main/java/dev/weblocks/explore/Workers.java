package dev.weblocks.explore;

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
 * Runs schedules on several threads at once, and gives what came of them in the order in which they
 * were begun: so nothing that is found depends on how many threads there are. For one thread, which
 * is none of them.
 */
final class Workers implements AutoCloseable {

  /** Scripts that call themselves need room, as on the threads of drivers. */
  private static final long STACK_SIZE = 16L << 20;

  /** A step that takes longer is taken for one that has no end. */
  private static final Duration LONGEST_STEP = Duration.ofSeconds(2);

  /**
   * A run that is over.
   *
   * @param states that it came through
   */
  record Run(Execution execution, Coverage states) {}

  private final ScheduleRunner runner;
  private final int most;
  private final ExecutorService threads;
  private final Deque<Future<Run>> underWay = new ArrayDeque<>();
  private volatile boolean enough;

  /**
   * Makes some.
   *
   * @param jobs how many threads, at least 1
   */
  Workers(ScheduleRunner runner, int jobs) {
    this.runner = runner;
    this.most = jobs == 1 ? 1 : 2 * jobs; // nobody waits for the oldest one
    ThreadFactory daemons =
        Thread.ofPlatform()
            .daemon() // a script that does not end must not keep the process
            .name("weblocks-explore-", 1)
            .stackSize(STACK_SIZE)
            .factory();
    this.threads = Executors.newFixedThreadPool(jobs, daemons);
  }

  /** How many runs have been begun and not taken. */
  int underWay() {
    return underWay.size();
  }

  /** Whether another run may be begun. */
  boolean haveRoom() {
    return underWay.size() < most;
  }

  /** Begins a run. */
  void begin(Chooser chooser) {
    underWay.add(
        threads.submit(() -> {
          Coverage states = new Coverage();
          return new Run(runner.run(chooser, states, () -> enough), states);
        }));
  }

  /**
   * Waits for the oldest run that is under way, of which there has to be one.
   *
   * @throws RuntimeException or an error, what the run has failed with
   */
  Run take() {
    Future<Run> oldest = underWay.remove();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return oldest.get();
        } catch (InterruptedException e) {
          interrupted = true; // who wants an end says so between steps
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
   * Breaks off the runs that are under way, each after its present step, and waits for that; not
   * for a step that has no end, which ends with the environment.
   */
  @Override
  public void close() {
    enough = true;
    underWay.forEach(run -> run.cancel(false)); // what has not begun does not begin
    underWay.clear();
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(LONGEST_STEP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
