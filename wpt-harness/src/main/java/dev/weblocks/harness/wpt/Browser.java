package dev.weblocks.harness.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.model.TraceListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A browser that opens pages, each with its own profile. */
public interface Browser {

  /** An open page, with all windows and workers of its user agent. */
  interface OpenPage {
    /** Closes the page. Returns when none of its code runs any more. */
    void close();

    /**
     * Returns the currently held and requested locks of the page, as lines; empty if there are
     * none. May be called on any thread.
     */
    default String locks() {
      return "";
    }
  }

  /** A listener for events of a page. Called on any thread. */
  interface PageListener {
    /** Called when the page and its initial resources are loaded; its tests may still run. */
    void loaded();

    /** Called when the page could not be loaded. */
    void loadFailed(Throwable cause);

    /** Called when the page has ended, by itself or because it was closed. */
    void ended();

    /** Called for an uncaught error of a script. */
    void uncaughtError(String description);

    /** Called when a preload script throws, or cannot be parsed. */
    void preloadFailed(String description);

    /** Called when the user agent itself fails. */
    void crashed(Throwable cause);

    /**
     * Returns the listener for the steps of the page's user agent; null for none. Called once,
     * before the page opens.
     */
    default @Nullable TraceListener trace() {
      return null;
    }
  }

  /**
   * Begins to load a page in a new user agent and returns at once.
   *
   * @param url absolute URL of the page
   * @param scripts run in each window and worker before all other scripts except the browser's own
   * @param loader loads all resources of the user agent
   */
  OpenPage open(
      String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener);

  /** Returns how many agents of all pages run script now, in real time; approximate. */
  default int runningAgents() {
    return 0;
  }

  /**
   * Returns a stage for one page. The steps of the page run in virtual time and in an order
   * determined by the seed, independently of all other pages.
   *
   * @throws UnsupportedOperationException if this browser does not support virtual time
   */
  default Stage deterministic(long seed) {
    throw new UnsupportedOperationException("this browser has no deterministic stage");
  }
}
