package dev.weblocks.harness.wpt.handlers;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The handler that answers preflights according to the query. The response to a later request with
 * the same {@code token} describes the preflight.
 */
final class FetchPreflight implements Handler {

  /**
   * The facts about a preflight, stored under the query's {@code token}.
   *
   * @param requestedHeaders value of {@code Access-Control-Request-Headers}; null if the preflight
   *     had no such header; an empty string if it is not to be recorded, or without a preflight
   * @param userAgent value of {@code User-Agent}; empty without a preflight
   */
  private record Seen(
      boolean preflight,
      @Nullable String requestedHeaders,
      String referrer,
      Optional<String> userAgent) {}

  @Override
  public Reply handle(Request request, Stash stash) {
    String path = request.path();
    Optional<String> token = request.first("token").filter(text -> !text.isEmpty());
    Reply reply = Reply.EMPTY.adding("Content-Type", "text/plain");
    for (String origin : request.first("origin", "*").split(", ", -1)) {
      reply = reply.adding("Access-Control-Allow-Origin", origin);
    }
    if (request.has("clear-stash")) {
      return reply.withText(stash.take(path, request.required("token")) == null ? "0" : "1");
    }
    if (request.has("credentials")) {
      reply = reply.adding("Access-Control-Allow-Credentials", "true");
    }
    if (request.method().equals("OPTIONS")) {
      return preflight(request, stash, token, reply);
    }
    Seen seen = new Seen(false, "", "", Optional.empty());
    if (token.isPresent() && stash.take(path, token.get()) instanceof Seen before) {
      seen = before;
    }
    if (request.has("checkUserAgentHeaderInPreflight")
        && !request.header("User-Agent").equals(seen.userAgent())) {
      return reply.withStatus(400).withText("ERROR: No user-agent header in preflight");
    }
    reply =
        reply
            .adding(
                "Access-Control-Expose-Headers",
                "x-did-preflight, x-control-request-headers, x-referrer, x-preflight-referrer,"
                    + " x-origin")
            .adding("x-did-preflight", seen.preflight() ? "1" : "0");
    if (seen.requestedHeaders() != null) {
      reply = reply.adding("x-control-request-headers", seen.requestedHeaders());
    }
    if (token.isPresent()) {
      stash.put(path, token.get(), seen);
    }
    return reply
        .adding("x-preflight-referrer", seen.referrer())
        .adding("x-referrer", request.header("Referer").orElse(""))
        .adding("x-origin", request.header("Origin").orElse(""));
  }

  private static Reply preflight(
      Request request, Stash stash, Optional<String> token, Reply reply) {
    if (request.header("Access-Control-Request-Method").isEmpty()) {
      return Reply.EMPTY
          .withStatus(400)
          .withText("ERROR: No access-control-request-method in preflight!");
    }
    if (!request.header("Accept").orElse("").equals("*/*")) {
      return Reply.EMPTY.withStatus(400).withText("ERROR: Invalid access in preflight!");
    }
    for (String[] pair :
        new String[][] {
          {"max_age", "Access-Control-Max-Age"},
          {"allow_headers", "Access-Control-Allow-Headers"},
          {"allow_methods", "Access-Control-Allow-Methods"}
        }) {
      Optional<String> value = request.first(pair[0]);
      if (value.isPresent()) {
        reply = reply.adding(pair[1], value.get());
      }
    }
    if (token.isPresent()) {
      Seen seen =
          new Seen(
              true,
              request.has("control_request_headers")
                  ? request.header("Access-Control-Request-Headers").orElse(null)
                  : "",
              request.header("Referer").orElse(""),
              request.header("User-Agent").or(() -> Optional.of("")));
      stash.put(request.path(), token.get(), seen);
    }
    return reply.withStatus(request.number("preflight_status", 200));
  }
}
