package dev.weblocks.embed;

/**
 * What became of one global in an {@link Installation}.
 *
 * @param name of a property of the global object, or of {@code navigator} behind a dot
 * @param outcome what became of it
 * @param reason why it was not installed, for people; empty if it was
 */
public record InstalledGlobal(String name, Outcome outcome, String reason) {

  /** What can become of a global. */
  public enum Outcome {
    /** It is there, and ours. */
    INSTALLED,
    /** The context had something of that name, which was kept. */
    KEPT,
    /** It was not installed. */
    LEFT_OUT
  }
}
