package dev.weblocks.embed;

/**
 * Thrown when a script of {@link Window#evaluate(String)} cannot be parsed or throws, or when the
 * promise that it awaits is rejected. The message describes the error in script, such as {@code
 * TypeError: x is not a function}.
 */
public final class EvaluationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final UncaughtError error;

  EvaluationException(UncaughtError error) {
    super(error.message().replaceFirst("^Uncaught:? ", ""));
    this.error = error;
  }

  /** Returns the error in script, with its position and stack. */
  public UncaughtError error() {
    return error;
  }
}
