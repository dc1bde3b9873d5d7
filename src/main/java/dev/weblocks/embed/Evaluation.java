package dev.weblocks.embed;

/** How {@link Window#evaluate} ended. */
public sealed interface Evaluation {

  /**
   * The code ran to its end.
   *
   * @param text the value as the console shows it, strings in quotes; long texts are cut, and say
   *     how much is missing
   * @param isUndefined whether it is {@code undefined}
   */
  record Done(String text, boolean isUndefined) implements Evaluation {}

  /** The code could not be parsed, threw, or its promise was rejected; it has been reported. */
  record Failed() implements Evaluation {}
}
