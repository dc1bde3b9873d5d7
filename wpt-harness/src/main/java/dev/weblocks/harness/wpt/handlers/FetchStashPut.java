package dev.weblocks.harness.wpt.handlers;

/** The handler that stores {@code value} under {@code key} for {@link FetchStashTake}. */
final class FetchStashPut implements Handler {

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply = Reply.EMPTY;
    if (request.method().equals("OPTIONS")) {
      return reply
          .adding("Access-Control-Allow-Origin", "*")
          .adding("Access-Control-Allow-Methods", "*")
          .adding("Access-Control-Allow-Headers", "*")
          .withText("done");
    }
    if (!request.has("disallow_cross_origin")) {
      reply = reply.adding("Access-Control-Allow-Origin", "*");
    } else if (!request.required("mode").equals("no-cors")
        && !request.required("frame_origin").equals(request.origin())) {
      // Simple requests have no preflight that could block them.
      return reply.withText("not stashing for cors request");
    }
    stash.put(request.directory(), request.required("key"), request.required("value"));
    return reply.withText("done");
  }
}
