package dev.weblocks.cluster.simulated;

import dev.weblocks.cluster.machine.ClusterMachine;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.LeaderSessions;
import dev.weblocks.cluster.machine.Reply;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A member of a simulated cluster: applies the log at its own pace. */
final class SimulatedMember {

  final String name;
  ClusterMachine machine = new ClusterMachine(EntryCodec.VERSION);
  LeaderSessions leaderSessions = new LeaderSessions(machine, Runnable::run);

  /** The number of entries that were applied. */
  int applied;

  private byte[] snapshot = machine.snapshot();
  private int snapshotAt;

  /** The state after the last entry; null if it was not read. */
  private byte @Nullable [] state;

  SimulatedMember(String name) {
    this.name = name;
  }

  /**
   * Applies the next entry.
   *
   * @param time the time that the entry has
   * @param now the current time, from which a leader counts leases
   */
  Reply apply(byte[] bytes, long time, long now) {
    Entry entry = EntryCodec.decodeEntry(bytes);
    state = null;
    return leaderSessions.apply(entry, ++applied, time, now);
  }

  /** Returns the state as bytes, which the caller must not change. */
  byte[] state() {
    byte[] known = state;
    if (known == null) {
      known = machine.snapshot();
      state = known;
    }
    return known;
  }

  void takeSnapshot() {
    snapshot = state();
    snapshotAt = applied;
  }

  /** Forgets all that is not in the snapshot; the entries after it are applied again. */
  void restart() {
    leaderSessions.becomeFollower();
    machine = ClusterMachine.restore(snapshot);
    if (!Arrays.equals(machine.snapshot(), snapshot)) {
      throw new IllegalStateException(name + ": a restored snapshot has other bytes");
    }
    leaderSessions = new LeaderSessions(machine, Runnable::run);
    applied = snapshotAt;
    state = snapshot;
  }
}
