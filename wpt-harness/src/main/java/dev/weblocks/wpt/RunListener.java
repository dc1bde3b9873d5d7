package dev.weblocks.wpt;

import dev.weblocks.embed.TraceListener;
import org.jspecify.annotations.Nullable;

/** Follows a run. Calls come one at a time, on any thread. */
public interface RunListener {

  /** A test's page is about to be opened. */
  void started(WptTest test);

  /** Who sees every step of a test's user agent, asked once after its start; null for nobody. */
  default @Nullable TraceListener trace(WptTest test) {
    return null;
  }

  /** A test is over and its user agent is closed. */
  void finished(TestResult result);

  /**
   * Returns whether the run starts no further test, now that this one is over. Called once for each
   * result, after {@link #finished} and before the next test starts.
   */
  default boolean isEnough(TestResult result) {
    return false;
  }
}
