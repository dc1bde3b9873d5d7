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
 * The ends of message channels in an agent. They are closed when the agent ends, or when their
 * realm is discarded. A supplement of the agent. Thread-safe.
 */
final class AgentPorts {

  private final Agent agent;

  /**
   * The ends that ports hold, with arrival numbers for the order of closing. Weak keys: both ends
   * of a channel retain each other, so they are collected together, and script observes no close
   * event.
   */
  private final Map<PortHandle, Long> held;

  /**
   * The ends without a port, with arrival numbers: about to leave, about to arrive, or in transit
   * to this agent. There may be no other references to them. While the agent ends, this map has all
   * ends, because dropped tasks may hold the only other references to them.
   */
  private final Map<PortHandle, Long> kept = new HashMap<>();

  private long arrivals;
  private boolean ending;
  private boolean ended;

  private AgentPorts(Agent agent) {
    this.agent = agent;
    // when this agent ends, an unreachable end in another agent gets a close event, which traces
    // show
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

  /** The mark of a realm whose ends are closed when it is discarded; a supplement of the realm. */
  private record OfRealm(Realm realm) {}

  /** Arranges that the ends of a realm are closed when it is discarded. Idempotent. */
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

  /** Adds an end that no port holds. */
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

  private void end(Realm realm) {
    if (agent.isEnding()) { // which closes all its ports
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
