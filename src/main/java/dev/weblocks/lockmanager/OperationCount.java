package dev.weblocks.lockmanager;

/**
 * Counts elementary operations: a look-up or change of a hash map, and a visit or change of a link
 * in a {@link Chain}. Tests read it to see that a command costs the same however much is queued,
 * which no clock can show.
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
