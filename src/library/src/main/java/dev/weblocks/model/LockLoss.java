package dev.weblocks.model;

/** The reason why a lock of Java code ended without a release by its owner. */
public enum LockLoss {
  /** Another request stole it, and holds it now. */
  STOLEN,
  /** Its client or user agent was closed. */
  CLIENT_CLOSED
}
