package dev.weblocks.harness.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.Browser;
import dev.weblocks.harness.wpt.EmbedBrowser;
import dev.weblocks.harness.wpt.PageLocks;
import dev.weblocks.harness.wpt.PreloadScript;
import dev.weblocks.harness.wpt.Stage;
import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.ComparisonText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
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

  /** Prints a formatted text, independent of the machine's locale. Escapes strings among values. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation is not among the dependencies
  void printf(String format, Object... values) {
    Object[] shown = values.clone();
    for (int i = 0; i < shown.length; i++) {
      if (shown[i] instanceof String text) {
        shown[i] = HarmlessText.line(text);
      }
    }
    out.printf(Locale.ROOT, format, shown);
  }

  /** Returns whether to use colours: on a terminal without {@code NO_COLOR}, see no-color.org. */
  boolean colors() {
    String noColor = variable.apply("NO_COLOR");
    return terminal && (noColor == null || noColor.isEmpty());
  }

  Shown red(String text) {
    return colors() ? Shown.styled("\u001b[31m", text) : Shown.of(text);
  }

  Shown green(String text) {
    return colors() ? Shown.styled("\u001b[32m", text) : Shown.of(text);
  }

  /** Prints one line; line ends in it are escaped. */
  void println(String line) {
    println(Shown.of(line));
  }

  void println(Shown line) {
    out.println(line);
  }

  /** Prints a text of several lines. */
  void printLines(String text) {
    harmless(text).forEach(out::println);
  }

  /** Prints a text for another program as it is. */
  void printExactly(String text) {
    out.print(text);
  }

  /** Prints a comparison of reports, in colour on a terminal. */
  void printComparison(Comparison comparison) {
    out.print(
        Shown.ofHarmless(
            ComparisonText.of(
                comparison, text -> red(text).toString(), text -> green(text).toString())));
  }

  /** Prints a script's text: as it is, on a terminal escaped by {@link HarmlessText#onTerminal}. */
  void printOfScript(String text) {
    out.println(terminal ? HarmlessText.onTerminal(text) : text);
  }

  /** Prints a script's text to the standard error, as by {@link #printOfScript}. */
  void printErrorOfScript(String text) {
    err.println(terminal ? HarmlessText.onTerminal(text) : text);
  }

  /** Prints a text of several lines to the standard error. */
  void printErrorLines(String text) {
    harmless(text).forEach(err::println);
  }

  private static Stream<Shown> harmless(String text) {
    return HarmlessText.lines(text).lines().map(Shown::ofHarmless);
  }

  /** Prints a message about the command itself, in one line. */
  void note(@Nullable String text) {
    err.println("weblocks: " + HarmlessText.line(String.valueOf(text)));
  }

  /** Replaces the progress line of a terminal with a text; no-op elsewhere. */
  void showProgress(String text) {
    if (terminal) {
      err.print("\r\u001b[K" + HarmlessText.line(text));
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
