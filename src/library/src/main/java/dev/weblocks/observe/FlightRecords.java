package dev.weblocks.observe;

import dev.weblocks.agent.Agent;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.FlightRecorder;

/**
 * The writer of flight recorder events. The recorder measures zero for a wait or hold that began
 * before the recording; a field of the event has the real duration. Must not be loaded in a JVM
 * without the module {@code jdk.jfr}.
 */
final class FlightRecords {

  /** The two possible events for a waiting request; only one of them is committed. */
  private record Waiting(LockGrantEvent grant, LockAbortEvent abort) {}

  // only for isEnabled()
  private final LockRequestEvent request = new LockRequestEvent();
  private final LockGrantEvent grant = new LockGrantEvent();
  private final LockMissEvent miss = new LockMissEvent();
  private final LockAbortEvent abort = new LockAbortEvent();
  private final LockHeldEvent hold = new LockHeldEvent();
  private final LockStealEvent steal = new LockStealEvent();

  // by request id; like the fields of the lock task queue, used only by the thread that runs its
  // step
  private final Map<RequestId, Waiting> waiting = new HashMap<>();
  private final Map<RequestId, LockHeldEvent> held = new HashMap<>();

  private final Map<Agent, AgentEndEvent> agents = new ConcurrentHashMap<>();

  /**
   * Returns whether the flight recorder is initialized. Before that, nothing is recorded, and
   * creating one event would register all event types, which takes a tenth of the startup time of a
   * short process.
   */
  static boolean isWanted() {
    return FlightRecorder.isInitialized();
  }

  boolean isRecording() {
    return grant.isEnabled()
        || hold.isEnabled()
        || abort.isEnabled()
        || steal.isEnabled()
        || miss.isEnabled()
        || request.isEnabled()
        // entries must be removed when their request or lock ends
        || !waiting.isEmpty()
        || !held.isEmpty();
  }

  void on(LockTransition transition) {
    RequestId id = transition.id();
    switch (transition.kind()) {
      case REQUESTED -> requested(transition, id);
      case MISSED -> {
        waiting.remove(id);
        LockMissEvent event = new LockMissEvent();
        if (event.shouldCommit()) {
          fill(event, transition);
          event.commit();
        }
      }
      case GRANTED -> granted(transition, id);
      case ABORTED -> {
        Waiting begun = waiting.remove(id);
        LockAbortEvent event = begun == null ? new LockAbortEvent() : begun.abort;
        event.end();
        if (event.shouldCommit()) {
          fill(event, transition);
          event.waited = transition.nanos();
          event.clientEnded = transition.clientEnded();
          event.commit();
        }
      }
      case RELEASED -> ended(transition, id);
      case STOLEN -> {
        LockStealEvent event = new LockStealEvent();
        if (event.shouldCommit()) {
          fill(event, transition);
          event.held = transition.nanos();
          event.thief = transition.thief() == null ? "" : transition.thief().value();
          event.commit();
        }
        ended(transition, id);
      }
    }
  }

  private void requested(LockTransition transition, RequestId id) {
    LockRequestEvent event = new LockRequestEvent();
    if (event.shouldCommit()) {
      fill(event, transition);
      event.waitMode = transition.waitMode().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      event.commit();
    }
    if (grant.isEnabled() || abort.isEnabled()) {
      Waiting begun = new Waiting(new LockGrantEvent(), new LockAbortEvent());
      begun.grant.begin();
      begun.abort.begin();
      waiting.put(id, begun);
    }
  }

  private void granted(LockTransition transition, RequestId id) {
    Waiting begun = waiting.remove(id);
    LockGrantEvent event = begun == null ? new LockGrantEvent() : begun.grant;
    event.end();
    if (event.shouldCommit()) {
      fill(event, transition);
      event.waited = transition.nanos();
      event.commit();
    }
    if (hold.isEnabled()) {
      LockHeldEvent beginning = new LockHeldEvent();
      beginning.begin();
      held.put(id, beginning);
    }
  }

  private void ended(LockTransition transition, RequestId id) {
    LockHeldEvent begun = held.remove(id);
    LockHeldEvent event = begun == null ? new LockHeldEvent() : begun;
    event.end();
    if (event.shouldCommit()) {
      fill(event, transition);
      event.held = transition.nanos();
      event.end =
          transition.clientEnded()
              ? "client ended"
              : transition.kind() == LockTransition.Kind.STOLEN ? "stolen" : "released";
      event.commit();
    }
  }

  void begins(Agent agent) {
    AgentEndEvent event = new AgentEndEvent();
    if (event.isEnabled()) {
      event.begin();
      agents.put(agent, event);
    }
  }

  void ended(Agent agent, long nanos) {
    AgentEndEvent begun = agents.remove(agent);
    AgentEndEvent event = begun == null ? new AgentEndEvent() : begun;
    event.end();
    if (event.shouldCommit()) {
      event.agent = agent.name();
      event.lived = nanos;
      event.commit();
    }
  }

  private static void fill(LockEvent event, LockTransition transition) {
    event.lock = transition.name();
    event.mode = transition.mode().idlValue();
    event.requestId = transition.id().sequence();
    event.client = transition.client().value();
    LockRequester requester = transition.requester();
    event.origin = requester.origin();
    event.bucket = transition.manager().bucket();
    event.agent = requester.agent();
    event.url = requester.url();
  }
}
