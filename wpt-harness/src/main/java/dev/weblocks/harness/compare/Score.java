package dev.weblocks.harness.compare;

/** The result of a workload in an engine. */
public sealed interface Score {

  /**
   * A score with figures.
   *
   * @param size size of a round; less than {@code wanted} if the engine was too slow
   * @param warm whether the times of the rounds had stopped falling before the measurement; true
   *     for kinds without warm-up
   * @param note further information; may be empty
   */
  record Measured(Figures figures, int size, int wanted, boolean warm, String note)
      implements Score {}

  /**
   * A failure, without figures.
   *
   * @param reason the reason of the failure, on one line
   */
  record Failed(String reason) implements Score {}
}
