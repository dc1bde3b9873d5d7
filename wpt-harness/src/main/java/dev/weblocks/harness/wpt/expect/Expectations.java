package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.ExpectedStatuses;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The expected results of tests: all pass, unless a file of the expectations directory says
 * otherwise. The directory mirrors WPT: {@code web-locks/held.https.any.js.json} is for the tests
 * of {@code /web-locks/held.https.any.js}. {@code reasons.json} in the same directory contains the
 * reasons.
 */
public final class Expectations implements ExpectedStatuses {

  /** Thrown for an invalid expectation file. The message is one line and contains the place. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(Quotes.oneLine(message));
    }
  }

  /**
   * A result other than the expected one.
   *
   * @param subtest name of the subtest; null for the test as a whole
   * @param expected a status, or several separated by {@code or}
   * @param actual a status, or {@code MISSING} for a subtest that is not among the results
   */
  public record Deviation(
      String testId,
      @Nullable String subtest,
      String expected,
      String actual,
      @Nullable String message) {}

  private static final int MAX_IDS = 3;

  private final Reasons reasons;
  private final Map<String, ExpectationFile> bySource;

  /** Whether entries for subtests that a test does not report are ignored. */
  private final boolean lenient;

  private Expectations(Reasons reasons, Map<String, ExpectationFile> bySource, boolean lenient) {
    this.reasons = reasons;
    this.bySource = bySource;
    this.lenient = lenient;
  }

  /** Returns the same expectations for tests of another revision, which may lack subtests. */
  public Expectations forOtherRevision() {
    return new Expectations(reasons, bySource, true);
  }

  /** Returns the expectation that every test and every subtest passes. */
  public static Expectations none() {
    return new Expectations(new Reasons(Map.of(), Map.of()), Map.of(), false);
  }

  /**
   * Reads a directory of expectations.
   *
   * @param directory may be missing: then all tests are expected to pass
   * @throws MalformedException if a file is invalid, a reason is missing or unknown, or a named
   *     reason is unused
   */
  public static Expectations load(Path directory) throws IOException, MalformedException {
    Expectations expectations = load(directory, false);
    for (String name : expectations.unusedReasons()) {
      throw Objects.requireNonNull(expectations.reasons.places().get(name))
          .error("the reason " + Quotes.quote(name) + " is unused: delete it");
    }
    return expectations;
  }

  /** Reads a directory of expectations that may contain missing or unused reasons. */
  public static Expectations loadDrafts(Path directory) throws IOException, MalformedException {
    return load(directory, true);
  }

  private static Expectations load(Path directory, boolean drafts)
      throws IOException, MalformedException {
    if (!Files.exists(directory)) {
      return none();
    }
    if (!Files.isDirectory(directory)) {
      throw new MalformedException(directory + " is not a directory");
    }
    Reasons reasons = Reasons.read(directory);
    Map<String, ExpectationFile> bySource = new HashMap<>();
    Map<String, Place> ids = new HashMap<>();
    for (Path path : files(directory)) {
      ExpectationFile file = ExpectationFile.read(directory, path, reasons, drafts);
      bySource.put(file.source(), file);
      for (Map.Entry<String, Place> id : file.places().entrySet()) {
        Place before =
            id.getKey().equals(ExpectationFile.ALL)
                ? null
                : ids.putIfAbsent(id.getKey(), id.getValue());
        if (before != null) {
          throw id.getValue()
              .error(Quotes.quote(id.getKey()) + " also has expectations in " + before.file());
        }
      }
    }
    return new Expectations(reasons, bySource, false);
  }

