package dev.weblocks.wpt;

/** How one subtest ended. */
public enum SubtestStatus {
  PASS,
  FAIL,
  TIMEOUT,
  NOTRUN,
  PRECONDITION_FAILED
}
