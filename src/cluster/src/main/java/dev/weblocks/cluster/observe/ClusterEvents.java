package dev.weblocks.cluster.observe;

import org.jspecify.annotations.Nullable;

/**
 * The reports of a lock cluster to the flight recorder. Each costs one check while nothing is
 * recorded. Thread-safe.
 */
public final class ClusterEvents {

  /** Checked here, since the JVM cannot even verify the event classes without the module. */
  private static final boolean HAS_FLIGHT_RECORDER =
      ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  /** An event that has begun. */
  @FunctionalInterface
  public interface Begun {

    /**
     * Records the event, whose duration ends now. Called at most once.
     *
     * @param how the outcome, for people
     */
    void end(String how);
  }

  private ClusterEvents() {}

  private static boolean isWanted() {
    return HAS_FLIGHT_RECORDER && FlightRecords.isWanted();
  }

  /** Records that a session was opened. */
  public static void sessionOpened(String userAgent, String namespace, long session) {
    if (isWanted()) {
      FlightRecords.sessionOpened(userAgent, namespace, session);
    }
  }

  /** Begins the event of a session without answers; null if it is not recorded. */
  public static @Nullable Begun sessionDisconnected(
      String userAgent, String namespace, long session) {
    return isWanted() ? FlightRecords.sessionDisconnected(userAgent, namespace, session) : null;
  }

  /**
   * Records that a session was lost.
   *
   * @param nanos the time since it was opened
   */
  public static void sessionLost(
      String userAgent, String namespace, long session, long nanos, String reason) {
    if (isWanted()) {
      FlightRecords.sessionLost(userAgent, namespace, session, nanos, reason);
    }
  }

  /** Records that a member follows another leader, or the same one in another term. */
  public static void leaderChanged(String member, String leader, long term) {
    if (isWanted()) {
      FlightRecords.leaderChanged(member, leader, term);
    }
  }

  /** Begins the event of a member that has to start again; null if it is not recorded. */
  public static @Nullable Begun memberFailed(String member, Throwable cause) {
    return isWanted() ? FlightRecords.memberFailed(member, cause) : null;
  }

  /** Begins the event of a batch of commands that is sent; null if it is not recorded. */
  public static @Nullable Begun appends(long session, int commands) {
    return isWanted() ? FlightRecords.appends(session, commands) : null;
  }
}
