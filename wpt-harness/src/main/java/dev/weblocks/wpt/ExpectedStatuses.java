package dev.weblocks.wpt;

import java.util.List;

/** What tests may end with. */
public interface ExpectedStatuses {

  /** The statuses that a test as a whole may end with, the usual one first; never empty. */
  List<HarnessStatus> expected(WptTest test);

  /**
   * The statuses that a subtest may end with, the usual one first; empty when nobody looks at it.
   */
  List<SubtestStatus> expected(WptTest test, String subtest);
}
