package dev.weblocks.embed;

/** The outcome of {@link Window#evaluate}. */
public sealed interface Evaluation {

  /**
   * The code ran to its end.
   *
   * @param text the value as shown by the console, strings in quotes; long texts are truncated,
   *     with a note of the omitted length
   * @param isUndefined whether it is {@code undefined}
   */
  record Done(String text, boolean isUndefined) implements Evaluation {}

  /** The code could not be parsed, threw, or its promise was rejected; it has been reported. */
  record Failed() implements Evaluation {}
}
