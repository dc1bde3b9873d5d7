package dev.weblocks.harness.wpt;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one test file. Finished subtests keep their results even if the file fails.
 *
 * @param message about the file as a whole; includes problems of the server if anything failed;
 *     null for none
 * @param subtests in the order of the file, as far as known
 * @param duration from opening the page to the last result, in real time
 */
public record TestResult(
    WptTest test,
    HarnessStatus status,
    @Nullable String message,
    List<SubtestResult> subtests,
    Duration duration) {

  public TestResult {
    subtests = List.copyOf(subtests);
  }
}
