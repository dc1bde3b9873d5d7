package dev.weblocks.lockmanager;

/**
 * A count of elementary operations: a look-up or change of a hash map, and a visit or change of a
 * link in a {@link Chain}. Tests use it to check that the cost of a command does not depend on the
 * number of queued requests; measured time would be too noisy.
 */
final class OperationCount {
  private long value;

  void add() {
    value++;
  }

  long value() {
    return value;
  }
}
