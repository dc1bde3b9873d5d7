package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import org.jspecify.annotations.Nullable;

/** The limits of what user agents may store in a cluster. */
public final class Caps {

  /** The sessions of a cluster. */
  public static final int SESSIONS = 100_000;

  /** The code units of the name of a lock. */
  public static final int LOCK_NAME = 16_384;

  /** The bytes of an entry, a query or a reply without events. */
  public static final int MESSAGE = 1 << 20;

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
