package dev.weblocks.harness.wpt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reason for which a test is over.
 *
 * @param status the harness status; null if that of the page counts
 * @param message the reason; null if the page was complete
 */
record TestEnding(@Nullable HarnessStatus status, @Nullable String message) {

  /** The page has reported that its tests are complete. */
  static final TestEnding COMPLETED = new TestEnding(null, null);

  /** The time limit was reached; {@link #outOfTime} adds the message. */
  static final TestEnding OUT_OF_TIME = new TestEnding(HarnessStatus.TIMEOUT, null);

  static TestEnding outOfTime(boolean harnessRan, Duration limit) {
    return new TestEnding(
        HarnessStatus.TIMEOUT,
        (harnessRan ? "the page was not complete" : "the test harness never ran")
            + " within "
            + seconds(limit));
  }

  static TestEnding error(String message) {
    return new TestEnding(HarnessStatus.ERROR, message);
  }

  static TestEnding crash(String message) {
    return new TestEnding(HarnessStatus.CRASH, message);
  }

  /**
   * Returns the result of a test that has this ending.
   *
   * @param seen what the page has reported
   * @param uncaughtError the first uncaught error of the page; null for none
   * @param locks the locks of the page at a timeout, as lines; null for none
   */
  TestResult result(
      WptTest test,
      ResultCollector.Snapshot seen,
      @Nullable String uncaughtError,
      @Nullable String locks,
      Duration duration) {
    List<String> notes = new ArrayList<>(seen.notes());
    Stream.ofNullable(locks).map(text -> "locks:\n" + text).forEach(notes::add);
    List<SubtestResult> subtests = new ArrayList<>();
    if (seen.completion().isPresent()) {
      subtests.addAll(seen.completion().get().subtests());
    } else {
      subtests.addAll(seen.finished());
      seen.unfinished()
          .forEach((name, begun) ->
              subtests.add(
                  new SubtestResult(
                      name, begun ? SubtestStatus.TIMEOUT : SubtestStatus.NOTRUN, null)));
    }
    if (status != null) {
      String explanation = explained(message, uncaughtError, notes);
      return new TestResult(test, status, explanation, subtests, duration);
    }
    ResultCollector.Completion completion = seen.completion().orElseThrow();
    boolean failed =
        completion.status() != test.kind().success()
            || subtests.stream().anyMatch(s -> s.status() != SubtestStatus.PASS);
    // The page has reported its uncaught errors itself.
    String explanation =
        failed ? explained(completion.message(), null, notes) : completion.message();
    return new TestResult(test, completion.status(), explanation, subtests, duration);
  }

  private static @Nullable String explained(
      @Nullable String message, @Nullable String uncaughtError, List<String> notes) {
    List<String> parts = new ArrayList<>();
    Stream.ofNullable(message).forEach(parts::add);
    Stream.ofNullable(uncaughtError).map(error -> "uncaught: " + error).forEach(parts::add);
    parts.addAll(notes);
    if (parts.isEmpty()) {
      return null;
    }
    // The first lines of all parts form the first line, which summaries show.
    List<String> heads = new ArrayList<>();
    StringBuilder rest = new StringBuilder();
    for (String part : parts) {
      int end = part.indexOf('\n');
      heads.add(end < 0 ? part : part.substring(0, end));
      rest.append(end < 0 ? "" : part.substring(end));
    }
    return String.join("; ", heads) + rest;
  }

  static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() / 1000.0 + " s";
  }

  static String describe(Throwable cause) {
    String message = cause.getMessage();
    return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
