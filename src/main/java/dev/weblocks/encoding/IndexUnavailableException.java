package dev.weblocks.encoding;

/** An index cannot be had in this JVM. */
final class IndexUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  IndexUnavailableException(String message) {
    super(message);
  }
}
