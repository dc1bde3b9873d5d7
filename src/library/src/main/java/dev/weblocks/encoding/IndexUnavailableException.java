package dev.weblocks.encoding;

/** Thrown if an index cannot be made in this JVM. */
final class IndexUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  IndexUnavailableException(String message) {
    super(message);
  }
}
