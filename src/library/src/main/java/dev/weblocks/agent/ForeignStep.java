package dev.weblocks.agent;

import java.util.List;

/**
 * A step on a {@link DeterministicDriver} by a thread that does not own the driver. The place of
 * the step in the order depends on thread timing, so a run with the same seed may differ.
 *
 * @param kind the kind of the step
 * @param actor the name of the affected actor
 * @param place the stack of that thread, innermost frame first
 */
public record ForeignStep(Kind kind, String actor, String thread, List<StackTraceElement> place) {

  /** The kind of a foreign step. */
  public enum Kind {
    /** An actor was attached, such as the event loop of a new agent, or a {@link Deadline}. */
    ATTACH("was added"),
    /** An actor received work, such as a task. */
    WAKE("was given work"),
    DETACH("was removed"),
    /** A one-time action was submitted, such as the response to a request. */
    RUN("was submitted");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  public ForeignStep {
    place = List.copyOf(place);
  }

  /** Returns a description of the step and its place, in one line. */
  @Override
  public String toString() {
    return "%s %s by thread %s, outside of the schedule%s"
        .formatted(actor, kind.words, thread, where());
  }

  /** Returns the place where other code called this library. */
  private String where() {
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
