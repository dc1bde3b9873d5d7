package dev.weblocks.model;

/** The reason why a lock of Java code ended without a release by its owner. */
public enum LockLoss {
  /** Another request stole the lock. */
  STOLEN,
  /** The client or the user agent was closed. */
  CLIENT_CLOSED,
  /**
   * The lock cluster could not be reached for so long that others may have the lock. Work that is
   * under way must stop; a resource that checks fencing tokens refuses it.
   */
  SESSION_LOST
}
