package dev.weblocks.embed;

import dev.weblocks.model.UncaughtError;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a script of {@link Window#evaluate(String)} cannot be parsed or throws, when a
 * function of {@link Installation#call} throws, or when the promise of either is rejected. The
 * message describes the error in script, such as {@code TypeError: x is not a function}. If the
 * error is an exception of the host that script did not catch, that is the cause.
 */
public final class EvaluationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final UncaughtError error;

  EvaluationException(UncaughtError error) {
    this(error, null);
  }

  EvaluationException(UncaughtError error, @Nullable Throwable cause) {
    super(error.message().replaceFirst("^Uncaught:? ", ""), cause);
    this.error = error;
  }

  /** Returns the error in script, with its position and stack. */
  public UncaughtError error() {
    return error;
  }
}
