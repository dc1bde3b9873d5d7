package dev.weblocks.model;

import java.time.Duration;

/**
 * A listener for lock requests, by script and by Java code, and for the end of agents. The events
 * of a request are: requested; then granted, missed (only with {@code ifAvailable}) or aborted;
 * after granted, released or stolen. With {@link Variant#EARLY_DRAFT}, each event is reported for
 * each name, under one id.
 *
 * <p>The lock methods are called one at a time, in the order of the events, between two steps of
 * the lock task queue. They run on the thread that runs these steps: a thread of an agent, a thread
 * that calls a {@link dev.weblocks.embed.LockClient}, or a thread on which an agent ends. All locks
 * of the user agent wait meanwhile, so a listener must return soon. It must not block, run the
 * driver or close the user agent. It may request and release locks; this takes effect after the
 * listener has returned. {@link #agentEnded} is called on the thread on which the agent ends, at
 * any time.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="lockListener"}
 */
public interface LockListener {

  /** Reports that a request was made; its outcome is reported later. */
  default void requested(LockEvent event) {}

  /** Reports that a request became a lock. */
  default void granted(LockEvent event) {}

  /** Reports that an {@code ifAvailable} request did not get its lock. */
  default void missed(LockEvent event) {}

  /**
   * Reports that a request left its queue: aborted by script or Java code, or by the end of its
   * client.
   */
  default void aborted(LockEvent event) {}

  /** Reports that a lock was released, possibly by the end of its client. */
  default void released(LockEvent event) {}

  /** Reports that a lock was stolen from its holder. */
  default void stolen(LockEvent event) {}

  /**
   * Reports that the script of an agent can no longer run; its locks and requests end after this.
   *
   * @param agent the name of the agent, such as {@code worker-2}
   * @param lifetime the time since the agent began, by the clock of the driver
   */
  default void agentEnded(String agent, Duration lifetime) {}
}
