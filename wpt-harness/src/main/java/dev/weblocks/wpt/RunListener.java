package dev.weblocks.wpt;

/** Follows a run. Calls come one at a time, on any thread. */
public interface RunListener {

  /** A test's page is about to be opened. */
  void started(WptTest test);

  /** A test is over and its user agent is closed. */
  void finished(TestResult result);
}
