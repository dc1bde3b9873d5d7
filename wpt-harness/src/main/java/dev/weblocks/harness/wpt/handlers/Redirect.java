package dev.weblocks.harness.wpt.handlers;

import java.time.Duration;
import java.util.Optional;

/** The handler that redirects to {@code location}, with {@code status} or 302. */
final class Redirect implements Handler {

  private final Duration usualDelay;
  private final boolean timingAllowed;

  /**
   * Creates one variant of the handler.
   *
   * @param usualDelay the pause if the query has no {@code delay} in seconds; zero for a variant
   *     that never waits
   * @param timingAllowed whether other origins may read the timing of the response
   */
  Redirect(Duration usualDelay, boolean timingAllowed) {
    this.usualDelay = usualDelay;
    this.timingAllowed = timingAllowed;
  }

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply =
        Reply.EMPTY
            .withStatus(numberOr(request.first("status"), 302))
            .adding("Location", request.required("location"));
    if (timingAllowed) {
      reply = reply.adding("Timing-Allow-Origin", "*");
    }
    if (!usualDelay.isZero()) {
      int seconds = numberOr(request.first("delay"), (int) usualDelay.toSeconds());
      return reply.after(Duration.ofSeconds(Math.max(0, seconds)));
    }
    Optional<String> origin = request.header("Origin");
    return request.has("enable-cors") && origin.isPresent()
        ? reply
            .adding("Content-Type", "text/plain")
            .adding("Access-Control-Allow-Origin", origin.get())
            .adding("Access-Control-Allow-Credentials", "true")
        : reply;
  }

  /** Parses a number. Treats an invalid number as missing. */
  private static int numberOr(Optional<String> text, int otherwise) {
    try {
      return text.isPresent() ? Integer.parseInt(text.get().strip()) : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
