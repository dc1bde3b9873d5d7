package dev.weblocks.explore.schedule;

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

  /** Returns the numbers of preemptions, switches and choices as text. */
  String text() {
    return count(preemptions, "preemption", "s")
        + ", "
        + count(switches, "switch", "es")
        + " and "
        + count(choices, "choice", "s");
  }

  private static String count(int number, String what, String ending) {
    return number + " " + what + (number == 1 ? "" : ending);
  }
}
