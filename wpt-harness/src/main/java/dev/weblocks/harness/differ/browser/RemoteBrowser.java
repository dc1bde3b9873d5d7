package dev.weblocks.harness.differ.browser;

import dev.weblocks.harness.compare.EngineFailure;

/** A running browser, controlled over its debugging protocol. For one thread. */
interface RemoteBrowser extends AutoCloseable {

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

  /** Starts a browser. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts a browser with a new profile.
     *
     * @throws EngineFailure if it does not start; the message includes its last lines of output
     */
    RemoteBrowser start(Listener listener) throws EngineFailure, InterruptedException;
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

  /** Returns the last lines of the browser's output in parentheses; empty if there are none. */
  String lastWords();

  /** Ends all processes, and deletes the profile. */
  @Override
  void close();
}
