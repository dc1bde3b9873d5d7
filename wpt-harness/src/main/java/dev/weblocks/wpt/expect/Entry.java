package dev.weblocks.wpt.expect;

import java.util.List;

/**
 * What is expected of one subtest, or of a test as a whole.
 *
 * @param status as in the file: that of a result, {@link #FLAKY} or {@link #SKIP}
 * @param statuses those that are fine, the usual one first; none when nobody looks
 */
record Entry<S extends Enum<S>>(String status, List<S> statuses, Because because) {

  /** Several statuses are fine. */
  static final String FLAKY = "FLAKY";

  /** A test is not run; at a subtest's result nobody looks. */
  static final String SKIP = "SKIP";

  Entry {
    statuses = List.copyOf(statuses);
  }

  /** An entry that awaits its reason. */
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
