package dev.weblocks.wpt;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UncaughtError;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.util.concurrent.CompletionException;

/**
 * Opens pages in user agents of Weblocks. All of them share one driver, which stays the caller's,
 * and one environment, which ends with this browser.
 */
public final class EmbedBrowser implements Browser, AutoCloseable {

  private final Driver driver;
  private final UserAgent.Environment environment = new UserAgent.Environment();

  /** A browser whose user agents run on this driver. */
  public EmbedBrowser(Driver driver) {
    this.driver = driver;
  }

  /** Ends what the user agents share; to be called after all pages were closed. */
  @Override
  public void close() {
    environment.close();
  }

  @Override
  public OpenPage open(String url, ResourceLoader loader, PageListener listener) {
    UserAgent userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(environment)
            .resourceLoader(loader)
            .consoleListener(message -> {})
            .errorListener(error -> listener.uncaughtError(describe(error)))
            .build();
    try {
      userAgent
          .open(url)
          .loaded()
          .whenComplete((done, failure) -> {
            Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure;
            if (cause == null) {
              listener.loaded();
            } else if (cause instanceof IOException) {
              listener.loadFailed(cause);
            } else {
              listener.crashed(cause);
            }
          });
    } catch (RuntimeException | Error e) {
      userAgent.close();
      throw e;
    }
    return userAgent::close;
  }

  private static String describe(UncaughtError error) {
    return error.message() + " (" + error.url() + ":" + error.line() + ":" + error.column() + ")";
  }
}
