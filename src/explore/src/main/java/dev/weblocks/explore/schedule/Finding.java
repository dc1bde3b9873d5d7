package dev.weblocks.explore.schedule;

import java.util.Locale;

/**
 * A problem of a scenario in one schedule.
 *
 * @param kind kind of the problem
 * @param key distinguishes findings of one kind; equal for the same problem in different schedules
 * @param text description for display: one or more lines, without a line end after the last
 */
public record Finding(Kind kind, String key, String text) {

  /** The kinds of findings; their names are shown to users. */
  public enum Kind {
    /** An uncaught exception or unhandled rejection in a script, or a failed subtest. */
    ASSERTION,
    /** All agents are idle, but a lock request is pending. */
    DEADLOCK,
    /** The lock managers violated a guarantee of the Working Draft. */
    INVARIANT,
    /** The scenario still runs after the maximum number of steps. */
    LIVELOCK,
    /** Weblocks failed, not the scenario. */
    DEFECT;

    /** Returns the display name. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether the other is the same problem, perhaps in another schedule. */
  public boolean isSameAs(Finding other) {
    return kind == other.kind && key.equals(other.key);
  }
}
