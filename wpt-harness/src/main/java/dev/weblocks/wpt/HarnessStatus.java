package dev.weblocks.wpt;

/** How a test file as a whole ended; says nothing about its subtests. */
public enum HarnessStatus {
  OK,
  ERROR,
  TIMEOUT,
  PRECONDITION_FAILED,
  /** The user agent itself failed. */
  CRASH
}
