package dev.weblocks.harness.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.explore.trace.Visible;
import dev.weblocks.harness.wpt.Browser;
import dev.weblocks.harness.wpt.EmbedBrowser;
import dev.weblocks.harness.wpt.PageLocks;
import dev.weblocks.harness.wpt.PreloadScript;
import dev.weblocks.harness.wpt.Stage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The external dependencies of a command.
 *
 * @param err receives problems, and on a terminal the progress
 * @param property returns the value of a system property; null if it is not set
 * @param variable returns the value of an environment variable; null if it is not set
 * @param terminal whether {@code out} and {@code err} are terminals
 * @param browsers creates the browser that runs the tests
 * @param stopLimit maximum time to wait until the browser or scripts have stopped
 */
record CliEnvironment(
    PrintStream out,
    PrintStream err,
    Function<String, @Nullable String> property,
    Function<String, @Nullable String> variable,
    boolean terminal,
    BrowserMaker browsers,
    Duration stopLimit) {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  /** A browser, and the action that closes it. */
  record ClosableBrowser(Browser browser, Runnable end) implements Browser, AutoCloseable {
    @Override
    public OpenPage open(
        String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
      return browser.open(url, scripts, loader, listener);
    }

    @Override
    public int runningAgents() {
      return browser.runningAgents();
    }

    @Override
    public Stage deterministic(long seed) {
      return browser.deterministic(seed);
    }

    @Override
    public void close() {
      end.run();
    }
  }

  interface BrowserMaker {
    /** Creates a browser that runs at most {@code jobs} tests at once. */
    ClosableBrowser make(int jobs, List<PreloadScript> preloads, PageLocks locks);
  }

  /** Returns the home directory of the product, as set by the launcher. */
  Path home() {
    String home = property.apply("weblocks.home");
    return Path.of(home == null ? "" : home);
  }

  /** Prints a formatted text, independent of the machine's locale. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation is not among the dependencies
  void printf(String format, Object... values) {
    out.printf(Locale.ROOT, format, values);
  }

  /** Returns whether to use colours: on a terminal without {@code NO_COLOR}, see no-color.org. */
  boolean colors() {
    String noColor = variable.apply("NO_COLOR");
    return terminal && (noColor == null || noColor.isEmpty());
  }

  String red(String text) {
    return colors() ? "\u001b[31m" + text + "\u001b[0m" : text;
  }

  String green(String text) {
    return colors() ? "\u001b[32m" + text + "\u001b[0m" : text;
  }

  /** Returns a script's text for printing, escaped by {@link Visible#onTerminal} on a terminal. */
  String shown(String text) {
    return terminal ? Visible.onTerminal(text) : text;
  }

  void println(String line) {
    out.println(line);
  }

  /** Prints a message about the command itself. */
  void note(@Nullable String text) {
    err.println("weblocks: " + Visible.lines(String.valueOf(text)));
  }

  /** Replaces the progress line of a terminal with a text; no-op elsewhere. */
  void showProgress(String text) {
    if (terminal) {
      err.print("\r\u001b[K" + text);
      err.flush();
    }
  }

  /** Runs an action that ends agents, and waits for it no longer than {@code stopLimit}. */
  void endScripts(Runnable end) {
    Thread closer = Thread.ofPlatform().daemon().name("weblocks-run-end").start(end);
    try {
      if (!closer.join(stopLimit)) {
        note(
            "the scripts have not stopped within %s s; continuing without them"
                .formatted(stopLimit.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("SystemConsoleNull") // the launcher's property has precedence
  static CliEnvironment ofProcess() {
    String terminal = System.getProperty("weblocks.terminal");
    return new CliEnvironment(
        StandardOutput.ofProcess(),
        System.err,
        System::getProperty,
        System::getenv,
        // since Java 22 a Console may exist without a terminal: the property is more reliable
        terminal == null ? System.console() != null : Boolean.parseBoolean(terminal),
        CliEnvironment::embedBrowser,
        STOP_LIMIT);
  }

  private static ClosableBrowser embedBrowser(
      int jobs, List<PreloadScript> preloads, PageLocks locks) {
    // A page in an endless loop occupies its thread until it is killed: others need more threads.
    Driver driver = Driver.threadPool(2 * jobs);
    EmbedBrowser browser =
        new EmbedBrowser(driver, preloads, message -> {}, LockTable::text, locks);
    return new ClosableBrowser(
        browser,
        () -> {
          browser.close();
          driver.close();
        });
  }
}
