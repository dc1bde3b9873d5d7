package dev.weblocks.harness.explore;

import java.util.Comparator;

/**
 * The complexity of a schedule; a lower cost is easier to understand.
 *
 * @param preemptions how often another actor took over while the previous one had work
 * @param switches how often the actor changed
 * @param choices number of choices up to the last one that is not the default
 * @param steps number of steps
 */
public record Cost(int preemptions, int switches, int choices, int steps)
    implements Comparable<Cost> {

  private static final Comparator<Cost> ORDER =
      Comparator.comparingInt(Cost::preemptions)
          .thenComparingInt(Cost::switches)
          .thenComparingInt(Cost::choices)
          .thenComparingInt(Cost::steps);

  @Override
  public int compareTo(Cost other) {
    return ORDER.compare(this, other);
  }
}
