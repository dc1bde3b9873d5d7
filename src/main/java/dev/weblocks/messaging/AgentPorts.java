package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The ends of channels that are closed when an agent ends, or the realm of the port that holds
 * them: a supplement of the agent. They are kept weakly: an end that nothing else keeps has no
 * other end that anybody could ask. Any thread.
 */
final class AgentPorts {

  private final Agent agent;

  /** With the place of each in the order of arrival, in which they are closed. */
  private final Map<PortHandle, Long> handles = new WeakHashMap<>();

  private long arrivals;
  private boolean ended;

  private AgentPorts(Agent agent) {
    this.agent = agent;
    agent.onEnd(this::end);
  }

  static AgentPorts of(Agent agent) {
    return agent.supplements().get(AgentPorts.class, () -> new AgentPorts(agent));
  }

  /** Marks a realm whose ports have been asked for: its supplement. */
  private record OfRealm(Realm realm) {}

  /** Adds an end that a port of a realm holds. On the event loop of the agent. */
  void add(PortHandle handle, Realm realm) {
    add(handle);
    realm
        .supplements()
        .get(
            OfRealm.class,
            () -> {
              realm.onDiscard(() -> end(realm));
              return new OfRealm(realm);
            });
  }

  void add(PortHandle handle) {
    synchronized (this) {
      if (!ended) {
        handles.put(handle, arrivals++);
        return;
      }
    }
    PortHandle.endWith(agent, List.of(handle));
  }

  synchronized void remove(PortHandle handle) {
    handles.remove(handle);
  }

  private void end() {
    List<PortHandle> left;
    synchronized (this) {
      ended = true;
      left = inOrderOfArrival();
      handles.clear();
    }
    PortHandle.endWith(agent, left);
  }

  /** The document of a realm is gone, and with it its ports. */
  private void end(Realm realm) {
    if (agent.isEnding()) { // and all its ports with it
      return;
    }
    List<PortHandle> left;
    synchronized (this) {
      left = inOrderOfArrival();
    }
    PortHandle.endWith(realm, left);
  }

  private List<PortHandle> inOrderOfArrival() {
    return handles.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }
}
