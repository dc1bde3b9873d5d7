package dev.weblocks.explore.schedule;

/** Thrown if a replay string is invalid, or does not fit the run. The message is one line. */
public final class ReplayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplayException(String message) {
    super(message);
  }
}
