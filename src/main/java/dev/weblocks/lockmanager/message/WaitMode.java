package dev.weblocks.lockmanager.message;

/**
 * What a request does when its lock is not free. One enum in place of the two booleans {@code
 * ifAvailable} and {@code steal} of the IDL, which exclude each other.
 */
public enum WaitMode {
  /** Wait in the queue of the name. */
  WAIT,
  /** Be granted at once or not at all. */
  IF_AVAILABLE,
  /** Take the name from whoever holds it, ahead of all who wait. */
  STEAL
}
