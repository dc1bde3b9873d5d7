package dev.weblocks.cluster.session;

/** A listener for the session of a user agent. Called on any thread, one call at a time. */
public interface SessionListener {

  /** The cluster was reached: a session is open, or answers again. */
  default void connected(long session) {}

  /**
   * The cluster has not answered for a third of the lease. The locks are still held; if it does not
   * answer soon, they will be lost.
   */
  default void disconnected(long session) {}

  /**
   * The session is over. All locks are lost; waiting requests are made again in the next session,
   * behind those that wait there.
   *
   * @param reason says why, in words
   */
  default void lost(long session, String reason) {}

  /**
   * The cluster does not accept the user agent.
   *
   * @param message says why and what to do
   */
  default void rejected(String message) {}
}
