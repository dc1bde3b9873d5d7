package dev.weblocks.agent;

/** A listener for the beginning and end of agents. Must not throw or block. */
public interface AgentWatcher {

  /** Called when an agent begins, on the thread that makes it. */
  void begins(Agent agent);

  /**
   * Called when no script of the agent can run any more, before its realms end. On the thread on
   * which the agent ends.
   */
  void ended(Agent agent);
}
