package dev.weblocks.agent;

/**
 * A report that script exceeded a limit, and what was done about it. For failure listeners; it is
 * not a defect, and never thrown.
 */
public final class LimitExceeded extends RuntimeException {

  private static final long serialVersionUID = 1;

  LimitExceeded(String message) {
    super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }
}
