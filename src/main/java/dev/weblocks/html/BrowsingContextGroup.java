package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The windows that can reach each other, and their agents: one for each origin. An agent ends with
 * the last of its documents. Thread-safe.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#browsing-context-group">HTML</a>
 */
final class BrowsingContextGroup {

  private final UserAgent userAgent;

  // guarded by this; in the order of their making, so that what is done to all has one
  private final Map<Origin, Agent> agents = new LinkedHashMap<>();
  private final Map<Agent, Integer> uses = new LinkedHashMap<>();
  private final Set<Traversable> traversables = new LinkedHashSet<>();

  BrowsingContextGroup(UserAgent userAgent) {
    this.userAgent = userAgent;
  }

  /**
   * The agent for a document of an origin, which {@link #release} gives back.
   *
   * @throws IllegalStateException if the user agent is closed
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#obtain-similar-origin-window-agent">obtain
   *     a similar-origin window agent</a>
   */
  Agent obtainSimilarOriginWindowAgent(Origin origin) {
    Agent agent;
    boolean made = false;
    synchronized (this) {
      Agent known = agents.get(origin);
      if (known == null || known.isEnding()) {
        known = userAgent.createAgent("window");
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

  /** A window ends with the agent of its document, and with the user agent. */
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

  /** A document, or the wish for one, is gone; its agent ends with the last. */
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
   * Takes a top-level window away; with the last one, all agents end.
   *
   * @return completes when they have ended; null if others are left
   */
  @Nullable CompletableFuture<Void> remove(Traversable traversable) {
    List<Agent> all;
    synchronized (this) {
      traversables.remove(traversable);
      if (!traversables.isEmpty()) {
        return null;
      }
      all = new ArrayList<>(uses.keySet());
    }
    return CompletableFuture.allOf(
        all.stream()
            .map(agent -> agent.terminate().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Whether no other top-level window can reach this one. */
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
