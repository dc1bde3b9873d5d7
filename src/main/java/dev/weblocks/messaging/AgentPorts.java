package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.VirtualWorld;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The ends of channels that are closed when an agent ends, or the realm that they belong to: a
 * supplement of the agent. Any thread.
 */
final class AgentPorts {

  private final Agent agent;

  /**
   * Ends that ports hold, each with its place in the order of arrival, in which they are closed.
   * Weakly: one that no script can reach has no other end that anybody could ask.
   */
  private final Map<PortHandle, Long> held;

  /**
   * The same for ends that are about to leave, or to arrive, or on their way to this agent: no port
   * holds them, and whatever else does may be gone in the middle. While the agent ends, for all:
   * its tasks are dropped, and with them what only they have kept.
   */
  private final Map<PortHandle, Long> kept = new HashMap<>();

  private long arrivals;
  private boolean ending;
  private boolean ended;

  private AgentPorts(Agent agent) {
    this.agent = agent;
    // of two ends that nobody knows, the one in another agent would hear of the end of this one
    this.held = VirtualWorld.keepsGarbage(agent) ? new HashMap<>() : new WeakHashMap<>();
    agent.onEnding(this::keepAll);
    agent.onEnd(this::end);
  }

  private synchronized void keepAll() {
    ending = true;
    kept.putAll(held);
    held.clear();
  }

  static AgentPorts of(Agent agent) {
    return agent.supplements().get(AgentPorts.class, () -> new AgentPorts(agent));
  }

  /** Marks a realm whose ports have been asked for: its supplement. */
  private record OfRealm(Realm realm) {}

  /** Has a realm that ends take its ends of channels with it. */
  static void watch(Realm realm) {
    realm
        .supplements()
        .get(
            OfRealm.class,
            () -> {
              realm.onDiscard(() -> of(realm.agent()).end(realm));
              return new OfRealm(realm);
            });
  }

  /** Adds an end that a port holds from now on. */
  void addHeld(PortHandle handle) {
    add(handle, true);
  }

  /** Adds an end that no port holds, or not any more. */
  void addMoving(PortHandle handle) {
    add(handle, false);
  }

  private void add(PortHandle handle, boolean portHoldsIt) {
    synchronized (this) {
      if (!ended) {
        remove(handle);
        (portHoldsIt && !ending ? held : kept).put(handle, arrivals++);
        return;
      }
    }
    PortHandle.endWith(agent, List.of(handle));
  }

  synchronized void remove(PortHandle handle) {
    held.remove(handle);
    kept.remove(handle);
  }

  private void end() {
    List<PortHandle> left;
    synchronized (this) {
      ended = true;
      left = inOrderOfArrival();
      held.clear();
      kept.clear();
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
    List<Map.Entry<PortHandle, Long>> all = new ArrayList<>(held.entrySet());
    all.addAll(kept.entrySet());
    all.sort(Comparator.comparing(Map.Entry::getValue));
    return all.stream().map(Map.Entry::getKey).toList();
  }
}
