package dev.weblocks.embed;

import java.util.Objects;

/**
 * The outcome for one global in an {@link Installation}.
 *
 * @param name a global property, or {@code navigator.name} for a property of {@code navigator}
 * @param outcome whether it was installed
 * @param reason why it was not installed, or is of no use in this context, human-readable; empty
 *     otherwise
 */
public record InstalledGlobal(String name, Outcome outcome, String reason) {

  public InstalledGlobal {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(reason, "reason");
  }

  /** The outcome for a global. */
  public enum Outcome {
    /** The global was installed. */
    INSTALLED,
    /** The context had a global of that name, which was kept. */
    KEPT,
    /** The global was not installed, for the given {@link InstalledGlobal#reason}. */
    LEFT_OUT
  }
}
