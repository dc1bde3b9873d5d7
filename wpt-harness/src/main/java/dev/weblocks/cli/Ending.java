package dev.weblocks.cli;

import dev.weblocks.embed.LockEntry;
import dev.weblocks.run.ScriptRun;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a run is over, what is said about that, and which exit status it is. */
enum Ending {
  AT_REST,
  OUT_OF_TIME,
  /** A step in virtual time has no end. */
  STUCK,
  INTERRUPTED;

  /**
   * Tells of the end of a run, and of the locks then.
   *
   * @param timeout as the user has typed it; null if there is none
   * @return the exit status
   */
  int tell(ScriptRun run, @Nullable String timeout, PrintStream err) {
    List<LockEntry> locks = run.locks();
    boolean waiting = locks.stream().anyMatch(entry -> !entry.isHeld());
    switch (this) {
      case AT_REST -> {
        if (!locks.isEmpty()) {
          err.println(
              "weblocks: nothing can happen any more, but locks are "
                  + (waiting ? "waited for" : "held"));
        }
      }
      case OUT_OF_TIME ->
          err.println("weblocks: not at its end after " + timeout + " (--timeout)" + rest(locks));
      case STUCK -> err.println("weblocks: " + stuck(timeout) + rest(locks));
      case INTERRUPTED -> err.println("weblocks: interrupted" + rest(locks));
    }
    if (!locks.isEmpty()) {
      err.println(LockTable.of(run, locks, this == AT_REST).text());
    }
    return switch (this) {
      case INTERRUPTED -> Main.INTERRUPTED;
      case OUT_OF_TIME, STUCK -> Main.UNEXPECTED;
      case AT_REST -> waiting || run.hasFailed() ? Main.UNEXPECTED : Main.AS_EXPECTED;
    };
  }

  /** What {@link #STUCK} means. */
  static String stuck(@Nullable String timeout) {
    return "a step has not ended within " + timeout + " of real time (--timeout)";
  }

  private static String rest(List<LockEntry> locks) {
    return locks.isEmpty() ? "; no lock is held or waited for" : "; locks:";
  }
}
