package dev.weblocks.harness.compare;

import dev.weblocks.harness.compare.Workload.Kind;
import dev.weblocks.harness.compare.Workload.Unit;
import java.util.List;

/** All workloads. */
public final class Workloads {

  /**
   * A line for each workload: name, kind, unit, sizes and description. The sizes are those of a
   * round, of a quick round, and of a round in Weblocks.
   */
  private static final String TABLE =
      """
      sequential ROUNDS LOCKS_PER_SECOND 50000 2000 50000 a free lock, again and again
      concurrent-one-name ROUNDS LOCKS_PER_SECOND 20000 800 20000 \
      many requests for one exclusive lock at once
      concurrent-at-once ROUNDS LOCKS_PER_SECOND 20000 800 20000 \
      the same, with callbacks that return at once
      shared-readers ROUNDS LOCKS_PER_SECOND 20000 800 20000 \
      many readers that hold one lock together
      distinct-names ROUNDS LOCKS_PER_SECOND 20000 800 20000 \
      many locks with a name each, held at the same time
      if-available-hit ROUNDS LOCKS_PER_SECOND 50000 2000 50000 \
      a free lock, requested with ifAvailable
      if-available-miss ROUNDS LOCKS_PER_SECOND 50000 2000 50000 \
      a held lock, requested with ifAvailable
      abort ROUNDS ABORTS_PER_SECOND 10000 400 10000 \
      requests that wait and are aborted, each by a signal of its own
      steal ROUNDS STEALS_PER_SECOND 20000 800 20000 a chain of steals
      query ROUNDS MILLIS_PER_QUERY 10000 1000 10000 \
      query() while 10,000 locks are held (1,000 in a quick run)
      two-agents ROUNDS HAND_OVERS_PER_SECOND 20000 800 20000 \
      two workers that hand one lock to each other
      eight-agents ROUNDS HAND_OVERS_PER_SECOND 20000 800 20000 \
      eight workers that hand one lock to each other
      leader-hand-over ROUNDS MILLIS_PER_HAND_OVER 20 5 20 \
      from the end of a worker to the grant of its lock to the next in the queue
      agent-start ROUNDS MILLIS_PER_AGENT 100 20 1500 \
      agents that take a lock once: windows here, workers elsewhere
      worker-start ROUNDS MILLIS_PER_AGENT 100 20 100 \
      agents that take a lock once: dedicated workers everywhere
      first-lock FIRST_LOCK MILLIS 1 1 1 \
      from the start of a process to the line that a lock's callback prints
      run-file-cold USE LOCKS_PER_SECOND 1 1 1 \
      'weblocks run FILE': a free lock again and again, first second of the script
      run-file-warm USE LOCKS_PER_SECOND 60 5 60 the same, last of 60 seconds (5 in a quick run)
      window-cold USE LOCKS_PER_SECOND 1 1 1 \
      the same script in a window of a Java program, and in a process elsewhere: first second
      window-warm USE LOCKS_PER_SECOND 30 5 30 the same, last of 30 seconds (5 in a quick run)
      installed-context-cold USE LOCKS_PER_SECOND 1 1 1 \
      the same script in a context of a Java program, without host access, on an executor: first second
      installed-context-warm USE LOCKS_PER_SECOND 30 5 30 \
      the same, last of 30 seconds (5 in a quick run)
      java-client-cold USE LOCKS_PER_SECOND 1 1 1 \
      Java code that takes a lock again and again, beside the script elsewhere: first second
      java-client-warm USE LOCKS_PER_SECOND 30 5 30 \
      the same, last of 30 seconds (5 in a quick run)
      agent-memory MEMORY BYTES_PER_AGENT 100 50 300 \
      resident memory of an agent that holds a lock: windows here, workers elsewhere
      worker-memory MEMORY BYTES_PER_AGENT 100 50 100 \
      the same, with dedicated workers everywhere
      growth GROWTH TIMES 100000 10000 1000000 \
      cost of a request with 1,000,000 in the queue (100,000 elsewhere, 10,000 in a quick run), \
      relative to that with 1,000
      """;

  /** All workloads, in the order in which they run. */
  public static final List<Workload> ALL = TABLE.lines().map(Workloads::read).toList();

  private Workloads() {}

  private static Workload read(String line) {
    String[] words = line.split(" ", 7);
    return new Workload(
        words[0],
        words[6],
        Unit.valueOf(words[2]),
        Kind.valueOf(words[1]),
        Integer.parseInt(words[3]),
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]));
  }
}
