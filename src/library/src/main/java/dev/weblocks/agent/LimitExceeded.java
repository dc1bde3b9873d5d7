package dev.weblocks.agent;

/**
 * One of the {@link dev.weblocks.model.Limits} was reached. Script gets a QuotaExceededError for
 * it; callers of the public API get this exception. Failure listeners get it, not thrown, when an
 * agent is ended.
 */
public final class LimitExceeded extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /**
   * @param message the limit, its value, and what was done or is to be done
   */
  public LimitExceeded(String message) {
    super(message);
  }
}
