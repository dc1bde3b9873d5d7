package dev.weblocks.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An exception, or a rejected promise, that no script handled; the failure of a preload script; the
 * end of an agent that exceeded a limit; or a defect of this library.
 *
 * @param kind the origin of the error
 * @param message as shown by browsers, such as {@code Uncaught TypeError: …}
 * @param url of the script, or of the document if the script is not known
 * @param line from 1; 0 if unknown
 * @param column from 1; 0 if unknown
 * @param stack null if there is none
 * @param agent the name of the agent, such as {@code window-1}
 * @param outOfMemory whether this library failed because the process ran out of memory: this is not
 *     a defect of the library, and more failures are likely to follow
 */
public record UncaughtError(
    Kind kind,
    String message,
    String url,
    int line,
    int column,
    @Nullable String stack,
    String agent,
    boolean outOfMemory)
    implements Serializable {

  public UncaughtError {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(agent, "agent");
  }

  /** The origin of an error. */
  public enum Kind {
    /** Script threw, or rejected a promise. */
    SCRIPT,
    /**
     * A {@linkplain dev.weblocks.embed.UserAgent.Builder#preloadScript preload script} threw, or
     * could not be parsed.
     */
    PRELOAD,
    /** Script exceeded one of the {@link dev.weblocks.model.Limits}; its agent was ended. */
    LIMIT,
    /** This library failed; please report it with the stack. */
    DEFECT
  }
}
