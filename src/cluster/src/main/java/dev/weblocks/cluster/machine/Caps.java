package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.ManagerId;
import org.jspecify.annotations.Nullable;

/** The limits of what user agents may store in a cluster. */
public final class Caps {

  /** The sessions of a cluster. */
  public static final int SESSIONS = 100_000;

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

  /** The events that a session may leave unacknowledged. */
  static final int OUTBOX = 1 << 20;

  private static final int LABEL = 256;

  private Caps() {}

  /** Returns why a request is not accepted; null if it is. */
  public static @Nullable String refusal(RequestLock request) {
    int length = request.options().name().length();
    return length <= LOCK_NAME
        ? null
        : "The name has %s code units, and a lock cluster accepts %s.".formatted(length, LOCK_NAME);
  }

  /** Returns why a bucket is not accepted; null if it is. */
  public static @Nullable String refusal(ManagerId bucket) {
    int length = bucket.value().length() + bucket.bucket().length();
    return length <= BUCKET_NAME
        ? null
        : ("The storage bucket and its storage key have names of %s code units together, and a lock"
                + " cluster accepts %s.")
            .formatted(length, BUCKET_NAME);
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
