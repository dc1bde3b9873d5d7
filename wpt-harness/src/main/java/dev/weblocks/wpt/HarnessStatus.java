package dev.weblocks.wpt;

/** How a test file as a whole ended; says nothing about its subtests. */
public enum HarnessStatus {
  OK,
  /** What {@code OK} is to other tests: a crashtest has come to its end. */
  PASS,
  ERROR,
  TIMEOUT,
  PRECONDITION_FAILED,
  /** The user agent itself failed. */
  CRASH
}
