package dev.weblocks.harness.compare;

/** The result of a workload in an engine. */
public sealed interface Score {

  /**
   * A score with figures.
   *
   * @param size of a round; less than {@code wanted} if the engine could not do that in time
   * @param note further information; may be empty
   */
  record Measured(Figures figures, int size, int wanted, String note) implements Score {}

  /**
   * No figures.
   *
   * @param reason one line
   */
  record Failed(String reason) implements Score {}
}
