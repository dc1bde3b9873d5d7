package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.Texts;
import dev.weblocks.harness.wpt.WptTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run of Weblocks or of another engine. Statuses are strings, because other
 * engines have more of them. Lone surrogates in text are replaced, as in {@code U+d800}.
 *
 * @param info facts about the run, by the keys of wptrunner's {@code run_info}: {@code product},
 *     {@code browser_version}, {@code os}, {@code processor}, {@code revision} and others, in their
 *     order
 * @param start time of the beginning of the run; null if unknown
 * @param end time of the end of the run; null if unknown
 * @param tests the tests that ran, in their order
 * @param notRun the selected tests that did not run
 * @param interrupted whether the run was interrupted before its end
 */
public record RunReport(
    Map<String, String> info,
    @Nullable Instant start,
    @Nullable Instant end,
    List<Test> tests,
    List<NotRun> notRun,
    boolean interrupted) {

  /** The key in {@code info} of the number of a chunk: of one machine's part of a run. */
  public static final String THIS_CHUNK = "this_chunk";

  /** The status of a subtest that was expected and is not among the results. */
  public static final String MISSING = "MISSING";

  public RunReport {
    Map<String, String> clean = new LinkedHashMap<>();
    info.forEach((key, value) -> clean.put(clean(key), clean(value)));
    info = Collections.unmodifiableMap(clean);
    tests = List.copyOf(tests);
    notRun = List.copyOf(notRun);
  }

  /** The status of a test or a subtest, with the expected one. */
  public sealed interface Result {
    /** Returns the status, such as {@code PASS}. */
    String status();

    /** Returns the message; null for none. */
    @Nullable String message();

    Expected expected();

    /** Returns whether the status differs from the expected ones. */
    default boolean unexpected() {
      return !status().equals(expected().status()) && !expected().intermittent().contains(status());
    }

    /** Returns whether the status is a success. */
    boolean passes();
  }

  /**
   * The expectation for a test or a subtest.
   *
   * @param status the expected status
   * @param intermittent further accepted statuses
   * @param reason reason why it is not expected to pass; null if it is, or the reason is unknown
   */
  public record Expected(String status, List<String> intermittent, @Nullable String reason) {

    public Expected {
      status = clean(status);
      intermittent = intermittent.stream().map(RunReport::clean).toList();
      reason = cleanOrNull(reason);
    }

    /** Returns the expectation of exactly one status. */
    public static Expected of(String status) {
      return new Expected(status, List.of(), null);
    }
  }

  /**
   * A test that ran.
   *
   * @param id WPT's id with variant: {@code /web-locks/held.https.any.html}
   * @param subsuite wptrunner's name for a run of the test under special conditions; usually empty
   * @param status of the test as a whole, such as {@code OK} or {@code TIMEOUT}
   * @param duration its duration; null if unknown
   */
  public record Test(
      String id,
      String subsuite,
      String status,
      @Nullable String message,
      @Nullable Duration duration,
      Expected expected,
      List<Subtest> subtests)
      implements Result {

    public Test {
      id = clean(id);
      subsuite = clean(subsuite);
      status = clean(status);
      message = cleanOrNull(message);
      subtests = List.copyOf(subtests);
    }

    /** Returns the key of the test, unique in a report. */
    public String key() {
      return keyOf(id, subsuite);
    }

    /** Returns whether the test as a whole succeeded, regardless of its subtests. */
    @Override
    public boolean passes() {
      return status.equals("OK") || status.equals("PASS");
    }

    /** Returns the results of the test as a whole and of its subtests. */
    public Stream<Result> results() {
      return Stream.concat(Stream.of(this), subtests.stream());
    }

    /** Returns whether the status of the test or of a subtest is unexpected. */
    public boolean anyUnexpected() {
      return results().anyMatch(Result::unexpected);
    }

    /** Returns whether the test and all of its subtests pass. */
    public boolean allPass() {
      return results().allMatch(Result::passes);
    }
  }

  /** A subtest. Its status is {@link #MISSING} if it was expected and is not among the results. */
  public record Subtest(String name, String status, @Nullable String message, Expected expected)
      implements Result {

    public Subtest {
      name = clean(name);
      status = clean(status);
      message = cleanOrNull(message);
    }

    public boolean missing() {
      return status.equals(MISSING);
    }

    @Override
    public boolean passes() {
      return status.equals("PASS");
    }
  }

  /**
   * A selected test that did not run.
   *
   * @param kind kind of a test that is not supported; null for other reasons, or if unknown
   * @param reason short reason
   */
  public record NotRun(String id, String subsuite, @Nullable String kind, String reason) {

    /** The beginning of the reason of a test that the expectations exclude. */
    public static final String SKIPPED = "skipped: ";

    /** The beginning of the reason of a test that is not supported. */
    public static final String NOT_SUPPORTED = "not supported: ";

    public NotRun {
      id = clean(id);
      subsuite = clean(subsuite);
      kind = cleanOrNull(kind);
      reason = clean(reason);
    }

    /** Returns the key of the test, unique in a report. */
    public String key() {
      return keyOf(id, subsuite);
    }
  }

  /** The source of the expectations for the tests of a run. */
  public interface Judge {
    /** Returns the expectation for a test as a whole. */
    Expected expected(TestResult result);

    /** Returns the expectation for a subtest. */
    Expected expected(TestResult result, SubtestResult subtest);

    /** Returns the subtests that are expected and not among the results, by name. */
    Map<String, Expected> missing(TestResult result);
  }

  /**
   * Returns the report of a run of Weblocks.
   *
   * @param results in the order of the report
   * @param notRun selected tests that did not run, with the reasons
   */
  public static RunReport of(
      Map<String, String> info,
      Instant start,
      Instant end,
      List<TestResult> results,
      Judge judge,
      Map<WptTest, String> notRun,
      boolean interrupted) {
    return new RunReport(
        info,
        start,
        end,
        results.stream().map(result -> test(result, judge)).toList(),
        notRun(notRun),
        interrupted);
  }

  /** Returns entries for tests that did not run, with the reasons. */
  public static List<NotRun> notRun(Map<WptTest, String> reasons) {
    List<NotRun> left = new ArrayList<>();
    reasons.forEach((test, reason) ->
        left.add(new NotRun(test.id(), "", test.supported() ? null : test.kind().label(), reason)));
    return left;
  }

  private static Test test(TestResult result, Judge judge) {
    List<Subtest> subtests = new ArrayList<>();
    for (SubtestResult subtest : result.subtests()) {
      subtests.add(
          new Subtest(
              subtest.name(),
              subtest.status().name(),
              subtest.message(),
              judge.expected(result, subtest)));
    }
    judge
        .missing(result)
        .forEach((name, expected) -> subtests.add(new Subtest(name, MISSING, null, expected)));
    return new Test(
        result.test().id(),
        "",
        result.status().name(),
        result.message(),
        result.duration(),
        judge.expected(result),
        subtests);
  }

  /** Returns the number of tests and subtests with an unexpected status. */
  public long unexpected() {
    return tests.stream().flatMap(Test::results).filter(Result::unexpected).count();
  }

  String howFar() {
    return "interrupted: %s ran, %s did not"
        .formatted(HarmlessText.count(tests.size(), "test"), notRun.size());
  }

  /** Returns the product and its version, as far as known; empty if unknown. */
  public String product() {
    String product = info.getOrDefault("product", "");
    String version = info.getOrDefault("browser_version", "");
    return product.isEmpty() || version.isEmpty() ? product : product + " " + version;
  }

  /** Returns the directory of a test, without slashes around it; empty for one at the root. */
  static String directory(String id) {
    String path = id.replaceFirst("[?#].*", "");
    int end = path.lastIndexOf('/');
    return end <= 0 ? "" : path.substring(path.startsWith("/") ? 1 : 0, end);
  }

  private static String keyOf(String id, String subsuite) {
    return subsuite.isEmpty() ? id : id + " [" + subsuite + "]";
  }

  private static String clean(String text) {
    return Texts.replaceLoneSurrogates(text);
  }

  private static @Nullable String cleanOrNull(@Nullable String text) {
    return text == null ? null : clean(text);
  }
}
