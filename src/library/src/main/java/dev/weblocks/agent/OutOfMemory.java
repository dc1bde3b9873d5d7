package dev.weblocks.agent;

import org.graalvm.polyglot.PolyglotException;

/** The check whether an exception means that the process has run out of memory. */
public final class OutOfMemory {

  /** The limit for a cycle of causes. */
  private static final int MAX_CAUSES = 100;

  private OutOfMemory() {}

  /** Returns whether memory had run out, for Java code or for the engine. */
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
    // the engine has two such resources, and only the message distinguishes them; a cancelled
    // context has exceeded a configured limit
    return thrown.isResourceExhausted()
        && !thrown.isCancelled()
        && !message.contains("Stack overflow");
  }
}
