package dev.weblocks.embed;

/**
 * Thrown when a lock is lost while the work that it protects is running: another request has stolen
 * it, or the lock cluster could not be reached for so long that others may have it.
 */
public final class LockStolenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  LockStolenException(String name, String how) {
    super("the lock '" + name + "' was " + how);
  }
}
