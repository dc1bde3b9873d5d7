package dev.weblocks.fetch;

import dev.weblocks.agent.Agent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fetches of an agent that are under way: they end with it. Any thread.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-fetch-group">fetch group</a>
 */
final class AgentFetches {

  private final Set<FetchController> controllers = ConcurrentHashMap.newKeySet();

  private AgentFetches() {}

  static AgentFetches of(Agent agent) {
    return agent
        .supplements()
        .get(
            AgentFetches.class,
            () -> {
              AgentFetches made = new AgentFetches();
              agent.onEnd(() -> made.controllers.forEach(FetchController::abort));
              return made;
            });
  }

  /** Lets a fetch end with the agent. */
  void add(FetchController controller) {
    controllers.add(controller);
    controller.future().whenComplete((response, failure) -> controllers.remove(controller));
  }
}
