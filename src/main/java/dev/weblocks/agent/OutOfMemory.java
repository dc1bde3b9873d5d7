package dev.weblocks.agent;

import org.graalvm.polyglot.PolyglotException;

/** Knows by what was thrown whether the memory of the process has run out. */
public final class OutOfMemory {

  /** So that a circle of causes has an end. */
  private static final int MAX_CAUSES = 100;

  private OutOfMemory() {}

  /** Whether there was no memory left, be it for Java code or for the engine. */
  public static boolean isCauseOf(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
      if (cause instanceof PolyglotException thrown && isCauseIn(thrown)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isCauseIn(PolyglotException thrown) {
    if (thrown.isHostException()) {
      return isCauseOf(thrown.asHostException());
    }
    String message = String.valueOf(thrown.getMessage());
    if (thrown.isInternalError()) {
      return message.contains(OutOfMemoryError.class.getName()); // the text of what was thrown
    }
    // the engine has two such resources, and tells them apart by its message alone; one that is
    // cancelled has met a limit that somebody has set
    return thrown.isResourceExhausted()
        && !thrown.isCancelled()
        && !message.contains("Stack overflow");
  }
}
