package dev.weblocks.cli;

import dev.weblocks.wpt.TestResult;
import dev.weblocks.wpt.WptTest;
import dev.weblocks.wpt.report.ComparisonText;
import dev.weblocks.wpt.report.ReportFiles;
import dev.weblocks.wpt.report.RunReport;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Sees to it that a run leaves its reports: at its end, or when the process is told to end ({@code
 * Ctrl-C}, {@code SIGTERM}) in the middle of it. Methods may be called on any thread.
 */
final class RunRecord implements AutoCloseable {

  /**
   * What a run was asked for.
   *
   * @param tests what runs in each round
   * @param leftOut what was asked for as well and does not run, with the reason
   * @param rounds how often, at most
   * @param revision of the tests, where it is known
   * @param changes whether the expectations are to be changed when all has run
   */
  record Plan(
      List<WptTest> tests,
      Map<WptTest, String> leftOut,
      int rounds,
      Optional<String> revision,
      boolean changes) {}

  /** Changes files that outlive the run. */
  @FunctionalInterface
  interface Change {
    /** Does it; returns whether a run would be content now. */
    boolean make() throws CommandFailure;
  }

  /** A run under way. Any thread asks. */
  interface Run {
    /** What has ended so far. */
    List<TestResult> results();

    /** Lets the run print no more; its results stay as they are. */
    void hush();

    /** Who holds and who waits for locks in the tests that run now, as lines, by their ids. */
    Map<String, String> locks();
  }

  private final Surroundings surroundings;
  private final Reports reports;
  private final Plan plan;
  private final RunReport.Judge judge;
  private final Map<String, String> facts;
  private final InstantSource clock;
  private final Run run;
  private final Instant start;
  private final Thread hook = new Thread(this::interrupt, "weblocks-interrupted");
  private final AtomicBoolean over = new AtomicBoolean();

  /** Held while files are changed that outlive the run. */
  private final ReentrantLock changing = new ReentrantLock();

  private boolean ending; // guarded by changing
  private boolean changed; // guarded by changing

  private RunRecord(
      Surroundings surroundings,
      Reports reports,
      Plan plan,
      RunReport.Judge judge,
      InstantSource clock,
      Run run) {
    this.surroundings = surroundings;
    this.reports = reports;
    this.plan = plan;
    this.judge = judge;
    this.facts = facts(surroundings, plan.revision());
    this.clock = clock;
    this.run = run;
    this.start = clock.instant();
  }

  /**
   * Begins to watch a run that begins now; until {@link #close} the process reports before it ends.
   */
  static RunRecord begin(
      Surroundings surroundings,
      Reports reports,
      Plan plan,
      RunReport.Judge judge,
      InstantSource clock,
      Run run) {
    RunRecord record = new RunRecord(surroundings, reports, plan, judge, clock, run);
    Runtime.getRuntime().addShutdownHook(record.hook);
    return record;
  }

  /** Facts by the keys and words of wptrunner where it has some. */
  private static Map<String, String> facts(Surroundings surroundings, Optional<String> revision) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", "weblocks");
    String version = RunRecord.class.getPackage().getImplementationVersion();
    if (version != null) {
      facts.put("browser_version", version);
    }
    String os = property(surroundings, "os.name").toLowerCase(Locale.ROOT);
    facts.put("os", os.startsWith("mac") ? "mac" : os.startsWith("windows") ? "win" : os);
    String processor = property(surroundings, "os.arch");
    facts.put("processor", processor.equals("amd64") ? "x86_64" : processor);
    facts.put("java", property(surroundings, "java.version"));
    facts.values().removeIf(String::isEmpty);
    revision.ifPresent(commit -> facts.put("revision", commit));
    return facts;
  }

  private static String property(Surroundings surroundings, String name) {
    return Objects.requireNonNullElse(surroundings.property().apply(name), "");
  }

  private RunReport report(boolean interrupted) {
    List<TestResult> ended = run.results();
    Set<WptTest> ran = ended.stream().map(TestResult::test).collect(Collectors.toSet());
    Map<WptTest, String> left = new LinkedHashMap<>();
    for (WptTest test : plan.tests()) {
      if (!ran.contains(test)) {
        left.put(test, interrupted ? "the run was interrupted" : "the run stopped before it");
      }
    }
    boolean whole = plan.rounds() == 1 && left.isEmpty();
    left.putAll(plan.leftOut());
    return RunReport.of(facts, start, clock.instant(), ended, judge, left, interrupted && !whole);
  }

  /**
   * Writes the reports of a run that is over, and prints the comparison if one is asked for.
   *
   * @throws CommandFailure when a report cannot be written; the others are
   */
  void finish() throws CommandFailure {
    over.set(true);
    RunReport run = report(/* interrupted= */ false);
    ReportFiles.Outcome outcome = reports.files().write(run);
    if (reports.comparing()) {
      surroundings.out().println();
      surroundings
          .out()
          .print(
              ComparisonText.of(
                  reports.comparison().apply(run),
                  text -> Progress.red(surroundings, text),
                  text -> Progress.green(surroundings, text)));
    }
    if (!outcome.problems().isEmpty()) {
      throw new CommandFailure(String.join("; ", outcome.problems()));
    }
  }

  /**
   * Makes a change that is either made whole or not begun, whenever the process is told to end. To
   * be called after {@link #finish}.
   *
   * @throws CommandFailure when it cannot be made; also when the process is about to end
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

  /** Waits for a change that is being made, and lets none begin. */
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
   * What happens when the process is told to end: the reports are written with the results so far,
   * and the user is told how far the run came and who waits for which lock in tests that run. Does
   * nothing once the reports of the whole run are being written, but waits for them.
   */
  void interrupt() {
    boolean first = over.compareAndSet(false, true);
    Map<String, String> locks = first ? run.locks() : Map.of();
    run.hush();
    RunReport soFar = report(/* interrupted= */ first);
    ReportFiles.Outcome outcome = reports.files().write(soFar);
    for (String problem : outcome.problems()) {
      surroundings.err().println("weblocks: " + problem);
    }
    if (first) {
      locks.forEach((test, table) -> {
        surroundings.err().println("locks of " + test);
        table.lines().forEach(line -> surroundings.err().println("  " + line));
      });
      surroundings.err().println("weblocks: " + howFar(soFar, outcome));
    }
    if (endsBeforeChange()) {
      surroundings.err().println("weblocks: no expectation was changed");
    }
    surroundings.err().flush();
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
      text.append("; reports of these: ");
      text.append(String.join(", ", outcome.written().stream().map(Object::toString).toList()));
    }
    return text.toString();
  }

  /** Ends the watch; what a run that failed has come to is written too. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // the process is ending, and the hook at work
    }
    if (over.compareAndSet(false, true)) {
      reports
          .files()
          .write(report(/* interrupted= */ true))
          .problems()
          .forEach(problem -> surroundings.err().println("weblocks: " + problem));
    }
  }
}
