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
 * The ends of channels to close when an agent ends, or the realm that they belong to. A supplement
 * of the agent. Any thread.
 */
final class AgentPorts {

  private final Agent agent;

  /**
   * Ends held by ports, each with its number in the order of arrival, in which they are closed.
   * Keys are weak: the ends of a channel retain each other, so no script observes the close of a
   * collected one.
   */
  private final Map<PortHandle, Long> held;

  /**
   * Ends without a port, numbered likewise: about to leave, about to arrive, or in transit to this
   * agent. Other references to them may disappear in between. While the agent ends, this contains
   * all ends, because its dropped tasks may hold the only references to them.
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

  /** A marker of a realm that is watched: a supplement of it. */
  private record OfRealm(Realm realm) {}

  /** Closes the ends of a realm when it is discarded. Idempotent. */
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

  /** Adds an end that no port holds, or no longer. */
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
