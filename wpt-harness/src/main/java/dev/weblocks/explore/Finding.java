package dev.weblocks.explore;

import java.util.Locale;

/**
 * What is wrong with a scenario in one schedule.
 *
 * @param kind what kind of thing
 * @param key tells two findings of one kind apart; the same wherever a schedule leads to the same
 * @param text what people read, of one line or several, without a line end after the last
 */
public record Finding(Kind kind, String key, String text) {

  /** The kinds, by the names that people read. */
  public enum Kind {
    /** Script threw, or rejected a promise, and nobody handled it; or a subtest failed. */
    ASSERTION,
    /** Nothing can happen any more, and a lock is waited for. */
    DEADLOCK,
    /** The lock managers broke a promise of the Working Draft. */
    INVARIANT,
    /** The scenario is not at rest after as many steps as it may take. */
    LIVELOCK,
    /** This program failed, not the scenario. */
    DEFECT;

    /** As people read it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether another schedule has led to the same. */
  boolean isSameAs(Finding other) {
    return kind == other.kind && key.equals(other.key);
  }
}
