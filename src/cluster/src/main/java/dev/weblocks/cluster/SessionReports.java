package dev.weblocks.cluster;

import dev.weblocks.cluster.observe.ClusterEvents;
import dev.weblocks.cluster.session.SessionListener;
import org.jspecify.annotations.Nullable;

/**
 * The reports of the session of a user agent to the listener of the embedder, which may throw, and
 * to the flight recorder.
 */
final class SessionReports implements SessionListener {

  private final ClusterListener listener;
  private final String userAgent;
  private final String namespace;

  // the calls come one at a time
  private long open;
  private long openedAt;
  private ClusterEvents.@Nullable Begun silence;

  SessionReports(ClusterListener listener, String userAgent, String namespace) {
    this.listener = listener;
    this.userAgent = userAgent;
    this.namespace = namespace;
  }

  @Override
  public void connected(long session) {
    endSilence("connected");
    if (session != open) {
      open = session;
      openedAt = System.nanoTime();
      ClusterEvents.sessionOpened(userAgent, namespace, session);
    }
    guarded(() -> listener.connected(userAgent, session));
  }

  @Override
  public void disconnected(long session) {
    silence = ClusterEvents.sessionDisconnected(userAgent, namespace, session);
    guarded(() -> listener.disconnected(userAgent, session));
  }

  @Override
  public void lost(long session, String reason) {
    endSilence("lost");
    ClusterEvents.sessionLost(userAgent, namespace, session, System.nanoTime() - openedAt, reason);
    guarded(() -> listener.lost(userAgent, session, reason));
  }

  private void endSilence(String how) {
    ClusterEvents.Begun begun = silence;
    silence = null;
    if (begun != null) {
      begun.end(how);
    }
  }

  @Override
  public void rejected(String message) {
    guarded(() -> listener.rejected(userAgent, message));
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException failure) {
      System.getLogger("dev.weblocks.cluster")
          .log(System.Logger.Level.ERROR, "a cluster listener threw", failure);
    }
  }
}
