package dev.weblocks.wpt;

import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.TraceListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens pages, each in a profile of its own. */
public interface Browser {

  /** A page that has been opened, with everything that it started. */
  interface OpenPage {
    /** Ends it; returns when nothing of it runs any more. */
    void close();

    /** Who holds and who waits for locks in it now, as lines; empty if nobody does. Any thread. */
    default String locks() {
      return "";
    }
  }

  /** What a page tells its opener, on any thread. */
  interface PageListener {
    /** The page and what it loads at first is there; its tests may still run. */
    void loaded();

    /** The page could not be loaded. */
    void loadFailed(Throwable cause);

    /** The page runs no more, by its own doing or because it was closed. */
    void ended();

    /** Script failed and nobody in the page handled it. */
    void uncaughtError(String description);

    /** The user agent itself failed. */
    void crashed(Throwable cause);

    /** Who sees every step of its user agent, asked once before it opens; null for nobody. */
    default @Nullable TraceListener trace() {
      return null;
    }
  }

  /**
   * Begins to load a page in a new user agent and returns at once.
   *
   * @param url absolute URL of the page
   * @param scripts run in each window and worker before any other script but the browser's own
   * @param loader where everything that the user agent loads comes from
   */
  OpenPage open(
      String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener);

  /**
   * A stage for one page, in which everything happens in an order that a seed decides and in
   * virtual time, independent of all other pages.
   *
   * @throws UnsupportedOperationException if this browser has none
   */
  default Stage deterministic(long seed) {
    throw new UnsupportedOperationException("this browser decides no order");
  }
}
