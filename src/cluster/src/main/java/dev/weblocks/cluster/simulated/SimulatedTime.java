package dev.weblocks.cluster.simulated;

import dev.weblocks.cluster.session.ClusterTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A clock that stands still until time passes by a choice of the schedule. */
final class SimulatedTime {

  private record Timer(long at, long order, Runnable action) {}

  private final List<Process> processes = new ArrayList<>();
  private long now = 1;
  private long order;

  long nanoTime() {
    return now;
  }

  void pass(long nanos) {
    now += nanos;
  }

  /** Returns whether a timer of a process is due. */
  boolean hasDueTimer() {
    return processes.stream().anyMatch(Process::hasDueTimer);
  }

  Process newProcess() {
    Process process = new Process();
    processes.add(process);
    return process;
  }

  /**
   * The clocks and the timers of one process. A timer that is due runs when the schedule chooses
   * so: until then, the process is paused.
   */
  final class Process implements ClusterTime {
    private final PriorityQueue<Timer> timers =
        new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long wallMillis() {
      return now / 1_000_000;
    }

    @Override
    public void after(long nanos, Runnable action) {
      timers.add(new Timer(now + nanos, order++, action));
    }

    boolean hasDueTimer() {
      Timer first = timers.peek();
      return first != null && first.at() <= now;
    }

    void runDueTimer() {
      timers.remove().action().run();
    }
  }
}
