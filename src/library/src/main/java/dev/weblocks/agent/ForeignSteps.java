package dev.weblocks.agent;

import dev.weblocks.model.ForeignStep;
import java.util.List;

/**
 * A factory of descriptions of steps that another thread takes on a {@link DeterministicDriver}.
 */
final class ForeignSteps {

  private ForeignSteps() {}

  /**
   * Returns a foreign step with a text that names its place.
   *
   * @param what happened to the actor, such as {@code was given work}
   * @param place the stack of the thread, innermost frame first
   */
  static ForeignStep of(String actor, String what, String thread, List<StackTraceElement> place) {
    return new ForeignStep(
        actor,
        thread,
        place,
        "%s %s by thread %s, outside of the schedule%s"
            .formatted(actor, what, thread, where(place)));
  }

  /** Returns the place where other code called this library. */
  private static String where(List<StackTraceElement> place) {
    StackTraceElement own = null;
    for (StackTraceElement each : place) {
      String name = each.getClassName();
      if (isInBetween(name)) {
        continue;
      }
      if (!name.startsWith("dev.weblocks.")) {
        return ", at " + each;
      }
      if (own == null && !name.startsWith("dev.weblocks.agent.")) {
        own = each;
      }
    }
    return own == null ? "" : ", at " + own;
  }

  /** Returns whether a class belongs to the JDK or the engine, whose frames are skipped. */
  private static boolean isInBetween(String name) {
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("org.graalvm.")
        || name.startsWith("com.oracle.truffle.");
  }
}
