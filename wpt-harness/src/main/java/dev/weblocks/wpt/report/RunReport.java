package dev.weblocks.wpt.report;

import dev.weblocks.wpt.SubtestResult;
import dev.weblocks.wpt.TestResult;
import dev.weblocks.wpt.Texts;
import dev.weblocks.wpt.WptTest;
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
 * What a run came to, ours or that of another engine. Statuses are words, because others have some
 * that we do not. All text is free of lone surrogates: they stand as {@code U+d800}.
 *
 * @param info facts about the run by the keys of wptrunner's {@code run_info}: {@code product},
 *     {@code browser_version}, {@code os}, {@code processor}, {@code revision} and others, in their
 *     order
 * @param start when it began; null when that is unknown
 * @param end when it ended; null when that is unknown
 * @param tests the tests that ran, in their order
 * @param notRun the tests that were asked for and did not run
 * @param interrupted whether someone ended it before it was over
 */
public record RunReport(
    Map<String, String> info,
    @Nullable Instant start,
    @Nullable Instant end,
    List<Test> tests,
    List<NotRun> notRun,
    boolean interrupted) {

  /** The status of a subtest that was expected and is not among the results. */
  public static final String MISSING = "MISSING";

  public RunReport {
    Map<String, String> clean = new LinkedHashMap<>();
    info.forEach((key, value) -> clean.put(clean(key), clean(value)));
    info = Collections.unmodifiableMap(clean);
    tests = List.copyOf(tests);
    notRun = List.copyOf(notRun);
  }

  /** How a test or a subtest ended, and how it should have. */
  public sealed interface Result {
    /** A status, such as {@code PASS}. */
    String status();

    /** Why it ended so; null when there is nothing to say. */
    @Nullable String message();

    Expected expected();

    /** Whether it ended in another way than it should. */
    default boolean unexpected() {
      return !status().equals(expected().status()) && !expected().intermittent().contains(status());
    }

    /** Whether it ended as it does where all is well. */
    boolean passes();
  }

  /**
   * What is expected of a test or a subtest.
   *
   * @param status the status that it should have
   * @param intermittent statuses that are as good
   * @param reason why it is not expected to pass; null where it is, or where nobody said why
   */
  public record Expected(String status, List<String> intermittent, @Nullable String reason) {

    public Expected {
      status = clean(status);
      intermittent = intermittent.stream().map(RunReport::clean).toList();
      reason = cleanOrNull(reason);
    }

    /** This status, and no other. */
    public static Expected of(String status) {
      return new Expected(status, List.of(), null);
    }
  }

  /**
   * A test that ran.
   *
   * @param id WPT's id with variant: {@code /web-locks/held.https.any.html}
   * @param subsuite wptrunner's name for a run of the test under special conditions; mostly empty
   * @param status of the test as a whole, such as {@code OK} or {@code TIMEOUT}
   * @param duration how long it took; null when that is unknown
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

    /** What tells it from the other tests of a report. */
    public String key() {
      return keyOf(id, subsuite);
    }

    /** About the test as a whole, not about its subtests. */
    @Override
    public boolean passes() {
      return status.equals("OK") || status.equals("PASS");
    }

    /** The test as a whole and its subtests. */
    public Stream<Result> results() {
      return Stream.concat(Stream.of(this), subtests.stream());
    }

    /** Whether it or one of its subtests ended in another way than it should. */
    public boolean anyUnexpected() {
      return results().anyMatch(Result::unexpected);
    }

    /** Whether it and all of its subtests pass. */
    public boolean allPass() {
      return results().allMatch(Result::passes);
    }
  }

  /** A subtest; its status is {@link #MISSING} when it was expected and is not there. */
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
   * A test that was asked for and did not run.
   *
   * @param reason why, in a few words
   */
  public record NotRun(String id, String subsuite, String reason) {

    public NotRun {
      id = clean(id);
      subsuite = clean(subsuite);
      reason = clean(reason);
    }

    /** What tells it from the other tests of a report. */
    public String key() {
      return keyOf(id, subsuite);
    }
  }

  /** What is expected of the tests of a run. */
  public interface Judge {
    /** What is expected of a test as a whole. */
    Expected expected(TestResult result);

    /** What is expected of a subtest of it. */
    Expected expected(TestResult result, SubtestResult subtest);

    /** The subtests that are expected and not among the results, by name. */
    Map<String, Expected> missing(TestResult result);
  }

  /**
   * The report of a run of ours.
   *
   * @param results in the order in which they shall be reported
   * @param notRun tests that were asked for and did not run, with the reason
   */
  public static RunReport of(
      Map<String, String> info,
      Instant start,
      Instant end,
      List<TestResult> results,
      Judge judge,
      Map<WptTest, String> notRun,
      boolean interrupted) {
    List<NotRun> left = new ArrayList<>();
    notRun.forEach((test, reason) -> left.add(new NotRun(test.id(), "", reason)));
    return new RunReport(
        info,
        start,
        end,
        results.stream().map(result -> test(result, judge)).toList(),
        left,
        interrupted);
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

  /** How many tests and subtests ended in another way than they should. */
  public long unexpected() {
    return tests.stream().flatMap(Test::results).filter(Result::unexpected).count();
  }

  /** How far an interrupted run came, in words. */
  String howFar() {
    return "interrupted: "
        + (tests.size() == 1 ? "1 test" : tests.size() + " tests")
        + " ran, "
        + notRun.size()
        + " did not";
  }

  /** The product and its version, as far as they are known; empty when they are not. */
  public String product() {
    String product = info.getOrDefault("product", "");
    String version = info.getOrDefault("browser_version", "");
    return product.isEmpty() || version.isEmpty() ? product : product + " " + version;
  }

  /** The directory of a test, without slashes around it; empty for one at the root. */
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
