package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.PreloadScript;
import dev.weblocks.harness.wpt.TestChunk;
import dev.weblocks.harness.wpt.TestDiscovery;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestManifest;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.TestSelection;
import dev.weblocks.harness.wpt.Texts;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptSubset;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.harness.wpt.report.RunReport;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that runs web-platform-tests. */
@Command(
    name = "wpt",
    description = "Run web-platform-tests, without a network and without Python.",
    abbreviateSynopsis = true,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 all as expected, 1 an unexpected result, 2 the tests could not be run, or a"
          + " file that TEST-PATH names cannot be read, 130 ended by Ctrl-C, which writes the"
          + " reports of what has run and shows the locks and waiting requests.",
      "",
      "Environment:",
      "  WPT_DIR          the directory of the tests, as --wpt",
      "  NO_COLOR         no colours, whatever its value",
      "  COLUMNS          the width of the terminal",
      "  WEBLOCKS_JVM     further flags of the JVM, such as -Xmx4g",
      "",
      "Examples:",
      "  weblocks wpt web-locks/                     the tests of a directory",
      "  weblocks wpt --list 'web-locks/**/*.worker.html'",
      "  weblocks wpt --filter 'held|query' --serial -v web-locks/",
      "  weblocks wpt --junit results.xml --html results.html web-locks/",
      "  weblocks wpt --compare wpt-subset/browsers/chromium-156.json web-locks/",
      "  weblocks wpt --trace steal.html /web-locks/steal.https.any.html",
      "  weblocks wpt --until-unexpected --shuffle /web-locks/held.https.any.html",
      "  weblocks wpt --deterministic --seed 7 web-locks/",
      "                                              in a reproducible order",
      "  weblocks wpt --spec-variant node web-locks/   the rules of Node",
      "  weblocks wpt --this-chunk 2 --total-chunks 4 --jsonl part-2.jsonl web-locks/",
      "                                              one machine of four",
      "  weblocks wpt --update-expectations web-locks/",
      "  weblocks wpt --tests wpt-harness/tests --spec-variant early-draft early-draft/"
    })
final class WptCommand extends CliCommand {

  private static final int MAX_DAMAGE_SHOWN = 3;

  private static final String OUTSIDE =
      "; only a part of WPT is fetched: name a checkout with --wpt to run its other tests";

  @Parameters(
      paramLabel = "TEST-PATH",
      arity = "0..*",
      description =
          "A directory, a file or the id of a test, with or without leading slash:"
              + " web-locks/ or web-locks/held.https.any.js (all its variants) or"
              + " /web-locks/held.https.any.html; or a glob over those, such as"
              + " 'web-locks/**/*.worker.html'. Without any: all tests.")
  private List<String> selectors = new ArrayList<>();

  @ArgGroup(exclusive = false, heading = "%nSelection:%n", order = 1)
  private SelectionOptions selection = new SelectionOptions();

  @ArgGroup(exclusive = false, heading = "%nExecution:%n", order = 2)
  private RunOptions how = new RunOptions();

  @ArgGroup(exclusive = false, heading = "%nReports and comparison:%n", order = 3)
  private ReportOptions reportOptions = new ReportOptions();

  @Option(
      names = "--wpt",
      paramLabel = "DIR",
      description =
          "The directory of the tests: a checkout of WPT, of any revision, whole or in part."
              + " Default: where scripts/fetch-wpt put the pinned part of WPT.")
  private @Nullable Path wpt;

  @Option(
      names = "--tests",
      paramLabel = "DIR",
      description =
          "Run the tests of DIR, which is laid out like WPT, in place of WPT's own. Files that DIR"
              + " does not have, such as /resources/testharness.js, come from WPT's directory. All"
              + " tests of DIR are expected to pass.")
  private @Nullable Path ownTests;

  @Option(
      names = "--no-verify",
      description = "Take the files as they are, without comparing hashes.")
  private boolean noVerify;

  @Option(
      names = "--update-expectations",
      description =
          "Update wpt-subset/expectations to the actual results, for review. Entries that"
              + " still hold keep their reasons; new entries have none, and fail each run until a"
              + " reason is added. With --repeat, tests with differing results become FLAKY. Ctrl-C"
              + " during the run changes nothing.")
  private boolean updateExpectations;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final HelpOption help = new HelpOption();

  WptCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    String problem = problem();
    if (problem != null) {
      throw usage(problem);
    }
    WptSubset subset = new WptSubset(cli.home().resolve("wpt-subset"));
    Checkout checkout = checkout();
    if (ownTests != null) {
      requireTests(ownTests);
    }
    if (!how.watch || selection.list) {
      return once(subset, checkout);
    }
    List<Path> watched =
        List.of(checkout.root(), ownTests == null ? subset.expectations() : ownTests);
    return new Watch(cli, watched, how.preloads).run(() -> once(subset, checkout));
  }

  private @Nullable String problem() {
    String wrong = selection.problem(selectors);
    if (wrong == null) {
      wrong = how.problem();
    }
    if (wrong == null) {
      wrong = trace.problem();
    }
    if (wrong != null) {
      return wrong;
    }
    if (selection.list) {
      String other =
          updateExpectations
              ? "--update-expectations"
              : reportOptions.first() != null
                  ? reportOptions.first()
                  : trace.areGiven() ? "--trace" : how.needsRun();
      return other == null ? null : "--list runs no test: omit --list or " + other;
    }
    if (updateExpectations && !how.variants().isEmpty()) {
      return "--update-expectations is for the Working Draft: leave --spec-variant out";
    }
    if (ownTests != null && updateExpectations) {
      return "tests of --tests have no expectations: leave --tests or --update-expectations out";
    }
    if (selection.chunk() != null && how.rounds() > 1) {
      return "--this-chunk and "
          + (how.untilUnexpected ? "--until-unexpected" : "--repeat")
          + " exclude each other: a merged report has one result for each test";
    }
    return how.watch && updateExpectations
        ? "--watch and --update-expectations exclude each other: update after watching"
        : null;
  }

  private int once(WptSubset subset, Checkout checkout) throws CommandFailure {
    Path root = checkout.root();
    Revision revision = verify(subset, checkout);
    WptHosts hosts = WptHosts.standard();
    Path testRoot = ownTests == null ? root : ownTests;
    TestDiscovery discovery =
        ownTests == null
            ? new TestDiscovery(root, hosts, pinnedSources(subset))
            : new TestDiscovery(ownTests, hosts);
    List<WptTest> selected = select(testRoot, discovery, checkout);
    Shard chunk = selection.chunk();
    List<WptTest> tests = chunk == null ? selected : TestChunk.of(selected, chunk);
    ExpectationFiles expectationFiles =
        new ExpectationFiles(cli, subset, root, new TestDiscovery(root, hosts));
    if (selection.list) {
      Expectations drafts = ownTests == null ? expectationFiles.drafts() : Expectations.none();
      tests.forEach(test -> print(test, drafts));
      requireReadable(tests);
      return Main.AS_EXPECTED;
    }
    Expectations ofPin =
        ownTests == null
            ? expectationFiles.read(updateExpectations, !noVerify && revision != Revision.OTHER)
            : Expectations.none();
    Expectations expectations = revision == Revision.OTHER ? ofPin.forOtherRevision() : ofPin;
    List<WptTest> supported = tests.stream().filter(expectations::runs).toList();
    Map<WptTest, String> others = leftOut(tests, expectations);
    if (selected.stream().noneMatch(expectations::runs)) {
      List<RunReport.NotRun> all = RunReport.notRun(leftOut(selected, expectations));
      throw new CommandFailure(
          "no test to run. "
              + Summary.leftOut(all)
              + Summary.unusualReasons(all).keySet().stream()
                  .map(reason -> ": " + reason)
                  .findFirst()
                  .orElse(""));
    }
    Map<Path, String> trees = new LinkedHashMap<>();
    trees.put(root, "the tests");
    trees.put(testRoot, "the tests");
    trees.put(subset.expectations(), "the expectations");
    RequestedReports reports =
        reportOptions.prepare(spec().commandLine(), how.preloads, trees, trace.file());
    Clock clock = Clock.systemUTC();
    List<PreloadScript> preloads = preloadScripts();
    TraceFile traced = trace.open(Path.of(""), cli);
    WptRun run =
        new WptRun(
            cli,
            ownTests == null ? List.of(root) : List.of(testRoot, root),
            hosts,
            how,
            preloads,
            expectations,
            others,
            clock,
            traced);
    boolean asExpected;
    boolean whole;
    try (RunRecord record =
        new RunRecord(
                cli,
                reports,
                new RunRecord.Plan(
                    supported,
                    others,
                    how.rounds(),
                    ownTests == null && revision == Revision.PINNED
                        ? commit(subset)
                        : Optional.empty(),
                    facts(selected, chunk),
                    updateExpectations),
                new ExpectationsJudge(expectations),
                clock,
                run)
            .begin()) {
      asExpected = run.rounds(supported);
      record.finish();
      if (updateExpectations) {
        List<TestResult> ended = run.results();
        asExpected = record.change(() -> expectationFiles.update(ended));
      }
    } finally {
      whole = traced == null || traced.close();
    }
    requireReadable(tests);
    if (!whole) {
      return Main.FAILED;
    }
    return asExpected ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  /**
   * The directory of the tests.
   *
   * @param given whether the user named it; then it may be of any revision
   */
  private record Checkout(Path root, boolean given) {}

  /** The revision of the files. */
  private enum Revision {
    PINNED,
    /** They were not compared. */
    UNKNOWN,
    OTHER
  }

  private Checkout checkout() throws CommandFailure {
    String variable = cli.variable().apply("WPT_DIR");
    Path named = wpt != null || variable == null || variable.isEmpty() ? wpt : Path.of(variable);
    String fetched = cli.property().apply("weblocks.wpt.dir");
    Path root = named != null ? named : fetched != null ? Path.of(fetched) : null;
    if (root == null) {
      throw new CommandFailure(
          "the web-platform-tests are missing: run scripts/fetch-wpt, or name a directory with"
              + " --wpt");
    }
    if (!Files.isRegularFile(root.resolve("resources/testharness.js"))) {
      throw new CommandFailure(
          "'%s' holds no web-platform-tests (no resources/testharness.js):%s"
              .formatted(
                  root, named != null ? " name the root of a checkout" : " run scripts/fetch-wpt"));
    }
    return new Checkout(root, named != null);
  }

  private static void requireTests(Path directory) throws CommandFailure {
    if (!Files.isDirectory(directory)) {
      throw new CommandFailure(
          "--tests '" + directory + "' is not a directory: name one that holds tests");
    }
    try {
      if (new TestDiscovery(directory, WptHosts.standard()).under("/").isEmpty()) {
        throw new CommandFailure(
            "--tests '" + directory + "' holds no test: name another directory");
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "the tests of --tests '" + directory + "' cannot be read: " + IoProblem.text(e));
    }
  }

  /** Compares the files with the pinned hashes; throws if those of fetch-wpt differ. */
  private Revision verify(WptSubset subset, Checkout checkout) throws CommandFailure {
    Path root = checkout.root();
    if (noVerify) {
      return Revision.UNKNOWN;
    }
    if (!subset.hasHashes()) {
      cli.note("no hashes in wpt-subset: the tests are not verified");
      return Revision.UNKNOWN;
    }
    List<String> damage;
    try {
      damage = subset.damagedFiles(root);
    } catch (IOException e) {
      throw new CommandFailure("the tests cannot be verified: " + IoProblem.text(e));
    }
    if (damage.isEmpty()) {
      return Revision.PINNED;
    }
    if (!checkout.given()) {
      throw new CommandFailure(
          HarmlessText.count(damage.size(), "file")
              + " of '"
              + root
              + "' are not those of the pinned revision ("
              + String.join(", ", damage.subList(0, Math.min(MAX_DAMAGE_SHOWN, damage.size())))
              + (damage.size() > MAX_DAMAGE_SHOWN ? ", …" : "")
              + "): run scripts/fetch-wpt, or take them as they are with --no-verify");
    }
    if (updateExpectations) {
      throw new CommandFailure(
          "'%s' is not the pinned revision, whose results --update-expectations records: run"
                  .formatted(root)
              + " scripts/fetch-wpt, or take it as it is with --no-verify");
    }
    if (ownTests == null) {
      cli.note(
          "'%s' is not the pinned revision: files are not verified, expectations apply where they match"
              .formatted(root));
    }
    return Revision.OTHER;
  }

  /** Returns the predicate for the sources, with leading slash, of the pinned part of WPT. */
  private static Predicate<String> pinnedSources(WptSubset subset) throws CommandFailure {
    try {
      Set<String> files = subset.hasHashes() ? subset.files() : Set.of();
      return source -> files.contains(source.substring(1));
    } catch (IOException e) {
      throw new CommandFailure("the hashes cannot be read: " + IoProblem.text(e));
    }
  }

  private List<WptTest> select(Path root, TestDiscovery discovery, Checkout checkout)
      throws CommandFailure {
    try {
      return new TestManifest(root, discovery).select(selection.of(selectors));
    } catch (TestManifest.NoSuchTestException e) {
      boolean isPart = ownTests == null && !checkout.given();
      throw new CommandFailure(e.getMessage() + (isPart && isOutside(root) ? OUTSIDE : ""));
    } catch (IOException e) {
      throw new CommandFailure("the tests cannot be read: " + IoProblem.text(e));
    }
  }

  /** Throws if a file that a TEST-PATH names itself, not by its directory, cannot be read. */
  private void requireReadable(List<WptTest> tests) throws CommandFailure {
    TestSelection named = selection.of(selectors);
    String problems =
        tests.stream()
            .filter(test -> test.kind() == TestKind.UNREADABLE && named.names(test))
            .map(WptTest::notSupported)
            .collect(Collectors.joining("; "));
    if (!problems.isEmpty()) {
      throw new CommandFailure(problems);
    }
  }

  /** Returns whether a selector begins with a directory that is missing. */
  private boolean isOutside(Path root) {
    return selectors.stream()
        .map(selector -> selector.replaceFirst("^/", "").replaceFirst("[/*{\\[?].*", ""))
        .anyMatch(first -> !first.isEmpty() && Files.notExists(root.resolve(first)));
  }

  private void print(WptTest test, Expectations expectations) {
    Shown id = Shown.of(test.id());
    cli.println(
        test.supported()
            ? expectations
                .skipped(test)
                .map(reason ->
                    id.column(
                        reason.text().isEmpty()
                            ? "skipped: no reason yet"
                            : "skipped: " + reason.text() + " (" + reason.link() + ")"))
                .orElse(id)
            : id.column("not supported: " + test.notSupported()));
  }

  private List<PreloadScript> preloadScripts() throws CommandFailure {
    List<PreloadScript> scripts = new ArrayList<>();
    for (Path file : how.preloads) {
      if (Files.isDirectory(file)) {
        throw new CommandFailure("--preload " + file + " is a directory: name a script");
      }
      try {
        scripts.add(new PreloadScript(String.valueOf(file.getFileName()), Texts.ofFile(file)));
      } catch (NoSuchFileException e) {
        throw new CommandFailure("--preload " + file + " does not exist: name a script");
      } catch (MalformedInputException e) {
        throw new CommandFailure(
            "--preload " + file + " is not UTF-8 text: save the script in UTF-8");
      } catch (IOException e) {
        throw new CommandFailure(
            "--preload " + file + " cannot be read: " + IoProblem.text(e) + "; name a script");
      }
    }
    return scripts;
  }

  private static Map<WptTest, String> leftOut(List<WptTest> tests, Expectations expectations) {
    Map<WptTest, String> reasons = new LinkedHashMap<>();
    for (WptTest test : tests) {
      if (test.notSupported() != null) {
        reasons.put(test, RunReport.NotRun.NOT_SUPPORTED + test.notSupported());
      } else {
        expectations
            .skipped(test)
            .ifPresent(reason ->
                reasons.put(
                    test, RunReport.NotRun.SKIPPED + reason.text() + " (" + reason.link() + ")"));
      }
    }
    return reasons;
  }

  /** Returns facts for reports by which runs with other options or of other chunks differ. */
  private Map<String, String> facts(List<WptTest> selected, @Nullable Shard chunk) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (!how.words().isEmpty()) {
      facts.put("options", how.words());
    }
    if (chunk != null) {
      facts.putAll(MergedRun.facts(selected, chunk));
    }
    return facts;
  }

  private static Optional<String> commit(WptSubset subset) throws CommandFailure {
    try {
      return subset.commit();
    } catch (IOException e) {
      throw new CommandFailure("the pin cannot be read: " + IoProblem.text(e));
    }
  }
}
