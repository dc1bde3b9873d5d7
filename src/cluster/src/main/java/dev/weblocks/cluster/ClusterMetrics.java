package dev.weblocks.cluster;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock cluster as one JVM sees it at one moment. Reading it sends no message.
 *
 * @param leader the id of the leader: the one that the member of this JVM follows; without a
 *     running member, the one that has answered last. Null if there is none
 * @param sinceAnswer the time since the cluster has answered this JVM; null before the first
 *     answer. Little more than a second at most while a session is open and the cluster is reached
 * @param commandsInFlight the lock requests, releases, aborts and queries of this JVM that the
 *     cluster has not answered; a request that waits for its lock was answered
 * @param sessions the sessions of the user agents of this JVM, in the order of their first use of
 *     locks
 * @param member the state of the member of this JVM; null if it is a client only
 */
public record ClusterMetrics(
    @Nullable String leader,
    @Nullable Duration sinceAnswer,
    int commandsInFlight,
    List<LocalSession> sessions,
    @Nullable MemberStatus member) {

  /** Copies the list. */
  public ClusterMetrics {
    sessions = List.copyOf(sessions);
  }
}
