package dev.weblocks.cluster.simulated;

/** A bug that a test puts in, to find out whether the simulation notices it. */
enum Defect {
  NONE,
  /** Commands that are sent again are applied again. */
  NO_DEDUPLICATION,
  /** One session expires as soon as it is silent at all. */
  EARLY_EXPIRY,
  /** A member that no longer leads renews sessions. */
  STALE_RENEWAL,
  /** The lease is not checked before turns. */
  NO_LOOK
}
