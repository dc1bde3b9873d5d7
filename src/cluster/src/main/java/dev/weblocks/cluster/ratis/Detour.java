package dev.weblocks.cluster.ratis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * Whether the messages of a client take a detour to the leader, as the client itself cannot reach
 * it: then the member that they are sent to forwards them. Thread-safe.
 */
final class Detour {

  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A detour.
   *
   * @param target the index of the member that forwards
   */
  record Way(RaftPeerId leader, int target) {}

  /** The members that have not answered the last message. */
  private final Set<RaftPeerId> silent = ConcurrentHashMap.newKeySet();

  // guarded by this
  private @Nullable Way way;
  private boolean isProbing;
  private long lastProbe;

  /** Notes whether a member has answered this client itself. */
  void note(RaftPeerId member, boolean hasAnswered) {
    if (!hasAnswered) {
      silent.add(member);
    } else if (!silent.isEmpty()) {
      silent.remove(member);
    }
  }

  /** Returns the detour of the messages to a target; null for none. */
  synchronized @Nullable Way of(int target) {
    return way != null && way.target() == target ? way : null;
  }

  /** Begins a detour if the leader has not answered this client; returns whether it did. */
  synchronized boolean begin(RaftPeerId leader, int target, long now) {
    if (!silent.contains(leader)) {
      return false;
    }
    way = new Way(leader, target);
    lastProbe = now;
    return true;
  }

  synchronized void end(Way former) {
    if (former.equals(way)) {
      way = null;
    }
  }

  /** Returns whether to find out now if the leader can be reached again. */
  synchronized boolean beginProbe(long now) {
    if (isProbing || now - lastProbe < PROBE_NANOS) {
      return false;
    }
    isProbing = true;
    lastProbe = now;
    return true;
  }

  synchronized void endProbe() {
    isProbing = false;
  }
}
