package dev.weblocks.cli;

import dev.weblocks.compare.Contest;
import dev.weblocks.compare.Results;
import dev.weblocks.compare.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Shows the progress of a benchmark: on a terminal as one line that is updated, elsewhere as a line
 * for each workload.
 */
final class BenchProgress implements Contest.Listener {

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Surroundings surroundings;
  private final List<Workload> workloads;
  private final Clock clock;
  private Instant begun;
  private int done;

  /** Creates the progress of a run that begins now. */
  BenchProgress(Surroundings surroundings, List<Workload> workloads, Clock clock) {
    this.clock = clock;
    this.begun = clock.instant();
    this.surroundings = surroundings;
    this.workloads = workloads;
  }

  private String place() {
    return "[" + Math.min(done + 1, workloads.size()) + "/" + workloads.size() + "] ";
  }

  @Override
  public void starting(String engine) {
    if (surroundings.terminal()) {
      surroundings.err().print(CLEAR_LINE + "starting " + engine);
      surroundings.err().flush();
    }
    begun = clock.instant();
  }

  @Override
  public void working(Workload workload, String engine, String what) {
    if (surroundings.terminal()) {
      surroundings.err().print(CLEAR_LINE + place() + workload.name() + ": " + engine + " " + what);
      surroundings.err().flush();
    }
  }

  @Override
  public void done(Results.Row row) {
    Instant now = clock.instant();
    if (!surroundings.terminal()) {
      surroundings
          .err()
          .println(
              place()
                  + row.workload().name()
                  + ": "
                  + Progress.seconds(Duration.between(begun, now)));
      surroundings.err().flush();
    }
    begun = now;
    done++;
  }

  /** Clears the progress line. */
  void end() {
    if (surroundings.terminal()) {
      surroundings.err().print(CLEAR_LINE);
      surroundings.err().flush();
    }
  }
}
