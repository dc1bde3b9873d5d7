package dev.weblocks.harness.wpt;

/**
 * Thrown for a request that is answered with an error status; the message is the body of the
 * answer.
 */
final class ServerFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  ServerFailure(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
