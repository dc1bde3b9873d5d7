package dev.weblocks.embed;

/** Thrown when another request steals a lock while the work that the lock protects is running. */
public final class LockStolenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  LockStolenException(String name) {
    super("the lock '" + name + "' was stolen by another request");
  }
}
