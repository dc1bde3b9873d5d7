package dev.weblocks.harness.compare;

import dev.weblocks.harness.compare.Workload.Kind;
import dev.weblocks.harness.compare.Workload.Unit;
import java.util.List;

/** All workloads. */
public final class Workloads {

  /** All workloads, in the order in which they run. */
  public static final List<Workload> ALL =
      List.of(
          rounds("sequential", "a free lock, again and again", Unit.LOCKS_PER_SECOND, 50_000),
          rounds(
              "concurrent-one-name",
              "many requests for one exclusive lock at once",
              Unit.LOCKS_PER_SECOND,
              20_000),
          rounds(
              "concurrent-at-once",
              "the same, with callbacks that return at once",
              Unit.LOCKS_PER_SECOND,
              20_000),
          rounds(
              "shared-readers",
              "many readers that hold one lock together",
              Unit.LOCKS_PER_SECOND,
              20_000),
          rounds(
              "distinct-names",
              "many locks with a name each, held at the same time",
              Unit.LOCKS_PER_SECOND,
              20_000),
          rounds(
              "if-available-hit",
              "a free lock, requested with ifAvailable",
              Unit.LOCKS_PER_SECOND,
              50_000),
          rounds(
              "if-available-miss",
              "a held lock, requested with ifAvailable",
              Unit.LOCKS_PER_SECOND,
              50_000),
          rounds(
              "abort",
              "requests that wait and are aborted, each by a signal of its own",
              Unit.ABORTS_PER_SECOND,
              10_000),
          rounds("steal", "a chain of steals", Unit.STEALS_PER_SECOND, 20_000),
          new Workload(
              "query",
              "query() while 10,000 locks are held (1,000 in a quick run)",
              Unit.MILLIS_PER_QUERY,
              Kind.ROUNDS,
              10_000,
              1000,
              10_000),
          rounds(
              "two-agents",
              "two workers that hand one lock to each other",
              Unit.HAND_OVERS_PER_SECOND,
              20_000),
          rounds(
              "eight-agents",
              "eight workers that hand one lock to each other",
              Unit.HAND_OVERS_PER_SECOND,
              20_000),
          new Workload(
              "leader-hand-over",
              "from the end of a worker to the grant of its lock to the next in the queue",
              Unit.MILLIS_PER_HAND_OVER,
              Kind.ROUNDS,
              20,
              5,
              20),
          new Workload(
              "agent-start",
              "agents that take a lock once: windows here, workers elsewhere",
              Unit.MILLIS_PER_AGENT,
              Kind.ROUNDS,
              100,
              20,
              1500),
          new Workload(
              "worker-start",
              "agents that take a lock once: dedicated workers everywhere",
              Unit.MILLIS_PER_AGENT,
              Kind.ROUNDS,
              100,
              20,
              100),
          new Workload(
              "first-lock",
              "from the start of a process to the line that a lock's callback prints",
              Unit.MILLIS,
              Kind.FIRST_LOCK,
              1,
              1,
              1),
          new Workload(
              "agent-memory",
              "resident memory of an agent that holds a lock: windows here, workers elsewhere",
              Unit.BYTES_PER_AGENT,
              Kind.MEMORY,
              100,
              50,
              300),
          new Workload(
              "worker-memory",
              "the same, with dedicated workers everywhere",
              Unit.BYTES_PER_AGENT,
              Kind.MEMORY,
              100,
              50,
              100),
          new Workload(
              "growth",
              "cost of a request with 1,000,000 in the queue (100,000 elsewhere, 10,000 in a quick"
                  + " run), relative to that with 1,000",
              Unit.TIMES,
              Kind.GROWTH,
              100_000,
              10_000,
              1_000_000));

  private Workloads() {}

  private static Workload rounds(String name, String about, Unit unit, int size) {
    return new Workload(name, about, unit, Kind.ROUNDS, size, size / 25, size);
  }
}
