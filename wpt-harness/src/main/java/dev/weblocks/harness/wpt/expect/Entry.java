package dev.weblocks.harness.wpt.expect;

import java.util.List;

/**
 * The expectation for one subtest, or for a test as a whole.
 *
 * @param status as written in the file: the status of a result, {@link #FLAKY} or {@link #SKIP}
 * @param statuses accepted statuses, the usual one first; empty if skipped
 */
record Entry<S extends Enum<S>>(String status, List<S> statuses, Because because) {

  /** The status of an entry that accepts several statuses. */
  static final String FLAKY = "FLAKY";

  /** The status of a test that is not run, or of a subtest whose result is ignored. */
  static final String SKIP = "SKIP";

  Entry {
    statuses = List.copyOf(statuses);
  }

  static <S extends Enum<S>> Entry<S> open(List<S> statuses) {
    return new Entry<>(
        statuses.size() == 1 ? statuses.getFirst().name() : FLAKY, statuses, Because.OPEN);
  }

  boolean isSkip() {
    return status.equals(SKIP);
  }

  boolean isFlaky() {
    return status.equals(FLAKY);
  }

  boolean isOpen() {
    return because.equals(Because.OPEN);
  }
}
