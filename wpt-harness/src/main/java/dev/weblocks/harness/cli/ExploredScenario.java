package dev.weblocks.harness.cli;

import dev.weblocks.cluster.simulated.Faults;
import dev.weblocks.cluster.simulated.SimulatedCluster;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.explore.schedule.Scenario;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.explore.trace.Names;
import dev.weblocks.file.RegularFile;
import dev.weblocks.harness.explore.ScriptScenario;
import dev.weblocks.harness.explore.WptScenario;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.Site;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.TestDiscovery;
import dev.weblocks.harness.wpt.TestKind;
import dev.weblocks.harness.wpt.TestManifest;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptFiles;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptSubset;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations;
import dev.weblocks.model.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A scenario to explore (user scripts or a web-platform-test) and resources to close afterwards.
 *
 * @param names display names of agents and of places in scripts
 * @param again the start of the command that repeats a finding, up to the replay string
 * @param behind the rest of that command, after the replay string
 * @param content distinguishes scripts, or files of a web-platform-test, with the same names
 */
record ExploredScenario(
    Scenario scenario,
    Environment environment,
    @Nullable WptFiles files,
    Names names,
    String about,
    String again,
    String behind,
    String content) {

  /** A command that repeats a finding, before the replay string is put in. */
  private static final Pattern REPLAY_COMMAND =
      Pattern.compile(
          ("weblocks (run|explore) --replay STRING( --(module|node-modules)| --(root|import-map"
                  + "|agents|variant|cluster|wpt) WORD| -e WORD| (?!'*+-.)WORD)*+")
              .replace("WORD", "([A-Za-z0-9_./:=@%+,-]++|('[^']*+'|\\\\')++)"));

  /**
   * Returns a scenario in which scripts run as agents of one user agent.
   *
   * @param programs each becomes an agent
   * @param clusterSize the number of members of a simulated lock cluster; 0 for one user agent
   * @param words options and arguments that name the variants and programs in a command that
   *     repeats a finding, each with a preceding blank
   * @throws CommandFailure if no directory contains all programs
   */
  static ExploredScenario ofScripts(
      CliEnvironment cli,
      RunEnvironment own,
      List<Program> programs,
      Set<Variant> variants,
      int clusterSize,
      String words)
      throws CommandFailure {
    Site site;
    try {
      site =
          new Site(
              Addresses.DEFAULT_ORIGIN,
              Site.directoriesOf(programs),
              own.workingDirectory(),
              Set.of(),
              refusing(),
              Runnable::run,
              note -> cli.note(note));
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": explore them separately");
    }
    Environment environment = own.environments().get();
    TraceFile.NamesOfRun names = new TraceFile.NamesOfRun();
    return new ExploredScenario(
        new ScriptScenario(
            site,
            programs,
            environment,
            builder -> builder.variants(variants),
            names::setRun, // the last run is the traced one
            (run, locks) -> LockTable.of(run, locks, /* atRest= */ true).text(),
            clusterSize == 0
                ? null
                : violations -> new SimulatedCluster(clusterSize, Faults.SOME, violations)),
        environment,
        null,
        names,
        HarmlessText.count(programs.size(), "agent")
            + (clusterSize == 0
                ? ""
                : ", cluster of " + HarmlessText.count(clusterSize, "member") + " that fail"),
        // only an exploration simulates a cluster
        clusterSize == 0 ? "weblocks run --replay " : "weblocks explore --replay ",
        words,
        contentOf(
            programs.stream()
                .map(program -> program.text().getBytes(StandardCharsets.UTF_8))
                .toList()));
  }

  private static String contentOf(List<byte[]> scripts) {
    CRC32 crc = new CRC32();
    scripts.forEach(crc::update);
    return "CRC-32 %08x".formatted(crc.getValue());
  }

  /** Returns settings of a report by which explorations of other scenarios differ. */
  Map<String, Object> values() {
    String replay = again + ExplorePrinter.STRING + behind;
    Map<String, Object> values = new LinkedHashMap<>();
    values.put(ExplorePrinter.REPLAY, replay);
    values.put("scripts", content);
    return values;
  }

  /** Returns whether a text is a command as {@link #values} has it, and nothing else. */
  static boolean isReplay(String command) {
    return REPLAY_COMMAND.matcher(command).matches();
  }

  private static ResourceLoader refusing() {
    return request ->
        CompletableFuture.failedFuture(new IOException("an exploration cannot use the network"));
  }

  /**
   * Returns a scenario of a web-platform-test; an unexpected result is a finding.
   *
   * @param path must name exactly one test
   * @param words the variant options of a command that repeats a finding, each after a blank
   * @throws CommandFailure if the path does not name one test, or the test cannot be explored
   */
  static ExploredScenario ofTest(
      CliEnvironment cli, RunEnvironment own, String path, Set<Variant> variants, String words)
      throws CommandFailure {
    WptHosts hosts = WptHosts.standard();
    Path root = root(cli);
    WptTest test = test(root, hosts, path);
    WptSubset subset = new WptSubset(cli.home().resolve("wpt-subset"));
    Expectations expectations =
        new ExpectationFiles(cli, subset, root, new TestDiscovery(root, hosts)).read(false, false);
    if (!expectations.runs(test) || test.kind() == TestKind.CRASHTEST) {
      throw new CommandFailure(
          test.id()
              + " cannot be explored: it is not a testharness.js test, or is not supported here");
    }
    String content;
    try {
      content =
          contentOf(
              List.of(
                  RegularFile.read(
                      root.resolve(test.source().substring(1)), RegularFile.MAX_TEXT)));
    } catch (IOException e) {
      throw unreadable(e);
    }
    Environment environment = own.environments().get();
    WptFiles files = new WptFiles(root);
    return new ExploredScenario(
        new WptScenario(
            test,
            hosts,
            files,
            environment,
            builder -> builder.variants(variants),
            result -> unexpected(expectations, result)),
        environment,
        files,
        Names.PLAIN,
        test.id(),
        "weblocks explore --replay ",
        words + " --wpt " + ScriptArguments.quoted(test.id()),
        content);
  }

  private static List<String> unexpected(Expectations expectations, TestResult result) {
    return expectations.compare(result).stream()
        .map(deviation ->
            (deviation.subtest() == null ? "the test" : HarmlessText.line(deviation.subtest()))
                + ": "
                + deviation.actual()
                + ", expected "
                + deviation.expected()
                + (deviation.message() == null
                    ? ""
                    : ": " + HarmlessText.line(deviation.message())))
        .toList();
  }

  private static Path root(CliEnvironment cli) throws CommandFailure {
    String fetched = cli.property().apply("weblocks.wpt.dir");
    if (fetched == null || !Files.isRegularFile(Path.of(fetched, "resources/testharness.js"))) {
      throw new CommandFailure(
          "the web-platform-tests are missing: run scripts/fetch-wpt, or name a directory with"
              + " WPT_DIR");
    }
    return Path.of(fetched);
  }

  private static WptTest test(Path root, WptHosts hosts, String path) throws CommandFailure {
    List<WptTest> tests;
    try {
      tests = new TestManifest(root, hosts).select(List.of(path));
    } catch (TestManifest.NoSuchTestException e) {
      throw new CommandFailure("--wpt: " + e.getMessage());
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (tests.size() != 1) {
      throw new CommandFailure(
          "--wpt %s names %s tests: name one of them, such as %s"
              .formatted(path, tests.size(), tests.getFirst().id()));
    }
    return tests.getFirst();
  }

  private static CommandFailure unreadable(IOException e) {
    return new CommandFailure("the tests cannot be read: " + IoProblem.text(e));
  }

  /** Ends the runs that are still in progress, and releases their shared resources. */
  void close() {
    environment.close();
    if (files != null) {
      try {
        files.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the in-memory copies of files cannot be released", e);
      }
    }
  }
}
