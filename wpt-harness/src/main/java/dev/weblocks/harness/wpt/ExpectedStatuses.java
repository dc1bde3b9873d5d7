package dev.weblocks.harness.wpt;

import java.util.List;

/** The expected statuses of tests. */
public interface ExpectedStatuses {

  /** Returns the expected statuses of a test as a whole, the usual one first; never empty. */
  List<HarnessStatus> expected(WptTest test);

  /**
   * Returns the expected statuses of a subtest, the usual one first; empty if any status is
   * accepted.
   */
  List<SubtestStatus> expected(WptTest test, String subtest);
}
