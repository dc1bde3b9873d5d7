package dev.weblocks.harness.wpt.handlers;

import dev.weblocks.url.FormUrlEncoded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The handler that redirects to {@code location}, and counts redirects under {@code token}. The
 * status comes only from the query, not from a form in the body.
 */
final class FetchRedirect implements Handler {

  private record Count(int redirects) {}

  @Override
  public Reply handle(Request request, Stash stash) {
    Optional<String> origin = request.header("Origin");
    Reply reply =
        Reply.EMPTY
            .adding("Content-Type", "text/plain")
            .adding("Cache-Control", "no-cache")
            .adding("Pragma", "no-cache")
            .adding("Access-Control-Allow-Origin", origin.orElse("*"));
    if (origin.isPresent()) {
      reply = reply.adding("Access-Control-Allow-Credentials", "true");
    }
    Optional<String> token = request.first("token");
    Count before = new Count(0);
    if (token.isPresent() && stash.take(request.path(), token.get()) instanceof Count counted) {
      before = counted;
    }
    boolean preflight = request.method().equals("OPTIONS");
    if (preflight) {
      if (request.has("allow_headers")) {
        reply = reply.adding("Access-Control-Allow-Headers", request.required("allow_headers"));
      }
      if (!request.has("redirect_preflight")) {
        if (token.isPresent()) {
          stash.put(request.path(), token.get(), before);
        }
        return reply;
      }
    }
    int count = before.redirects() + 1;
    if (request.has("location")) {
      reply = reply.adding("Location", target(request, count));
    }
    if (request.has("redirect_referrerpolicy")) {
      reply = reply.adding("Referrer-Policy", request.required("redirect_referrerpolicy"));
    }
    if (request.has("delay")) {
      reply = reply.after(Pauses.millis(request, "delay", 0));
    }
    if (token.isPresent()) {
      stash.put(request.path(), token.get(), new Count(count));
      if (request.has("max_count") && count > request.number("max_count", 0)) {
        // The last answer is not a redirect, so it does not count.
        return Reply.EMPTY.after(reply.delay()).withText(Integer.toString(count - 1));
      }
    }
    return reply.withStatus(request.number("redirect_status", 302));
  }

  /**
   * Returns the location, with the query and the count appended. Appends neither if the query has
   * {@code simple}, or if the location has a scheme other than HTTP(S).
   */
  private static String target(Request request, int count) {
    String location = request.required("location");
    boolean http =
        !location.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*") || location.matches("(?is)https?:.*");
    if (request.has("simple") || !http) {
      return location;
    }
    Map<String, String> first = new LinkedHashMap<>();
    request.parameters().forEach(entry -> first.putIfAbsent(entry.getKey(), entry.getValue()));
    List<FormUrlEncoded.Entry> kept = new ArrayList<>();
    first.forEach((name, value) -> kept.add(new FormUrlEncoded.Entry(name, value)));
    // The count makes the addresses of a loop distinct.
    return location
        + (location.contains("?") ? "&" : "?")
        + FormUrlEncoded.serialize(kept)
        + "&count="
        + count;
  }
}
