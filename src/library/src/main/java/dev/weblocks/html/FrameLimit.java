package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Limit;
import java.util.concurrent.atomic.AtomicInteger;

/** The number of documents in frames of a user agent, and the limit of frames. Thread-safe. */
public final class FrameLimit {

  private final AtomicInteger documents = new AtomicInteger();

  private FrameLimit() {}

  private static FrameLimit of(UserAgent userAgent) {
    return userAgent.supplements().get(FrameLimit.class, FrameLimit::new);
  }

  /** Returns the number of documents in frames that have not ended. Callable on any thread. */
  public static int count(UserAgent userAgent) {
    FrameLimit found = userAgent.supplements().find(FrameLimit.class);
    return found == null ? 0 : found.documents.get();
  }

  /** Counts the document of a frame until its realm ends. */
  static void add(Realm realm) {
    AtomicInteger documents = of(realm.agent().userAgent()).documents;
    documents.incrementAndGet();
    realm.onDiscard(documents::decrementAndGet);
  }

  /** Returns whether the document at the top may have one more frame. Called on the event loop. */
  static boolean haveRoom(Window window) {
    Window top = window;
    for (Window above = top; above != null; above = above.navigable().parentWindow()) {
      top = above;
    }
    int limit = window.realm().agent().userAgent().configuration().limits().framesPerWindow();
    // counted anew, since a frame whose agent has ended does not report the end of its own frames
    boolean room = below(top) < limit;
    if (!room) {
      Agent agent = window.realm().agent();
      agent
          .userAgent()
          .reachedLimits()
          .add(
              agent,
              Limit.FRAMES_PER_WINDOW,
              "the document "
                  + top.realm().settings().creationUrl()
                  + " has "
                  + limit
                  + " frames, which is the limit; a further frame stays empty");
    }
    return room;
  }

  private static int below(Window window) {
    int count = 0;
    for (Navigable child : window.children()) {
      Window shown = child.activeWindow();
      count += 1 + (shown == null ? 0 : below(shown));
    }
    return count;
  }
}
