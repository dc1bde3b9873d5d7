package dev.weblocks.embed;

import java.util.Objects;

/**
 * The outcome for one global in an {@link Installation}.
 *
 * @param name of a property of the global object, or of {@code navigator} as {@code navigator.name}
 * @param outcome the outcome
 * @param reason why it was not installed, human-readable; empty if it was
 */
public record InstalledGlobal(String name, Outcome outcome, String reason) {

  public InstalledGlobal {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(reason, "reason");
  }

  /** The outcome for a global. */
  public enum Outcome {
    /** It was installed. */
    INSTALLED,
    /** The context had a global of that name, which was kept. */
    KEPT,
    /** It was not installed. */
    LEFT_OUT
  }
}
