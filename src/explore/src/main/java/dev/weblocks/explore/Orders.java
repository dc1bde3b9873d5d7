package dev.weblocks.explore;

/** The orders of steps that an exploration runs. */
public enum Orders {
  /** Orders in which each choice is drawn evenly. */
  RANDOM,
  /**
   * Orders by random priorities of the agents, which change at a few random steps: good at finding
   * defects that need a few steps in a certain order.
   */
  PRIORITIES,
  /**
   * All orders, but only one of those that differ merely in the order of independent steps. If the
   * exploration ends without a finding, no order has one.
   */
  ALL
}
