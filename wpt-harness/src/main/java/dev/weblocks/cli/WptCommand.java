package dev.weblocks.cli;

import dev.weblocks.wpt.PreloadScript;
import dev.weblocks.wpt.TestManifest;
import dev.weblocks.wpt.WptHosts;
import dev.weblocks.wpt.WptSubset;
import dev.weblocks.wpt.WptTest;
import dev.weblocks.wpt.expect.Expectations;
import dev.weblocks.wpt.expect.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs web-platform-tests. */
@Command(
    name = "wpt",
    description = "Run web-platform-tests, without a network and without Python.",
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 all as expected, 1 an unexpected result, 2 the tests could not be run."
    })
final class WptCommand implements Callable<Integer> {

  private static final int MAX_DAMAGE_SHOWN = 3;

  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "TEST-PATH",
      arity = "0..*",
      description =
          "A directory, a file or the id of a test, with or without leading slash:"
              + " web-locks/ or web-locks/held.https.any.js (all its variants) or"
              + " /web-locks/held.https.any.html; or a glob over those, such as"
              + " 'web-locks/**/*.worker.html'. Without any: all tests.")
  private List<String> selectors = new ArrayList<>();

  @ArgGroup(exclusive = false, heading = "%nWhich of them:%n", order = 1)
  private SelectionOptions selection = new SelectionOptions();

  @ArgGroup(exclusive = false, heading = "%nHow they run:%n", order = 2)
  private RunOptions how = new RunOptions();

  @ArgGroup(exclusive = false, heading = "%nReports, and what to compare with:%n", order = 3)
  private ReportOptions reportOptions = new ReportOptions();

  @Option(
      names = "--wpt",
      paramLabel = "DIR",
      description = "The directory of the tests. Default: where scripts/fetch-wpt put them.")
  private @Nullable Path wpt;

  @Option(
      names = "--no-verify",
      description = "Take the files as they are, without comparing hashes.")
  private boolean noVerify;

  @Option(
      names = "--update-expectations",
      description =
          "Bring wpt-subset/expectations in line with how the tests end, for a person to review."
              + " Reasons of what still holds stay; new entries have none and fail each run until"
              + " somebody gives one.")
  private boolean updateExpectations;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  WptCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws CommandFailure {
    String problem = how.problem();
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), problem);
    }
    WptSubset subset = new WptSubset(home().resolve("wpt-subset"));
    Path root = root();
    if (!how.watch || selection.list) {
      return once(subset, root);
    }
    return new Watch(surroundings, List.of(root, subset.expectations()), how.preloads)
        .run(() -> once(subset, root));
  }

  private int once(WptSubset subset, Path root) throws CommandFailure {
    boolean verified = verify(subset, root);
    WptHosts hosts = WptHosts.standard();
    List<WptTest> tests = select(root, hosts);
    if (selection.list) {
      tests.forEach(this::print);
      return Main.AS_EXPECTED;
    }
    ExpectationFiles expectationFiles = new ExpectationFiles(surroundings, subset, root, hosts);
    Expectations expectations = expectationFiles.read(updateExpectations, !noVerify);
    List<WptTest> supported = tests.stream().filter(expectations::runs).toList();
    List<WptTest> others = tests.stream().filter(test -> !expectations.runs(test)).toList();
    if (supported.isEmpty()) {
      throw new CommandFailure("nothing to run. " + Summary.leftOut(others));
    }
    Reports reports = reportOptions.prepare(spec.commandLine());
    Clock clock = Clock.systemUTC();
    WptRun run =
        new WptRun(surroundings, root, hosts, how, preloadScripts(), expectations, others, clock);
    boolean asExpected;
    try (RunRecord record =
        RunRecord.begin(
            surroundings,
            reports,
            new RunRecord.Plan(
                supported, leftOut(others, expectations), how.rounds(), revision(subset, verified)),
            new ExpectationsJudge(expectations),
            clock,
            run)) {
      asExpected = run.rounds(supported);
      record.finish();
    }
    if (updateExpectations) {
      return expectationFiles.update(run.results()) ? Main.AS_EXPECTED : Main.UNEXPECTED;
    }
    return asExpected ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  /** Where the product's own files are; the launcher says it. */
  private Path home() {
    String home = surroundings.property().apply("weblocks.home");
    return Path.of(home == null ? "" : home);
  }

  private Path root() throws CommandFailure {
    String fetched = surroundings.property().apply("weblocks.wpt.dir");
    Path root = wpt != null ? wpt : fetched != null ? Path.of(fetched) : null;
    if (root == null) {
      throw new CommandFailure(
          "there are no web-platform-tests yet: run scripts/fetch-wpt, or name a directory with"
              + " --wpt");
    }
    if (!Files.isRegularFile(root.resolve("resources/testharness.js"))) {
      throw new CommandFailure(
          "'"
              + root
              + "' holds no web-platform-tests (no resources/testharness.js):"
              + (wpt != null ? " name another directory" : " run scripts/fetch-wpt"));
    }
    return root;
  }

  /** Compares the files with the hashes, if there are any; returns whether they are all right. */
  private boolean verify(WptSubset subset, Path root) throws CommandFailure {
    if (noVerify) {
      return false;
    }
    if (!subset.hasHashes()) {
      surroundings.err().println("weblocks: no hashes in wpt-subset: the tests are not verified");
      return false;
    }
    List<String> damage;
    try {
      damage = subset.damagedFiles(root);
    } catch (IOException e) {
      throw new CommandFailure("the tests cannot be verified: " + describe(e));
    }
    if (!damage.isEmpty()) {
      throw new CommandFailure(
          damage.size()
              + (damage.size() == 1 ? " file" : " files")
              + " of '"
              + root
              + "' are not those of the pinned revision ("
              + String.join(", ", damage.subList(0, Math.min(MAX_DAMAGE_SHOWN, damage.size())))
              + (damage.size() > MAX_DAMAGE_SHOWN ? ", …" : "")
              + "): run scripts/fetch-wpt, or take them as they are with --no-verify");
    }
    return true;
  }

  private List<WptTest> select(Path root, WptHosts hosts) throws CommandFailure {
    try {
      return new TestManifest(root, hosts).select(selection.of(selectors));
    } catch (TestManifest.NoSuchTestException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandFailure("the tests cannot be read: " + describe(e));
    }
  }

  private void print(WptTest test) {
    surroundings
        .out()
        .println(test.id() + (test.supported() ? "" : "\tnot supported: " + test.notSupported()));
  }

  private List<PreloadScript> preloadScripts() throws CommandFailure {
    List<PreloadScript> scripts = new ArrayList<>();
    for (Path file : how.preloads) {
      try {
        scripts.add(new PreloadScript(file.getFileName().toString(), Files.readString(file)));
      } catch (IOException e) {
        throw new CommandFailure("--preload " + file + " cannot be read: " + describe(e));
      }
    }
    return scripts;
  }

  /** The tests that do not run, with the reason. */
  private static Map<WptTest, String> leftOut(List<WptTest> tests, Expectations expectations) {
    Map<WptTest, String> reasons = new LinkedHashMap<>();
    for (WptTest test : tests) {
      reasons.put(
          test,
          test.notSupported() != null
              ? "not supported: " + test.notSupported()
              : "skipped: " + expectations.skipped(test).map(Reason::text).orElse("no reason yet"));
    }
    return reasons;
  }

  /** The revision of the tests; only verified files are known to be of one. */
  private static Optional<String> revision(WptSubset subset, boolean verified)
      throws CommandFailure {
    try {
      return verified ? subset.commit() : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure("the pin cannot be read: " + describe(e));
    }
  }

  private static String describe(IOException problem) {
    return problem.getClass().getSimpleName() + ": " + problem.getMessage();
  }
}
