package dev.weblocks.cluster;

import dev.weblocks.cluster.machine.Reply;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock cluster at one moment, as its leader sees it.
 *
 * @param leader the id of the member that leads
 * @param members in the order of their ids
 * @param sessions the open sessions, in the order in which they were opened
 */
public record ClusterStatus(String leader, List<Member> members, List<Session> sessions) {

  /** Copies both lists. */
  public ClusterStatus {
    members = List.copyOf(members);
    sessions = List.copyOf(sessions);
  }

  static ClusterStatus of(String leader, Reply.Status status) {
    return new ClusterStatus(
        leader,
        status.members().stream()
            .map(each ->
                new Member(
                    each.id(),
                    each.address(),
                    each.version(),
                    silence(each.silentMillis()),
                    each.missing()))
            .toList(),
        status.sessions().stream()
            .map(each ->
                new Session(
                    each.session(),
                    each.namespace(),
                    each.name(),
                    Duration.ofMillis(each.leaseMillis()),
                    silence(each.silentMillis()),
                    each.clients(),
                    each.held(),
                    each.waiting()))
            .toList());
  }

  private static @Nullable Duration silence(long millis) {
    return millis < 0 ? null : Duration.ofMillis(millis);
  }

  /**
   * A member.
   *
   * @param address as {@code host:port}; empty if the leader does not report it
   * @param codecVersion the newest version of messages, log and snapshots that it reads; 0 if it
   *     has never run
   * @param silence the time since its last answer to the leader, usually below a second while it
   *     runs; null if it is not known
   * @param missing the number of logged entries that it has not received; -1 if it is not known
   */
  public record Member(
      String id, String address, int codecVersion, @Nullable Duration silence, long missing) {}

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
