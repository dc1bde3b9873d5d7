package dev.weblocks.harness.cli;

import dev.weblocks.harness.compare.BenchmarkRun;
import dev.weblocks.harness.compare.Results;
import dev.weblocks.harness.compare.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The progress display of a benchmark. A terminal shows one line that is updated; other outputs get
 * a line for each workload.
 */
final class BenchProgress implements BenchmarkRun.Listener {

  private final CliEnvironment cli;
  private final List<Workload> workloads;
  private final Clock clock;
  private Instant begun;
  private int done;

  BenchProgress(CliEnvironment cli, List<Workload> workloads, Clock clock) {
    this.clock = clock;
    this.begun = clock.instant();
    this.cli = cli;
    this.workloads = workloads;
  }

  private String place() {
    return "[" + Math.min(done + 1, workloads.size()) + "/" + workloads.size() + "] ";
  }

  @Override
  public void starting(String engine) {
    cli.showProgress("starting " + engine);
    begun = clock.instant();
  }

  @Override
  public void working(Workload workload, String engine, String what) {
    cli.showProgress(place() + workload.name() + ": " + engine + " " + what);
  }

  @Override
  public void done(Results.Row row) {
    Instant now = clock.instant();
    if (!cli.terminal()) {
      cli.printErrorLines(
          place() + row.workload().name() + ": " + Progress.seconds(Duration.between(begun, now)));
      cli.err().flush();
    }
    begun = now;
    done++;
  }

  void end() {
    cli.showProgress("");
  }
}
