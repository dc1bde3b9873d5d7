package dev.weblocks.cluster.machine;

import java.util.List;
import java.util.UUID;

/** A read by the leader, which changes nothing. {@link EntryCodec} writes it as bytes. */
public sealed interface Query {

  /**
   * A request for the events of a session; the sign of life of its user agent. The answer may wait
   * until there are some.
   *
   * @param acknowledged the number of the last event that the user agent has received; 0 for none
   */
  record Poll(long session, UUID secret, long acknowledged) implements Query {}

  /**
   * The polls of several user agents. The answer waits until one of them has events, and has a
   * reply for each, in their order.
   */
  record SharedPoll(List<Poll> polls) implements Query {
    public SharedPoll {
      polls = List.copyOf(polls);
      if (polls.size() > Caps.SHARED_POLLS) {
        throw new IllegalArgumentException(
            polls.size() + " polls in one message, and " + Caps.SHARED_POLLS + " are the limit");
      }
    }
  }

  /** A request for all locks and requests of a namespace. */
  record Diagnose(String namespace) implements Query {}

  /** A request for the sessions, namespaces and members. */
  record ReadStatus() implements Query {}
}
