package dev.weblocks.harness.wpt;

/** The status of a subtest. */
public enum SubtestStatus {
  PASS,
  FAIL,
  TIMEOUT,
  NOTRUN,
  PRECONDITION_FAILED
}
