package dev.weblocks.cluster.observe;

import dev.weblocks.cluster.observe.ClusterEvents.Begun;
import java.util.function.Consumer;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The writer of flight recorder events. Must not be loaded in a JVM without the module {@code
 * jdk.jfr}.
 */
final class FlightRecords {

  private FlightRecords() {}

  /**
   * Returns whether the flight recorder is initialized. Before that, nothing is recorded, and
   * creating one event would register all event types.
   */
  static boolean isWanted() {
    return FlightRecorder.isInitialized();
  }

  static void sessionOpened(String userAgent, String namespace, long session) {
    SessionOpenEvent event = new SessionOpenEvent();
    if (event.shouldCommit()) {
      fill(event, userAgent, namespace, session);
      event.commit();
    }
  }

  static @Nullable Begun sessionDisconnected(String userAgent, String namespace, long session) {
    SessionDisconnectEvent event = new SessionDisconnectEvent();
    return begun(
        event,
        how -> {
          fill(event, userAgent, namespace, session);
          event.end = how;
        });
  }

  /** Begins an event whose fields are filled in at its end; null if it is not recorded. */
  private static @Nullable Begun begun(Event event, Consumer<String> fields) {
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return how -> {
      event.end();
      if (event.shouldCommit()) {
        fields.accept(how);
        event.commit();
      }
    };
  }

  static void sessionLost(
      String userAgent, String namespace, long session, long nanos, String reason) {
    SessionLostEvent event = new SessionLostEvent();
    if (event.shouldCommit()) {
      fill(event, userAgent, namespace, session);
      event.lived = nanos;
      event.reason = reason;
      event.commit();
    }
  }

  private static void fill(SessionEvent event, String userAgent, String namespace, long session) {
    event.userAgent = userAgent;
    event.namespace = namespace;
    event.session = session;
  }

  static void leaderChanged(String member, String leader, long term) {
    LeaderChangeEvent event = new LeaderChangeEvent();
    if (event.shouldCommit()) {
      event.member = member;
      event.leader = leader;
      event.term = term;
      event.commit();
    }
  }

  static @Nullable Begun memberFailed(String member, Throwable cause) {
    MemberRestartEvent event = new MemberRestartEvent();
    return begun(
        event,
        how -> {
          event.member = member;
          event.cause = cause.toString();
        });
  }

  static @Nullable Begun appends(long session, int commands) {
    AppendEvent event = new AppendEvent();
    return begun(
        event,
        how -> {
          event.session = session;
          event.commands = commands;
          event.end = how;
        });
  }
}
