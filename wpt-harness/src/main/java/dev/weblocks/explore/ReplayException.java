package dev.weblocks.explore;

/** A replay string that is none, or does not fit what is run. The message is one line. */
public final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplayException(String message) {
    super(message);
  }
}
