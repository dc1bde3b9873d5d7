package dev.weblocks.model;

/** The reason why a lock of Java code ended without a release by its owner. */
public enum LockLoss {
  /** Another request stole the lock. */
  STOLEN,
  /** The client or the user agent was closed. */
  CLIENT_CLOSED
}
