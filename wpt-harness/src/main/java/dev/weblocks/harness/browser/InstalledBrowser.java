package dev.weblocks.harness.browser;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A browser on this machine. */
public final class InstalledBrowser {

  /** The names of the supported browsers. */
  public static final List<String> NAMES = List.of("chromium", "firefox");

  private final String program;
  private final boolean chromium;
  private final boolean sandbox;

  private InstalledBrowser(String program, boolean chromium, boolean sandbox) {
    this.program = program;
    this.chromium = chromium;
    this.sandbox = sandbox;
  }

  /**
   * Finds a browser.
   *
   * @param name one of {@link #NAMES}
   * @param property lookup of system properties
   * @param variable lookup of environment variables: {@code PATH}; {@code WEBLOCKS_CHROMIUM} and
   *     {@code WEBLOCKS_FIREFOX} are paths of browsers
   * @throws EngineFailure if it is not installed
   */
  public static InstalledBrowser find(
      String name,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable)
      throws EngineFailure {
    boolean chromium = name.equals("chromium");
    String given = "WEBLOCKS_" + name.toUpperCase(Locale.ROOT);
    List<String> usual = chromium ? ChromiumBrowser.PROGRAMS : FirefoxBrowser.PROGRAMS;
    String found = variable.apply(given);
    for (int i = 0; found == null && i < usual.size(); i++) {
      found = Processes.onPath(usual.get(i), variable);
    }
    if (found == null) {
      throw new EngineFailure(
          "it is not installed: none of %s is on the PATH, and %s is not set"
              .formatted(String.join(", ", usual), given));
    }
    // With its sandbox, Chromium refuses to run as root
    return new InstalledBrowser(found, chromium, !"root".equals(property.apply("user.name")));
  }

  /**
   * Starts the browser with a new profile.
   *
   * @param processes ends the browser at the latest
   * @param windows number of windows that it will have
   * @param keepsPages whether the back-forward cache is on
   * @throws EngineFailure if it does not start; the message includes its last lines of output
   */
  public RemoteBrowser start(
      Processes processes, int windows, boolean keepsPages, RemoteBrowser.Listener listener)
      throws EngineFailure, InterruptedException {
    TemporaryDirectory profile;
    try {
      profile = new TemporaryDirectory(chromium ? "weblocks-chromium" : "weblocks-firefox");
    } catch (IOException e) {
      throw new EngineFailure("its profile cannot be created: " + e.getMessage());
    }
    BrowserProcess browser;
    try {
      browser =
          chromium
              ? ChromiumBrowser.start(program, sandbox, processes, profile, keepsPages, listener)
              : FirefoxBrowser.start(program, processes, profile, windows, keepsPages, listener);
    } catch (EngineFailure e) {
      profile.close();
      throw e;
    }
    try {
      browser.open();
      return browser;
    } catch (EngineFailure e) {
      browser.close();
      throw new EngineFailure("does not start: " + e.reason() + browser.lastWords());
    } catch (InterruptedException e) {
      browser.close();
      throw e;
    }
  }
}
