package dev.weblocks.agent;

/** Hears of the agents of a user agent, which has it as a supplement. Must not throw or block. */
public interface AgentWatcher {

  /** An agent begins. On the thread that makes it. */
  void begins(Agent agent);

  /**
   * No script of the agent can run any more; what it has ends from now on. On the thread on which
   * it ends.
   */
  void ended(Agent agent);
}
