package dev.weblocks.wpt;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one test file. Subtests that finished keep their results whatever became of the
 * file.
 *
 * @param message about the file as a whole, with what the server could not answer if anything
 *     failed; null when there is nothing to say
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
