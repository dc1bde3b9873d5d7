package dev.weblocks.harness.wpt;

import dev.weblocks.model.TraceListener;
import org.jspecify.annotations.Nullable;

/** A listener for a run of tests. Called on any thread, never concurrently. */
public interface RunListener {

  /** Called before the page of a test is opened. */
  void started(WptTest test);

  /**
   * Returns the listener for the steps of a test's user agent; null for none. Called once after the
   * test has started.
   */
  default @Nullable TraceListener trace(WptTest test) {
    return null;
  }

  /** Called when a test is over and its user agent is closed. */
  void finished(TestResult result);

  /**
   * Returns whether to start no further test after this one. Called once for each result, after
   * {@link #finished} and before the next test starts.
   */
  default boolean isEnough(TestResult result) {
    return false;
  }
}
