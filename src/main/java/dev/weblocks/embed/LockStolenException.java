package dev.weblocks.embed;

/** Another request stole a lock while work was done with it. */
public final class LockStolenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  LockStolenException(String name) {
    super("the lock '" + name + "' was stolen by another request");
  }
}
