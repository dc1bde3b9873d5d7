package dev.weblocks.agent;

/** Takes part when its agent freezes and resumes. All methods are called on the event loop. */
public interface Freezable {

  /** Whether others may have to wait while the agent is frozen, or it waits for others itself. */
  default boolean isInvolvedWithOthers() {
    return false;
  }

  /**
   * The agent is about to freeze; script may run. It may still turn out that it does not freeze.
   */
  default void beforeFreeze() {}

  /** The agent freezes: no script of it runs from now on. Not called when it refuses. */
  default void freeze(FreezePolicy policy) {}

  /** The agent has resumed; no script of it has run yet. */
  default void resume() {}

  /** The agent has resumed, or has not frozen after all; script may run. */
  default void afterResume() {}
}
