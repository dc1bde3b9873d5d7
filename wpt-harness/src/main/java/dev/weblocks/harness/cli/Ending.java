package dev.weblocks.harness.cli;

import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.List;

/** The reason why a run is over, with its message and exit status. */
enum Ending {
  AT_REST,
  OUT_OF_TIME,
  /** A step in virtual time does not end. */
  STUCK,
  OUT_OF_MEMORY,
  INTERRUPTED;

  int print(ScriptRun run, RunPlan plan, CliEnvironment cli) {
    List<LockEntry> locks = // a list of locks would need more memory
        this == OUT_OF_MEMORY ? List.of() : run.locks();
    boolean waiting = locks.stream().anyMatch(entry -> !entry.isHeld());
    switch (this) {
      case AT_REST -> {
        if (!locks.isEmpty()) {
          cli.note(
              "all agents are idle, but "
                  + (waiting ? "lock requests are still pending" : "locks are still held"));
        }
      }
      case OUT_OF_TIME ->
          cli.note(
              "still running after "
                  + plan.timeout()
                  + " of "
                  + plan.clock()
                  + " (--timeout)"
                  + rest(locks));
      case STUCK -> cli.note(stuck(plan) + rest(locks));
      case OUT_OF_MEMORY -> cli.note(outOfMemory(run.programCount()));
      case INTERRUPTED -> cli.note("interrupted" + rest(locks));
    }
    if (!locks.isEmpty()) {
      cli.printErrorLines(LockTable.of(run, locks, this == AT_REST).text());
    }
    return switch (this) {
      case INTERRUPTED -> Main.INTERRUPTED;
      case OUT_OF_TIME, STUCK -> Main.UNEXPECTED;
      case OUT_OF_MEMORY -> Main.FAILED;
      case AT_REST -> waiting || run.hasFailed() ? Main.UNEXPECTED : Main.AS_EXPECTED;
    };
  }

  static String stuck(RunPlan plan) {
    Duration limit = plan.limit();
    String timeout = plan.timeout();
    if (limit == null || timeout == null) {
      throw new IllegalStateException("steps have no time limit");
    }
    return "a step has not ended within "
        + StepGuard.patience(limit, timeout)
        + " of real time (--timeout)";
  }

  static String outOfMemory(int agents) {
    return agents == 1
        ? outOfMemory("one agent does", "")
        : outOfMemory(agents + " agents do", ", or run fewer agents");
  }

  static String outOfMemory(String tooMuch, String otherRemedy) {
    long megabytes = Runtime.getRuntime().maxMemory() >> 20;
    return "out of memory: %s not fit into a heap of %s MB; raise it, as with WEBLOCKS_JVM=-Xmx%sm%s"
        .formatted(tooMuch, megabytes, 2 * megabytes, otherRemedy);
  }

  private static String rest(List<LockEntry> locks) {
    return locks.isEmpty() ? "; no lock is held or waited for" : "; locks:";
  }
}
