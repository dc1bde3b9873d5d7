package dev.weblocks.cluster;

/**
 * A listener for the sessions of the user agents of a {@link LockCluster}. Called on a thread of
 * the driver of the user agent; must return soon.
 */
public interface ClusterListener {

  /** The cluster was reached: a session is open, or answers again. */
  default void connected(String userAgent, long session) {}

  /**
   * The cluster has not answered for a third of the lease. Locks are still held, but will be lost
   * if it stays silent.
   */
  default void disconnected(String userAgent, long session) {}

  /**
   * The session is over. Its locks are lost; waiting requests are made again in the next session.
   *
   * @param reason says why, in words: mostly that the cluster has not answered for as long as the
   *     lease; or that it has ended the session, rejected a message, or memory was exhausted
   */
  default void lost(String userAgent, long session, String reason) {}

  /**
   * The cluster does not accept the user agent. All its requests are rejected.
   *
   * @param message says why and what to do
   */
  default void rejected(String userAgent, String message) {}
}
