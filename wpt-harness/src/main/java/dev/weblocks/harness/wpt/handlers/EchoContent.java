package dev.weblocks.harness.wpt.handlers;

import java.nio.charset.StandardCharsets;

/** The handler that returns the request's body and facts about the request. */
final class EchoContent implements Handler {

  private final boolean escaping;

  EchoContent(boolean escaping) {
    this.escaping = escaping;
  }

  @Override
  public Reply handle(Request request, Stash stash) {
    Reply reply =
        Reply.EMPTY
            .adding("X-Request-Method", request.method())
            .adding("X-Request-Content-Length", request.header("Content-Length").orElse("NO"))
            .adding("X-Request-Content-Type", request.header("Content-Type").orElse("NO"))
            .adding("Content-Type", escaping ? "text/plain; charset=UTF-8" : "text/plain");
    return escaping ? reply.withText(escaped(request.body())) : reply.withBody(request.body());
  }

  private static String escaped(byte[] body) {
    StringBuilder text = new StringBuilder();
    for (char c : new String(body, StandardCharsets.ISO_8859_1).toCharArray()) {
      if (c < ' ' || c >= 0x7f) {
        text.append("\\x%02x".formatted((int) c));
      } else {
        text.append(c == '\\' ? "\\\\" : String.valueOf(c));
      }
    }
    return text.toString().replace("\\x0d\\x0a", "\r\n");
  }
}
