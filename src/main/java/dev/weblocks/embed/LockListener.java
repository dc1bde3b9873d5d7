package dev.weblocks.embed;

import java.time.Duration;

/**
 * Hears what becomes of lock requests, by script and by Java code, and of agents. A request is
 * requested, then granted, missed or aborted; what is granted is released or stolen. With {@link
 * Variant#EARLY_DRAFT} each of this is told for each name of a request, under one id.
 *
 * <p>The methods about locks are called one at a time, in the order in which things happen, between
 * two steps of the lock task queue, on whatever thread runs these: that of an agent, of a {@link
 * LockClient}'s caller, or one on which an agent ends. All locks of the user agent wait meanwhile.
 * So a listener must return soon: it must not block, and must neither run the driver nor close the
 * user agent; it may request and release locks, which happens after it has returned. {@link
 * #agentEnded} comes on the thread on which the agent ends, at any time.
 *
 * <p>What a listener throws is logged at level {@code ERROR} by the {@link System.Logger} {@code
 * dev.weblocks}; locks and agents go on.
 */
public interface LockListener {

  /** A request was made; what it comes to follows. */
  default void requested(LockEvent event) {}

  /** A request became a lock. */
  default void granted(LockEvent event) {}

  /** A request that would not wait did not get its lock. */
  default void missed(LockEvent event) {}

  /** A request left its queue: by its signal, by cancellation, or with its client. */
  default void aborted(LockEvent event) {}

  /** A lock was given back, or ended with its client. */
  default void released(LockEvent event) {}

  /** A lock was taken from who held it. */
  default void stolen(LockEvent event) {}

  /**
   * The script of an agent cannot run any more; its locks and requests end after this.
   *
   * @param agent its name, such as {@code worker-2}
   * @param lifetime by the clock of the driver
   */
  default void agentEnded(String agent, Duration lifetime) {}
}
