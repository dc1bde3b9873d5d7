package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;

/** The parts of a run that faults act on, and the checked history. */
record Trial(
    ClusterStorm.Settings settings,
    TrialNetwork network,
    MemberProcesses members,
    LockCluster cluster,
    LockHistory history,
    SplittableRandom random) {

  /** The limit of each wait for something that has to happen. */
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** How long a round observes the clients after a fault, at least. */
  static final long ROUND_NANOS = Duration.ofSeconds(6).toNanos();

  /**
   * The result of a fault.
   *
   * @param member the member or process that it hit; "all" for all members
   * @param gap the time without a grant; negative if that of the clients counts
   * @param note more that was measured; may be empty
   */
  record Outcome(String member, long gap, String note) {
    Outcome(String member) {
      this(member, -1, "");
    }
  }

  /** Returns the member that leads. */
  String leader() throws EngineFailure, InterruptedException {
    try {
      return cluster.status().get().leader();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause() == null ? failed : failed.getCause();
      throw new EngineFailure(String.valueOf(cause.getMessage()));
    }
  }

  /** Returns a member other than the given one. */
  String otherThan(String member) {
    List<String> others = new ArrayList<>(network.members());
    others.remove(member);
    return others.get(random.nextInt(others.size()));
  }

  long leaseNanos() {
    return settings.lease().toNanos();
  }

  /** Returns a time of two to three seconds, or one that is longer than the lease. */
  long disturbanceNanos() {
    return random.nextBoolean()
        ? ROUND_NANOS / 3 + random.nextLong(ROUND_NANOS / 6)
        : leaseNanos() / 5 * 6;
  }

  /** Waits until a client has got a lock after a time; returns how much later it was. */
  long awaitGrantAfter(long nanos) throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    long later = history.nextGrantAfter(nanos);
    while (later < 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new EngineFailure("no client got a lock within a minute after the fault");
      }
      Thread.sleep(20);
      later = history.nextGrantAfter(nanos);
    }
    return later;
  }

  static void rest(long nanos) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(Math.max(0, nanos)));
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
  }
}
