package dev.weblocks.harness.wpt.handlers;

/** The replacement of one Python handler. Thread-safe. */
@FunctionalInterface
public interface Handler {

  /**
   * Answers a request.
   *
   * @param stash values shared by the handlers of one test
   * @throws IllegalArgumentException if the request is invalid; the message contains the reason
   */
  Reply handle(Request request, Stash stash);
}
