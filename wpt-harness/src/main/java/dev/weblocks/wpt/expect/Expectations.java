package dev.weblocks.wpt.expect;

import dev.weblocks.wpt.ExpectedStatuses;
import dev.weblocks.wpt.HarnessStatus;
import dev.weblocks.wpt.SubtestResult;
import dev.weblocks.wpt.SubtestStatus;
import dev.weblocks.wpt.TestResult;
import dev.weblocks.wpt.WptTest;
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
 * What is expected of tests: that all pass, except where a file of the expectations directory says
 * otherwise. The directory mirrors WPT: {@code web-locks/held.https.any.js.json} speaks about the
 * tests of {@code /web-locks/held.https.any.js}. {@code reasons.json} beside them says why.
 */
public final class Expectations implements ExpectedStatuses {

  /** An expectation file that makes no sense; the message, one line, names the place. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(Quotes.oneLine(message));
    }
  }

  /**
   * A result other than the expected one.
   *
   * @param subtest name of the subtest; null when it is about the test as a whole
   * @param expected a status, or several with {@code or} between them
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

  private Expectations(Reasons reasons, Map<String, ExpectationFile> bySource) {
    this.reasons = reasons;
    this.bySource = bySource;
  }

  /** Every test and every subtest passes. */
  public static Expectations none() {
    return new Expectations(new Reasons(Map.of(), Map.of()), Map.of());
  }

  /**
   * Reads a directory of expectations.
   *
   * @param directory one that does not exist expects nothing but passes
   * @throws MalformedException when a file makes no sense, a reason is missing or unknown, or
   *     nobody uses one that has a name
   */
  public static Expectations load(Path directory) throws IOException, MalformedException {
    Expectations expectations = load(directory, false);
    for (String name : expectations.unusedReasons()) {
      throw Objects.requireNonNull(expectations.reasons.places().get(name))
          .error("nobody uses the reason " + Quotes.quote(name) + ": delete it");
    }
    return expectations;
  }

  /** Reads a directory of expectations that may still lack reasons, or have some too many. */
  public static Expectations loadDrafts(Path directory) throws IOException, MalformedException {
    return load(directory, true);
  }

  private static Expectations load(Path directory, boolean drafts)
      throws IOException, MalformedException {
    if (!Files.exists(directory)) {
      return none();
    }
    if (!Files.isDirectory(directory)) {
      throw new MalformedException(directory + " is no directory");
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
              .error(Quotes.quote(id.getKey()) + " has expectations in " + before.file() + " too");
        }
      }
    }
    return new Expectations(reasons, bySource);
  }

  private static List<Path> files(Path directory) throws IOException, MalformedException {
    try {
      return ExpectationFile.in(directory);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof AccessDeniedException denied) {
        throw new MalformedException(denied.getFile() + " cannot be read: permission is missing");
      }
      throw e.getCause();
    }
  }

  /**
   * Makes sure that there is a test behind every file and every id.
   *
   * @param tests of the WPT directory
   * @param known whether that directory tells what there is of a source; files about others are
   *     left alone
   * @throws MalformedException when an entry is stale
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
            file.path() + " is stale: no test comes from " + Quotes.quote(source) + "; delete it");
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
          throw entry.getValue().error("'*' is stale: each test has an entry of its own");
        }
      } else if (!ids.contains(id)) {
        throw entry
            .getValue()
            .error(
                Quotes.quote(id)
                    + " is stale: "
                    + file.source()
                    + " makes no such test, only "
                    + ids.stream().sorted().limit(MAX_IDS).collect(Collectors.joining(", "))
                    + (ids.size() > MAX_IDS ? ", …" : ""));
      }
    }
  }

  private TestEntry entry(WptTest test) {
    ExpectationFile file = bySource.get(test.source());
    return file == null ? TestEntry.NOTHING : file.of(test.id());
  }

  /** Whether a test is to be run: it is supported and not skipped. */
  public boolean runs(WptTest test) {
    return test.supported() && skipped(test).isEmpty();
  }

  /** Why a test as a whole should not succeed, or is not to be run; empty when it should. */
  public Optional<Reason> reason(WptTest test) {
    return entry(test).whole().flatMap(whole -> reasons.resolve(whole.because()));
  }

  /** Why a subtest should not pass, or nobody looks at it; empty when it should pass. */
  public Optional<Reason> reason(WptTest test, String subtest) {
    return Optional.ofNullable(entry(test).subtests().get(subtest))
        .flatMap(entry -> reasons.resolve(entry.because()));
  }

  /** Why a test is not to be run although it is supported; empty for those that are. */
  public Optional<Reason> skipped(WptTest test) {
    return entry(test)
        .whole()
        .filter(whole -> test.supported() && whole.isSkip())
        .map(whole -> reasons.resolve(whole.because()).orElse(new Reason("", "")));
  }

  /** The named reasons that no entry uses, in the order of their file. */
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

  /** Whether a test should run out of time, and in no other way end. */
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

  /** Where a result differs from what is expected, in either direction; empty when nowhere. */
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
    for (String name : unseen) {
      deviations.add(new Deviation(test.id(), name, shown(expected(test, name)), "MISSING", null));
    }
    return deviations;
  }

  private static String shown(Collection<?> statuses) {
    return statuses.isEmpty() ? Entry.SKIP : Quotes.list(statuses);
  }
}
