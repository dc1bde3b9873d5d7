package dev.weblocks.compare;

/** What became of a workload in an engine. */
public sealed interface Score {

  /**
   * Figures.
   *
   * @param size of a round; less than {@code wanted} where the engine could not do that in time
   * @param note what else is to be known, empty for nothing
   */
  record Measured(Figures figures, int size, int wanted, String note) implements Score {}

  /**
   * No figures.
   *
   * @param reason one line
   */
  record Failed(String reason) implements Score {}
}
