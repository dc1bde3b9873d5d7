package dev.weblocks.harness.wpt;

/** The status of a test file as a whole; independent of its subtests. */
public enum HarnessStatus {
  OK,
  /** The success of a crashtest: it has ended without a crash. */
  PASS,
  ERROR,
  TIMEOUT,
  PRECONDITION_FAILED,
  /** The failure of the user agent itself. */
  CRASH
}
