package dev.weblocks.model;

/**
 * A listener for reached limits. Called on the thread that reached the limit, mostly a thread of
 * the driver; must not block.
 */
@FunctionalInterface
public interface LimitListener {

  /**
   * Reports that an agent has reached a limit for the first time. Later times are only counted, see
   * {@link dev.weblocks.embed.Metrics#limitsReached}.
   */
  void reached(LimitEvent event);
}
