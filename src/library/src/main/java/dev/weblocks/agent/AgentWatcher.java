package dev.weblocks.agent;

/** A listener for the beginning and end of agents. Must not throw or block. */
public interface AgentWatcher {

  /** Called when an agent begins, on the thread that makes it. */
  void begins(Agent agent);

  /**
   * Called on the thread that ends the agent, when no script of the agent can run any more and
   * before its realms end.
   */
  void ended(Agent agent);
}
