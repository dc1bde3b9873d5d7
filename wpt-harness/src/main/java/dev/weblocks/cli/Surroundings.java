package dev.weblocks.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.Variant;
import dev.weblocks.wpt.Browser;
import dev.weblocks.wpt.EmbedBrowser;
import dev.weblocks.wpt.PreloadScript;
import dev.weblocks.wpt.Stage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
     * @param variants how locks deviate from the Working Draft
     */
    ClosableBrowser make(int jobs, List<PreloadScript> preloads, Set<Variant> variants);
  }

  /** Where the product's own files are; the launcher says it. */
  Path home() {
    String home = property.apply("weblocks.home");
    return Path.of(home == null ? "" : home);
  }

  /** Takes agents down; a script that cannot be stopped is left to the end of the process. */
  void endScripts(Runnable end) {
    Thread closer = Thread.ofPlatform().daemon().name("weblocks-run-end").start(end);
    try {
      if (!closer.join(stopLimit)) {
        err.println(
            "weblocks: the scripts have not stopped within "
                + stopLimit.toSeconds()
                + " s; going on without them");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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

  private static ClosableBrowser embedBrowser(
      int jobs, List<PreloadScript> preloads, Set<Variant> variants) {
    // A page that loops for ever keeps its thread until it is killed: leave room for the others.
    Driver driver = Driver.threadPool(2 * jobs);
    EmbedBrowser browser =
        new EmbedBrowser(driver, preloads, message -> {}, LockTable::text, variants);
    return new ClosableBrowser() {
      @Override
      public OpenPage open(
          String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
        return browser.open(url, scripts, loader, listener);
      }

      @Override
      public Stage deterministic(long seed) {
        return browser.deterministic(seed);
      }

      @Override
      public void close() {
        browser.close();
        driver.close();
      }
    };
  }
}