  private static List<Path> files(Path directory) throws IOException, MalformedException {
    try {
      return ExpectationFile.in(directory);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof AccessDeniedException denied) {
        throw new MalformedException(denied.getFile() + " cannot be read: permission denied");
      }
      throw e.getCause();
    }
  }

  /**
   * Checks that every file and id is for an existing test, and that every {@code *} is needed.
   *
   * @param tests of the WPT directory
   * @param known returns whether the WPT directory is complete for a source; expectation files for
   *     other sources are not checked
   * @throws MalformedException if an entry is stale
   */
  public void requireCurrent(SourceTests tests, Predicate<String> known)
      throws IOException, MalformedException {
    for (String source : new TreeSet<>(bySource.keySet())) {
      if (!known.test(source)) {
        continue;
      }
      ExpectationFile file = Objects.requireNonNull(bySource.get(source));
      Set<String> ids = tests.of(source).stream().map(WptTest::id).collect(Collectors.toSet());
      if (ids.isEmpty()) {
        throw new MalformedException(
            file.path() + " is stale: " + Quotes.quote(source) + " has no test; delete it");
      }
      requireCurrent(file, ids);
    }
  }

  private static void requireCurrent(ExpectationFile file, Set<String> ids)
      throws MalformedException {
    for (Map.Entry<String, Place> entry : file.places().entrySet()) {
      String id = entry.getKey();
      if (id.equals(ExpectationFile.ALL)) {
        if (file.places().keySet().containsAll(ids)) {
          throw entry.getValue().error("'*' is stale: each test has its own entry");
        }
      } else if (!ids.contains(id)) {
        throw entry
            .getValue()
            .error(
                Quotes.quote(id)
                    + " is stale: "
                    + file.source()
                    + " does not have this test, only "
                    + ids.stream().sorted().limit(MAX_IDS).collect(Collectors.joining(", "))
                    + (ids.size() > MAX_IDS ? ", …" : ""));
      }
    }
  }

  private TestEntry entry(WptTest test) {
    ExpectationFile file = bySource.get(test.source());
    return file == null ? TestEntry.NOTHING : file.of(test.id());
  }

  /** Returns whether a test is to be run: it is supported and not skipped. */
  public boolean runs(WptTest test) {
    return test.supported() && skipped(test).isEmpty();
  }

  /**
   * Returns the reason why a test as a whole is not expected to succeed, or is skipped; empty if it
   * is expected to succeed.
   */
  public Optional<Reason> reason(WptTest test) {
    return entry(test).whole().flatMap(whole -> reasons.resolve(whole.because()));
  }

  /** Returns the reason why a subtest is ignored or not expected to pass; empty if neither. */
  public Optional<Reason> reason(WptTest test, String subtest) {
    return Optional.ofNullable(entry(test).subtests().get(subtest))
        .flatMap(entry -> reasons.resolve(entry.because()));
  }

  /** Returns the reason why a supported test is skipped; empty for other tests. */
  public Optional<Reason> skipped(WptTest test) {
    return entry(test)
        .whole()
        .filter(whole -> test.supported() && whole.isSkip())
        .map(whole -> reasons.resolve(whole.because()).orElse(new Reason("", "")));
  }

  /** Returns the named reasons that no entry uses, in the order of their file. */
  List<String> unusedReasons() {
    Set<String> used = new HashSet<>();
    bySource.values().stream()
        .flatMap(file -> file.tests().values().stream())
        .flatMap(TestEntry::entries)
        .forEach(entry -> {
          if (entry.because() instanceof Because.Named named) {
            used.add(named.name());
          }
        });
    return reasons.unused(used);
  }

  /** Returns whether a timeout is the only expected status of a test. */
  public boolean expectTimeout(WptTest test) {
    return expected(test).equals(List.of(HarnessStatus.TIMEOUT));
  }

  @Override
  public List<HarnessStatus> expected(WptTest test) {
    return entry(test)
        .whole()
        .filter(whole -> !whole.isSkip())
        .map(Entry::statuses)
        .orElse(List.of(test.kind().success()));
  }

  @Override
  public List<SubtestStatus> expected(WptTest test, String subtest) {
    Entry<SubtestStatus> entry = entry(test).subtests().get(subtest);
    return entry == null ? List.of(SubtestStatus.PASS) : entry.statuses();
  }

  /**
   * Returns the deviations of a result from the expectation, in either direction; empty if there
   * are none.
   */
  public List<Deviation> compare(TestResult result) {
    WptTest test = result.test();
    List<Deviation> deviations = new ArrayList<>();
    if (!expected(test).contains(result.status())) {
      deviations.add(
          new Deviation(
              test.id(), null, shown(expected(test)), result.status().name(), result.message()));
    }
    Set<String> unseen = new TreeSet<>(entry(test).subtests().keySet());
    for (SubtestResult subtest : result.subtests()) {
      unseen.remove(subtest.name());
      List<SubtestStatus> expected = expected(test, subtest.name());
      if (!expected.isEmpty() && !expected.contains(subtest.status())) {
        deviations.add(
            new Deviation(
                test.id(),
                subtest.name(),
                shown(expected),
                subtest.status().name(),
                subtest.message()));
      }
    }
    for (String name : lenient ? Set.<String>of() : unseen) {
      deviations.add(new Deviation(test.id(), name, shown(expected(test, name)), "MISSING", null));
    }
    return deviations;
  }

  private static String shown(Collection<?> statuses) {
    return statuses.isEmpty() ? Entry.SKIP : Quotes.list(statuses);
  }
}
