package dev.weblocks.encoding;

/** Thrown if this JVM lacks the charset for an index, or if the charset differs from the index. */
final class IndexUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  IndexUnavailableException(String message) {
    super(message);
  }
}
