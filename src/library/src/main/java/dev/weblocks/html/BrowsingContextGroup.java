package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Endings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Ending;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A group of windows that can reach each other, with one agent per origin. An agent ends with its
 * last document. Thread-safe.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#browsing-context-group">HTML</a>
 */
final class BrowsingContextGroup {

  private final UserAgent userAgent;
  private final Origin responsible;

  // guarded by this; in order of creation, so that iteration is deterministic
  private final Map<Origin, Agent> agents = new LinkedHashMap<>();
  private final Map<Agent, Integer> uses = new LinkedHashMap<>();
  private final Set<Traversable> traversables = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Creates a group without windows.
   *
   * @param responsible the origin that its agents count for, whatever origin they have
   */
  BrowsingContextGroup(UserAgent userAgent, Origin responsible) {
    this.userAgent = userAgent;
    this.responsible = responsible;
  }

  Origin responsible() {
    return responsible;
  }

  /**
   * Returns the agent for a document of an origin; the caller must {@link #release} the agent.
   *
   * @param byScript whether script has caused the document
   * @throws IllegalStateException if the user agent or the last window of this group is closed, or
   *     a limit is reached
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#obtain-similar-origin-window-agent">obtain
   *     a similar-origin window agent</a>
   */
  Agent obtainSimilarOriginWindowAgent(Origin origin, boolean byScript) {
    Agent agent;
    boolean made = false;
    synchronized (this) {
      if (closed) { // the agent would never end
        throw new IllegalStateException("the window was closed");
      }
      Agent known = agents.get(origin);
      if (known == null || known.isEnding()) {
        known = userAgent.createAgent("window", responsible, byScript);
        agents.put(origin, known);
        made = true;
      }
      agent = known;
      uses.merge(agent, 1, Integer::sum);
    }
    if (made) {
      agent.onEnd(() -> forget(origin, agent));
    }
    return agent;
  }

  /** Removes an ended agent and closes its windows, or all windows if the user agent is closed. */
  private void forget(Origin origin, Agent agent) {
    for (Traversable each : traversables()) {
      if (each.dependsOn(agent) || userAgent.isClosed()) {
        each.close();
      }
    }
    synchronized (this) {
      agents.remove(origin, agent);
      uses.remove(agent);
    }
  }

  /** Releases an agent obtained for a document; the last release ends the agent. */
  void release(Agent agent) {
    boolean unused;
    synchronized (this) {
      Integer left = uses.computeIfPresent(agent, (each, count) -> count - 1);
      unused = left != null && left == 0;
      if (unused) {
        uses.remove(agent);
        agents.values().remove(agent);
      }
    }
    if (unused) {
      agent.terminate();
    }
  }

  synchronized void add(Traversable traversable) {
    traversables.add(traversable);
  }

  /**
   * Removes a top-level window; if none is left, ends all agents.
   *
   * @return a future that completes when the agents have ended; null if other windows remain
   */
  @Nullable CompletableFuture<Ending> remove(Traversable traversable) {
    List<Agent> all;
    synchronized (this) {
      traversables.remove(traversable);
      if (!traversables.isEmpty()) {
        return null;
      }
      closed = true;
      all = new ArrayList<>(uses.keySet());
    }
    return Endings.ofAgents(all);
  }

  /** Returns whether a top-level window is the only one of this group. */
  synchronized boolean hasOnly(Traversable traversable) {
    return traversables.size() == 1 && traversables.contains(traversable);
  }

  synchronized List<Traversable> traversables() {
    return List.copyOf(traversables);
  }

  synchronized List<Agent> agents() {
    return List.copyOf(uses.keySet());
  }
}
