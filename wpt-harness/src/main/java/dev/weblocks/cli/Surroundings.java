package dev.weblocks.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.wpt.Browser;
import dev.weblocks.wpt.EmbedBrowser;
import dev.weblocks.wpt.PreloadScript;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a command takes from outside.
 *
 * @param out results
 * @param err problems, and progress on a terminal
 * @param property a system property's value; null when it is not set
 * @param variable an environment variable's value; null when it is not set
 * @param terminal whether {@code out} and {@code err} are a terminal
 * @param browsers makes the browser that runs the tests
 * @param stopLimit how long that browser may take to close before it is left to the process's end
 */
record Surroundings(
    PrintStream out,
    PrintStream err,
    Function<String, @Nullable String> property,
    Function<String, @Nullable String> variable,
    boolean terminal,
    BrowserMaker browsers,
    Duration stopLimit) {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  /** A browser with an end. */
  interface ClosableBrowser extends Browser, AutoCloseable {
    @Override
    void close();
  }

  /** Makes browsers. */
  interface BrowserMaker {
    /**
     * A browser.
     *
     * @param jobs how many tests may run at once
     * @param preloads what runs in each window and worker before any other script
     */
    ClosableBrowser make(int jobs, List<PreloadScript> preloads);
  }

  /** The Java process itself, and the browser that is Weblocks. */
  @SuppressWarnings("SystemConsoleNull") // the launcher's word counts first
  static Surroundings ofProcess() {
    String terminal = System.getProperty("weblocks.terminal");
    return new Surroundings(
        System.out,
        System.err,
        System::getProperty,
        System::getenv,
        // The launcher knows better: since Java 22 there may be a Console without a terminal.
        terminal == null ? System.console() != null : Boolean.parseBoolean(terminal),
        Surroundings::embedBrowser,
        STOP_LIMIT);
  }

  private static ClosableBrowser embedBrowser(int jobs, List<PreloadScript> preloads) {
    // A page that loops for ever keeps its thread until it is killed: leave room for the others.
    Driver driver = Driver.threadPool(2 * jobs);
    EmbedBrowser browser = new EmbedBrowser(driver, preloads, message -> {}, LockTable::text);
    return new ClosableBrowser() {
      @Override
      public OpenPage open(
          String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
        return browser.open(url, scripts, loader, listener);
      }

      @Override
      public void close() {
        browser.close();
        driver.close();
      }
    };
  }
}
