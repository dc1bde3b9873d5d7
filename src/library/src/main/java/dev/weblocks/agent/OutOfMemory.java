package dev.weblocks.agent;

import org.graalvm.polyglot.PolyglotException;

/** A check for exceptions that mean that the process has run out of memory. */
public final class OutOfMemory {

  /** The maximum number of causes to follow, as they may form a cycle. */
  private static final int MAX_CAUSES = 100;

  private OutOfMemory() {}

  /** Returns whether a failure was caused by lack of memory, in Java code or in the engine. */
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
      return message.contains(OutOfMemoryError.class.getName()); // the text of the error
    }
    // a cancelled context has exceeded a configured limit
    return thrown.isResourceExhausted() && !thrown.isCancelled() && !isStackOverflow(thrown);
  }

  /** Returns whether an exhausted resource is the stack: only the message distinguishes the two. */
  public static boolean isStackOverflow(PolyglotException thrown) {
    return thrown.isResourceExhausted()
        && String.valueOf(thrown.getMessage()).contains("Stack overflow");
  }
}
