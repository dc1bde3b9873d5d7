package dev.weblocks.harness.wpt.handlers;

import java.util.ArrayList;
import java.util.List;

/**
 * The handler that returns the request headers named in the query's {@code headers}, each as {@code
 * x-request-NAME}.
 */
final class FetchInspectHeaders implements Handler {

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply = Reply.EMPTY;
    List<String> exposed = new ArrayList<>();
    for (String name : request.first("headers", "").split("\\|", -1)) {
      if (!name.isEmpty()) {
        exposed.add("x-request-" + name);
        if (request.header(name).isPresent()) {
          reply = reply.adding("x-request-" + name, request.header(name).get());
        }
      }
    }
    if (request.has("cors")) {
      reply =
          reply
              .adding("Access-Control-Allow-Origin", request.header("Origin").orElse("*"))
              .adding("Access-Control-Allow-Credentials", "true")
              .adding("Access-Control-Allow-Methods", "GET, POST, HEAD")
              .adding("Access-Control-Expose-Headers", String.join(", ", exposed))
              .adding(
                  "Access-Control-Allow-Headers",
                  request
                      .first("allow_headers")
                      .orElseGet(() -> String.join(", ", request.headersByName().keySet())));
    }
    return reply.adding("content-type", "text/plain");
  }
}
