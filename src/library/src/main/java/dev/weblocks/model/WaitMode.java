package dev.weblocks.model;

/**
 * The behaviour of a request whose lock is not free. This enum replaces the two booleans {@code
 * ifAvailable} and {@code steal} of the IDL, which exclude each other.
 */
public enum WaitMode {
  /** Wait in the queue of the name. */
  WAIT,
  /** End without a lock unless granted at once. */
  IF_AVAILABLE,
  /** Take the lock from its holders, ahead of all waiting requests. */
  STEAL
}
