package dev.weblocks.wpt;

/** The status of a subtest. */
public enum SubtestStatus {
  PASS,
  FAIL,
  TIMEOUT,
  NOTRUN,
  PRECONDITION_FAILED
}
