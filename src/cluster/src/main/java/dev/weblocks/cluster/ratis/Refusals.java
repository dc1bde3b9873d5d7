package dev.weblocks.cluster.ratis;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * The members that refuse a client. It gives up only if most of them do: one may be set up wrongly,
 * or its address may belong to another cluster. Thread-safe.
 */
final class Refusals {

  private static final System.Logger LOG = System.getLogger("dev.weblocks.cluster");

  private final Set<RaftPeerId> given;

  // guarded by this
  private final Map<RaftPeerId, String> reasons = new HashMap<>();

  /**
   * Creates an empty list.
   *
   * @param given the members whose majority decides
   */
  Refusals(List<RaftPeerId> given) {
    this.given = new HashSet<>(given);
  }

  /** Adds a refusal, and returns whether most members refuse now. Logs the first of each member. */
  synchronized boolean add(RaftPeerId member, String reason) {
    if (!given.contains(member)) {
      return false;
    }
    boolean isNew = reasons.put(member, reason) == null;
    boolean isMost = reasons.size() > given.size() / 2;
    if (isNew && !isMost) {
      LOG.log(
          Level.WARNING,
          "the member ''{0}'' refuses this client, which tries the others: {1}",
          member,
          reason);
    }
    return isMost;
  }

  /** Forgets the refusals, as the leader has answered: the cluster accepts this client. */
  synchronized void clear() {
    reasons.clear();
  }
}
