package dev.weblocks.harness.differ.browser;

/**
 * Thrown if a browser cannot run programs. The message is one line with its name and the reason.
 */
public final class BrowserFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BrowserFailure(String message) {
    super(message);
  }
}
