package dev.weblocks.wpt.handlers;

/** What answers at the path of one Python file, for any number of requests at once. */
@FunctionalInterface
public interface Handler {

  /**
   * Answers a request.
   *
   * @param stash what the handlers of one test share
   * @throws IllegalArgumentException when the request makes no sense to the handler; the message
   *     says why
   */
  Reply handle(Request request, Stash stash);
}
