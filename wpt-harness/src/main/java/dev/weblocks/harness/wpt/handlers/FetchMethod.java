package dev.weblocks.harness.wpt.handlers;

import java.util.List;

/** The handler that returns the request's method, headers about its body, and the body. */
final class FetchMethod implements Handler {

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply = Reply.EMPTY;
    if (request.has("cors")) {
      reply =
          reply
              .adding("Access-Control-Allow-Origin", "*")
              .adding("Access-Control-Allow-Credentials", "true")
              .adding("Access-Control-Allow-Methods", "GET, POST, PUT, FOO")
              .adding("Access-Control-Allow-Headers", "x-test, x-foo")
              .adding("Access-Control-Expose-Headers", "x-request-method");
    }
    reply = reply.adding("x-request-method", request.method());
    for (String name : List.of("type", "length", "encoding", "language", "location")) {
      reply =
          reply.adding("x-request-content-" + name, request.header("Content-" + name).orElse("NO"));
    }
    return reply.withBody(request.body());
  }
}
