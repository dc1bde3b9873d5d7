package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.RunReport;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The writer of the reports of a run. Writes them when the run ends, or earlier if the process is
 * interrupted ({@code Ctrl-C}, {@code SIGTERM}). Thread-safe.
 */
final class RunRecord implements AutoCloseable {

  /**
   * The plan of a run.
   *
   * @param leftOut selected tests that do not run, with the reasons
   * @param facts facts for reports beside the revision
   * @param changes whether the expectations are to be changed at the end
   */
  record Plan(
      List<WptTest> tests,
      Map<WptTest, String> leftOut,
      int rounds,
      Optional<String> revision,
      Map<String, String> facts,
      boolean changes) {}

  /** A change to files that outlive the run, such as expectations. */
  @FunctionalInterface
  interface Change {
    /** Makes the change. Returns whether the expectations are complete afterwards. */
    boolean make() throws CommandFailure;
  }

  /** A run in progress. Called on any thread. */
  interface Run {
    List<TestResult> results();

    /** Stops all output of the run, and freezes its results. */
    void hush();

    /** Returns tables of the locks in the tests that currently run, by test id. */
    Map<String, String> locks();
  }

  private final CliEnvironment cli;
  private final RequestedReports reports;
  private final Plan plan;
  private final RunReport.Judge judge;
  private final Map<String, String> facts;
  private final InstantSource clock;
  private final Run run;
  private final Instant start;
  private final Thread hook = new Thread(this::interrupt, "weblocks-interrupted");
  private final AtomicBoolean over = new AtomicBoolean();

  /** The lock that is held while files that outlive the run are changed. */
  private final ReentrantLock changing = new ReentrantLock();

  private boolean ending; // guarded by changing
  private boolean changed; // guarded by changing

  RunRecord(
      CliEnvironment cli,
      RequestedReports reports,
      Plan plan,
      RunReport.Judge judge,
      InstantSource clock,
      Run run) {
    this.cli = cli;
    this.reports = reports;
    this.plan = plan;
    this.judge = judge;
    this.facts = facts(cli, plan);
    this.clock = clock;
    this.run = run;
    this.start = clock.instant();
  }

  /** Registers a shutdown hook. Until {@link #close}, it writes the reports if the process ends. */
  RunRecord begin() {
    Runtime.getRuntime().addShutdownHook(hook);
    return this;
  }

  /** Returns facts about the run, with the keys and values of wptrunner where it defines them. */
  private static Map<String, String> facts(CliEnvironment cli, Plan plan) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", "weblocks");
    String version = RunRecord.class.getPackage().getImplementationVersion();
    if (version != null) {
      facts.put("browser_version", version);
    }
    facts.putAll(MachineFacts.of(cli.property(), Path.of("/etc/os-release")));
    String java = cli.property().apply("java.version");
    if (java != null && !java.isEmpty()) {
      facts.put("java", java);
    }
    plan.revision().ifPresent(commit -> facts.put("revision", commit));
    facts.putAll(plan.facts());
    return facts;
  }

  private RunReport report(boolean interrupted) {
    List<TestResult> ended = run.results();
    Set<WptTest> ran = ended.stream().map(TestResult::test).collect(Collectors.toSet());
    Map<WptTest, String> left = new LinkedHashMap<>();
    for (WptTest test : plan.tests()) {
      if (!ran.contains(test)) {
        left.put(test, interrupted ? "the run was interrupted" : "the run ended before this test");
      }
    }
    boolean whole = plan.rounds() == 1 && left.isEmpty();
    left.putAll(plan.leftOut());
    return RunReport.of(facts, start, clock.instant(), ended, judge, left, interrupted && !whole);
  }

  /**
   * Writes the reports of a run that is over, and prints the comparison if requested.
   *
   * @throws CommandFailure if a report cannot be written; the other reports are still written
   */
  void finish() throws CommandFailure {
    over.set(true);
    RunReport run = report(/* interrupted= */ false);
    ReportFiles.Outcome outcome = reports.files().write(run);
    if (reports.comparing()) {
      cli.println("");
      cli.printComparison(reports.comparison().apply(run));
    }
    if (!outcome.problems().isEmpty()) {
      throw new CommandFailure(String.join("; ", outcome.problems()));
    }
  }

  /**
   * Makes a change. If the process is interrupted, the change is either completed or not begun. To
   * be called after {@link #finish}.
   *
   * @throws CommandFailure if it cannot be made, or if the process is about to end
   */
  boolean change(Change change) throws CommandFailure {
    changing.lock();
    try {
      if (ending) {
        throw new CommandFailure("interrupted");
      }
      changed = true;
      return change.make();
    } finally {
      changing.unlock();
    }
  }

  /**
   * Waits for the end of a {@link Change} in progress and prevents further ones. Returns whether
   * the planned change of the expectations has not begun.
   */
  private boolean endsBeforeChange() {
    changing.lock();
    try {
      ending = true;
      return plan.changes() && !changed;
    } finally {
      changing.unlock();
    }
  }

  /**
   * Called when the process is interrupted. Writes the reports with the results so far, and prints
   * the progress of the run and the locks of running tests. If the reports of the whole run are
   * being written already, waits for them instead.
   */
  void interrupt() {
    boolean first = over.compareAndSet(false, true);
    Map<String, String> locks = first ? run.locks() : Map.of();
    run.hush();
    RunReport soFar = report(/* interrupted= */ first);
    ReportFiles.Outcome outcome = reports.files().write(soFar);
    outcome.problems().forEach(cli::note);
    if (first) {
      locks.forEach((test, table) -> {
        cli.printErrorLines("locks of " + HarmlessText.line(test));
        cli.printErrorLines(table.indent(2));
      });
      cli.note(howFar(soFar, outcome));
    }
    if (endsBeforeChange()) {
      cli.note("no expectation was changed");
    }
    cli.err().flush();
  }

  private String howFar(RunReport run, ReportFiles.Outcome outcome) {
    long unexpected = run.unexpected();
    StringBuilder text = new StringBuilder("interrupted after ");
    text.append(run.tests().size());
    if (plan.rounds() == 1) {
      text.append(" of ").append(plan.tests().size());
    }
    text.append(" tests");
    if (!run.tests().isEmpty()) {
      text.append(unexpected == 0 ? ", all as expected" : ", " + unexpected + " unexpected");
    }
    if (!outcome.written().isEmpty()) {
      text.append("; their reports are in ");
      text.append(String.join(", ", outcome.written().stream().map(Object::toString).toList()));
    }
    return text.toString();
  }

  /** Removes the shutdown hook. Writes the reports if the run has failed. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the process is ending, and the hook runs
    }
    if (over.compareAndSet(false, true)) {
      reports.files().write(report(/* interrupted= */ true)).problems().forEach(cli::note);
    }
  }
}
