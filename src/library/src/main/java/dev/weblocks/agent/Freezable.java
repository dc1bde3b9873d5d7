package dev.weblocks.agent;

import dev.weblocks.model.FrozenLocks;

/**
 * A participant in the freezing and resuming of its agent. All methods are called on the event
 * loop.
 */
public interface Freezable {

  /** Returns whether this agent may block other agents while it is frozen, or waits for others. */
  default boolean isInvolvedWithOthers() {
    return false;
  }

  /** Called before {@link #beforeFreeze} of all participants; script may run. */
  default void hide() {}

  /** Called when the agent is about to freeze; script may run. The freeze may still be refused. */
  default void beforeFreeze() {}

  /** Called when the agent freezes; its script no longer runs. Not called if the agent refuses. */
  default void freeze(FrozenLocks policy) {}

  /** Called when the agent resumes, before its script runs. */
  default void resume() {}

  /** Called after {@link #resume}, or if the agent has refused to freeze; script may run. */
  default void afterResume() {}

  /** Called after {@link #afterResume} of all participants; script may run. */
  default void show() {}
}
