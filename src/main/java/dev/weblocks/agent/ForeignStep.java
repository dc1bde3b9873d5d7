package dev.weblocks.agent;

import java.util.List;

/**
 * Something that another thread than its own has done to a {@link DeterministicDriver}. It has come
 * before some step and after another because threads happened to run like that: the same seed may
 * order it otherwise the next time.
 *
 * @param kind what was done
 * @param actor to what, by its name
 * @param thread the name of the thread
 * @param place where that thread was, innermost first
 */
public record ForeignStep(Kind kind, String actor, String thread, List<StackTraceElement> place) {

  /** What can be done to a driver. */
  public enum Kind {
    /** An actor came: an agent was made, or something began to wait. */
    ATTACH("was added"),
    /** An actor was given work, such as a task. */
    WAKE("was given work"),
    /** An actor went. */
    DETACH("was taken away"),
    /** Something was to be run once, such as the answer to a request. */
    RUN("was to be run");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  public ForeignStep {
    place = List.copyOf(place);
  }

  /** What happened and where, in one line. */
  @Override
  public String toString() {
    return actor
        + " "
        + kind.words
        + " by thread "
        + thread
        + ", outside of the schedule"
        + where();
  }

  /** The place where the code of others has called this library. */
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

  /** Whether a class is the platform's or the engine's, through which code of others calls. */
  private static boolean isInBetween(String name) {
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("org.graalvm.")
        || name.startsWith("com.oracle.truffle.");
  }
}
