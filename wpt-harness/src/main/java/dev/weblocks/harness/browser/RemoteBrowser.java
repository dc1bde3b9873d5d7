package dev.weblocks.harness.browser;

import dev.weblocks.harness.process.EngineFailure;
import java.time.Duration;

/** A running browser, controlled over its debugging protocol. For one thread. */
public interface RemoteBrowser extends AutoCloseable {

  /** A listener for changes of the browser, called on any thread. */
  interface Listener {

    /**
     * Called when script has opened a window.
     *
     * @param window id of the new window
     * @param opener id of the window with the script
     */
    void opened(String window, String opener);

    /** Called once, when the browser has ended. */
    void ended();
  }

  /** Returns the version, without the name. */
  String version();

  /**
   * Opens a top-level window, and waits until it exists.
   *
   * @return its id
   */
  String openWindow() throws EngineFailure, InterruptedException;

  /** Navigates a window, without waiting. */
  void load(String window, String url);

  /** Closes a window, without waiting. */
  void closeWindow(String window);

  /**
   * Evaluates an expression in a window, and waits for its value or that of its promise.
   *
   * @return the value, which must be a string
   * @throws EngineFailure if it throws or rejects, there is no value within the bound, or the
   *     window crashes
   */
  String evaluate(String window, String expression, Duration bound)
      throws EngineFailure, InterruptedException;

  /** Collects garbage in a window, if the browser's protocol can. */
  void collectGarbage(String window, Duration bound) throws EngineFailure, InterruptedException;

  /** Returns the resident memory of all its processes, in bytes. */
  long residentBytes() throws EngineFailure;

  /** Returns the last lines of the browser's output in parentheses; empty if there are none. */
  String lastWords();

  /** Ends all processes, and deletes the profile. */
  @Override
  void close();
}
