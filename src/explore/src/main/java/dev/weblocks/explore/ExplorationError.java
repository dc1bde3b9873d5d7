package dev.weblocks.explore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if an exploration has a finding, or has not run all orders that it was to run. The cause
 * is the exception of the failed check, if any.
 */
public final class ExplorationError extends AssertionError {
  private static final long serialVersionUID = 1L;

  ExplorationError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
