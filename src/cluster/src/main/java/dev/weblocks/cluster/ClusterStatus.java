package dev.weblocks.cluster;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock cluster at one moment, as its leader sees it.
 *
 * @param leader the id of the member that leads
 * @param members the ids of the members that have joined
 * @param sessions the open sessions, in the order in which they were opened
 */
public record ClusterStatus(String leader, List<String> members, List<Session> sessions) {

  /** Copies both lists. */
  public ClusterStatus {
    members = List.copyOf(members);
    sessions = List.copyOf(sessions);
  }

  /**
   * The session of a user agent.
   *
   * @param name of the user agent
   * @param lease the silence after which the session expires
   * @param silence the time since its last sign of life; null if it is not known
   * @param clients the number of documents, workers and Java clients
   * @param held the number of held locks
   * @param waiting the number of waiting requests
   */
  public record Session(
      long id,
      String namespace,
      String name,
      Duration lease,
      @Nullable Duration silence,
      int clients,
      int held,
      int waiting) {}
}
