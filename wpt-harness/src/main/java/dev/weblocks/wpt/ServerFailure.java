package dev.weblocks.wpt;

/** A request that ends with an error status; the message is the answer's body. */
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
