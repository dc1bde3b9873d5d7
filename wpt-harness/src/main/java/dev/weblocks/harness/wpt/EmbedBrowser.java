package dev.weblocks.harness.wpt;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.UncaughtError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A browser that opens pages in user agents of Weblocks. They share a driver, which this browser
 * does not close; a page on a deterministic stage has its own driver. They also share an
 * environment, which is closed with this browser.
 */
public final class EmbedBrowser implements Browser, AutoCloseable {

  private final Driver driver;
  private final Environment environment = Environment.create();
  private final List<PreloadScript> preloadScripts;
  private final ConsoleListener consoleListener;
  private final @Nullable Function<List<LockEntry>, String> lockTable;
  private final PageLocks locks;

  /**
   * Creates a browser whose user agents run on a driver.
   *
   * @param preloadScripts run in each window and worker before the scripts of the page
   * @param lockTable formats the locks of a page as lines; null if they are not shown
   * @param locks the locks of the pages
   */
  public EmbedBrowser(
      Driver driver,
      List<PreloadScript> preloadScripts,
      ConsoleListener consoleListener,
      @Nullable Function<List<LockEntry>, String> lockTable,
      PageLocks locks) {
    this.locks = locks;
    this.lockTable = lockTable;
    this.driver = driver;
    this.preloadScripts = List.copyOf(preloadScripts);
    this.consoleListener = consoleListener;
  }

  /** Closes the shared environment. To be called after all pages are closed. */
  @Override
  public void close() {
    environment.close();
  }

  @Override
  public int runningAgents() {
    return driver.runningAgents();
  }

  @Override
  public Stage deterministic(long seed) {
    return new SteppedStage(seed, this::open, lockTable);
  }

  @Override
  public OpenPage open(
      String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
    UserAgent userAgent = open(driver, url, scripts, loader, listener);
    return new OpenPage() {
      @Override
      public void close() {
        userAgent.close();
      }

      @Override
      public String locks() {
        return lockTable == null ? "" : lockTable.apply(userAgent.locks());
      }
    };
  }

  private UserAgent open(
      Driver driver,
      String url,
      List<PreloadScript> scripts,
      ResourceLoader loader,
      PageListener listener) {
    UserAgent.Builder builder =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(environment)
            .resourceLoader(loader)
            .consoleListener(consoleListener)
            .lockPositions(lockTable != null)
            .errorListener(error -> report(error, listener));
    locks.configure(builder);
    TraceListener trace = listener.trace();
    if (trace != null) {
      builder.traceListener(trace);
    }
    preloadScripts.forEach(script -> builder.preloadScript(script.name(), script.text()));
    scripts.forEach(script -> builder.preloadScript(script.name(), script.text()));
    UserAgent userAgent = builder.build();
    try {
      Window window = userAgent.open(url);
      window.loaded().whenComplete((done, failure) -> report(listener, failure));
      window.ended().thenRun(listener::ended);
    } catch (RuntimeException | Error e) {
      userAgent.close();
      throw e;
    }
    return userAgent;
  }

  private static void report(PageListener listener, @Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    switch (cause) {
      case null -> listener.loaded();
      case IOException notLoaded -> listener.loadFailed(notLoaded);
      case CancellationException closed -> listener.ended();
      default -> listener.crashed(cause);
    }
  }

  private static void report(UncaughtError error, PageListener listener) {
    switch (error.kind()) {
      case SCRIPT -> listener.uncaughtError(describe(error));
      case PRELOAD -> listener.preloadFailed(describe(error));
      case LIMIT -> {} // the page was closed, and has its result
      case DEFECT -> listener.crashed(new IllegalStateException(error.message()));
    }
  }

  private static String describe(UncaughtError error) {
    String place = error.url() + ":" + error.line() + ":" + error.column();
    String message = error.message();
    if (error.url().isEmpty() || message.contains(place)) {
      return message;
    }
    // After the first line: syntax errors quote source below it.
    int end = message.indexOf('\n');
    int at = end < 0 ? message.length() : end;
    return message.substring(0, at) + " (" + place + ")" + message.substring(at);
  }
}
