package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The ends of channels that are closed when an agent ends: a supplement of the agent. They are kept
 * weakly: an end that nothing else keeps has no other end that anybody could ask. Any thread.
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
      left =
          handles.entrySet().stream()
              .sorted(Map.Entry.comparingByValue())
              .map(Map.Entry::getKey)
              .toList();
      handles.clear();
    }
    PortHandle.endWith(agent, left);
  }
}
