package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.message.LockState;
import java.util.List;

/** The answer to an {@link Entry} or a {@link Query}. {@link EntryCodec} writes it as bytes. */
public sealed interface Reply {

  /** The session is open. */
  record Opened(long session) implements Reply {}

  /**
   * The answer to a batch or a poll.
   *
   * @param lastCommand the number of the last command that was applied
   * @param events those that were not acknowledged: all of them, or the first ones
   */
  record Events(long lastCommand, List<Event> events) implements Reply {
    public Events {
      events = List.copyOf(events);
    }
  }

  /** There is no such session, or no longer: its locks are released. */
  record SessionOver() implements Reply {}

  /**
   * The member does not lead.
   *
   * @param leader the one that does, as {@code id=host:port}; from a build of version 1 the id
   *     alone; empty if it is not known
   */
  record NotLeading(String leader) implements Reply {}

  /** The replies to the entries or polls of one message, in their order. */
  record Several(List<Reply> replies) implements Reply {
    public Several {
      replies = List.copyOf(replies);
    }
  }

  /** The entry had no result. */
  record Done() implements Reply {}

  /**
   * The entry or query was not accepted, and will not be when it is sent again.
   *
   * @param message says why and what to do
   */
  record Rejected(String message) implements Reply {}

  /**
   * The session was not opened, as there is no room for it now.
   *
   * @param message names the limit
   */
  record Full(String message) implements Reply {}

  /** The locks of a namespace; empty if there is none with that name. */
  record Diagnosis(List<LockState> states, long nanoTime) implements Reply {
    public Diagnosis {
      states = List.copyOf(states);
    }
  }

  /**
   * The state of the machine, for people.
   *
   * @param removed the ids of former members
   */
  record Status(List<SessionStatus> sessions, List<MemberStatus> members, List<String> removed)
      implements Reply {
    public Status {
      sessions = List.copyOf(sessions);
      members = List.copyOf(members);
      removed = List.copyOf(removed);
    }
  }

  /**
   * A session.
   *
   * @param silentMillis the time since its last sign of life; -1 if it is not known
   */
  record SessionStatus(
      long session,
      String namespace,
      String name,
      long leaseMillis,
      long silentMillis,
      int clients,
      int held,
      int waiting) {}

  /**
   * A member.
   *
   * @param address as {@code host:port}; empty if it is not known
   * @param version the newest version of the codec that it reads; 0 if it has not joined
   * @param silentMillis the time since its last answer to the leader; -1 if it is not known
   * @param missing the number of logged entries that it does not have; -1 if it is not known
   */
  record MemberStatus(String id, String address, int version, long silentMillis, long missing) {}
}
