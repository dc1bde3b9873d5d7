package dev.weblocks.harness.compare;

import java.util.Collections;
import java.util.List;

/**
 * A summary of the figures of several rounds.
 *
 * @param median for an even number of rounds, the mean of the two in the middle
 * @param rounds number of rounds
 */
public record Figures(double median, double min, double max, int rounds) {

  /**
   * Summarizes the figures of rounds.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Figures of(List<Double> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("no figures");
    }
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Figures(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  /**
   * Returns whether times have stopped falling: in the last quarter of the total time, in at least
   * two rounds, and for a minimum time, none was at least 5 % below the earlier minimum. One round
   * is not enough: compilers improve code in steps, with growing pauses between them.
   *
   * @param quietMillis the minimum time
   */
  static boolean settled(List<Double> millis, double quietMillis) {
    double quarter = millis.stream().mapToDouble(Double::doubleValue).sum() / 4;
    int last = millis.size();
    double passed = 0;
    while (last > 0 && (passed < Math.max(quarter, quietMillis) || last > millis.size() - 2)) {
      last--;
      passed += millis.get(last);
    }
    if (last < 1) {
      return false;
    }
    double before = Collections.min(millis.subList(0, last));
    return millis.subList(last, millis.size()).stream().allMatch(each -> each > 0.95 * before);
  }
}
