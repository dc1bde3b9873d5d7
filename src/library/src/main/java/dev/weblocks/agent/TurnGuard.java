package dev.weblocks.agent;

/**
 * A guard that sees each turn of an event loop before it begins: it may queue tasks that must come
 * first, such as the loss of a lock.
 */
@FunctionalInterface
public interface TurnGuard {

  /**
   * Called on the thread of the turn, outside of the context. May block for as long as the turn
   * must not begin; must not throw.
   */
  void beforeTurn();
}
