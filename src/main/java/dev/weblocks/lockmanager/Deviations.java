package dev.weblocks.lockmanager;

import java.util.Set;

/**
 * Which variants change what the lock managers do, each by its name; all are false for the Working
 * Draft. The others are the agent's.
 */
record Deviations(
    boolean settleBeforeGrant,
    boolean reentrant,
    boolean abortedStaysPending,
    boolean abortGrantsNothing,
    boolean endGrantsNothing,
    boolean queryOwnLocks,
    boolean ifAvailableJoinsQueue) {

  /**
   * Those among some variants.
   *
   * @throws IllegalArgumentException if two of them exclude each other, or one needs a state
   *     machine of its own
   */
  static Deviations of(Set<Variant> variants) {
    Set<Variant> checked = Variant.requireCompatible(variants);
    if (checked.contains(Variant.EARLY_DRAFT)) {
      throw new IllegalArgumentException(
          "the variant early-draft has a state machine of its own; this one locks single names");
    }
    return new Deviations(
        checked.contains(Variant.SETTLE_BEFORE_GRANT),
        checked.contains(Variant.REENTRANT),
        checked.contains(Variant.ABORTED_STAYS_PENDING),
        checked.contains(Variant.ABORT_GRANTS_NOTHING),
        checked.contains(Variant.END_GRANTS_NOTHING),
        checked.contains(Variant.QUERY_OWN_LOCKS),
        checked.contains(Variant.IF_AVAILABLE_JOINS_QUEUE));
  }
}
