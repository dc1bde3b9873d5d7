package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The limits of what user agents may store in a cluster. {@link Quota} has those that add up. */
public final class Caps {

  /** The sessions of a cluster. */
  public static final int SESSIONS = 100_000;

  /** The shortest lease, in which three signs of life and an election have room. */
  public static final Duration SHORTEST_LEASE = Duration.ofSeconds(2);

  public static final Duration LONGEST_LEASE = Duration.ofDays(1);

  /** The heap of a member, in bytes, that holds all that clients may store. */
  public static final long HEAP = 1_536L << 20;

  /** No limit. */
  static final int NONE = Integer.MAX_VALUE;

  /** The named storage buckets of a namespace. */
  static final int BUCKETS = 10_000;

  /** The code units of the name of a storage bucket with its storage key. */
  private static final int BUCKET_NAME = 4_096;

  /** The code units of the name of a lock. */
  public static final int LOCK_NAME = 16_384;

  /** The bytes of an entry, a query or a reply without events. */
  public static final int MESSAGE = 1 << 20;

  /** The polls of a {@link Query.SharedPoll}. */
  public static final int SHARED_POLLS = 256;

  /** The size of the events in the reply to a batch; the others come with a poll. */
  static final long BATCH_REPLY = 128L << 10;

  /** The size of the events in the reply to a poll, unless the first one is larger. */
  static final long POLL_REPLY = 1L << 20;

  /** The locks and requests that the queries of one entry list. */
  static final int LISTED = 100_000;

  /** The events that a session may leave unacknowledged. */
  static final int OUTBOX = 1 << 20;

  /** The bytes of events that a session may leave unacknowledged. */
  static final long OUTBOX_BYTES = 32L << 20;

  /** The same while its namespace or the cluster is full. */
  static final long OUTBOX_BYTES_WHEN_FULL = 1L << 20;

  /** The code units of each text about a client or a request that is for people. */
  private static final int FOR_PEOPLE = 2_048;

  /** The code units of the id of a client. */
  private static final int CLIENT = 256;

  private static final int LABEL = 256;

  private Caps() {}

  /** Returns why a command is not accepted, whatever is stored; null if it is. */
  public static @Nullable String refusal(LockCommand command) {
    int client = command.client().value().length();
    if (client > CLIENT) {
      return "The id of the client has %s code units, and a lock cluster accepts %s."
          .formatted(client, CLIENT);
    }
    return switch (command) {
      case RequestLock request -> {
        String refusal = nameRefusal(request);
        yield refusal == null ? refusal(request.manager()) : refusal;
      }
      case TakeSnapshot query -> refusal(query.manager());
      case OpenBucket open -> refusal(open.bucket());
      case DeleteBucket delete -> refusal(delete.bucket());
      default -> null;
    };
  }

  static @Nullable String nameRefusal(RequestLock request) {
    int length = request.options().name().length();
    return length <= LOCK_NAME
        ? null
        : "The name has %s code units, and a lock cluster accepts %s.".formatted(length, LOCK_NAME);
  }

  /** Returns why a bucket is not accepted; null if it is. */
  static @Nullable String refusal(ManagerId bucket) {
    int length = bucket.value().length() + bucket.bucket().length();
    return length <= BUCKET_NAME
        ? null
        : ("The storage bucket and its storage key have names of %s code units together, and a lock"
                + " cluster accepts %s.")
            .formatted(length, BUCKET_NAME);
  }

  /** Returns a command whose texts for people are not too long. */
  public static LockCommand cut(LockCommand command) {
    return switch (command) {
      case RegisterClient register -> cut(register);
      case RequestLock request -> cut(request);
      default -> command;
    };
  }

  private static RequestLock cut(RequestLock request) {
    LockOptions options = request.options();
    String position = options.position();
    return position == null || position.length() <= FOR_PEOPLE
        ? request
        : new RequestLock(
            request.id(),
            request.manager(),
            new LockOptions(
                options.name(),
                options.mode(),
                options.waitMode(),
                options.reentrant(),
                cut(position)));
  }

  public static RegisterClient cut(RegisterClient register) {
    LockRequester from = register.requester();
    LockRequester to = new LockRequester(cut(from.agent()), cut(from.url()), cut(from.origin()));
    return to.equals(from) ? register : new RegisterClient(register.client(), to);
  }

  private static String cut(String text) {
    if (text.length() <= FOR_PEOPLE) {
      return text;
    }
    int end = FOR_PEOPLE - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  /** Returns why a session cannot be opened, whatever is stored; null if it can. */
  static @Nullable String refusal(OpenSession open) {
    if (open.leaseMillis() < SHORTEST_LEASE.toMillis()
        || open.leaseMillis() > LONGEST_LEASE.toMillis()) {
      return "the lease has %s ms, and a lock cluster accepts %s to %s"
          .formatted(open.leaseMillis(), SHORTEST_LEASE.toMillis(), LONGEST_LEASE.toMillis());
    }
    return tooLong(open);
  }

  /**
   * Returns the name of something in a cluster, such as a namespace.
   *
   * @throws IllegalArgumentException if it is empty, too long, or has control characters
   */
  public static String requireLabel(String what, String value) {
    if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the %s '%s' is not a name; use letters, digits and the like".formatted(what, value));
    }
    if (value.length() > LABEL) {
      throw new IllegalArgumentException(tooLong(what, value));
    }
    return value;
  }

  static @Nullable String tooLong(OpenSession open) {
    if (open.namespace().length() > LABEL) {
      return tooLong("namespace", open.namespace());
    }
    return open.name().length() > LABEL ? tooLong("name of the session", open.name()) : null;
  }

  private static String tooLong(String what, String value) {
    return "the %s has %s code units; use at most %s".formatted(what, value.length(), LABEL);
  }
}
