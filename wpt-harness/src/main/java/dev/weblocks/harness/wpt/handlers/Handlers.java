package dev.weblocks.harness.wpt.handlers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The handlers that replace Python files, by path. */
public final class Handlers {

  private static final Map<String, Handler> BY_PATH =
      Map.ofEntries(
          Map.entry("/FileAPI/file/resources/echo-content-escaped.py", new EchoContent(true)),
          Map.entry("/common/CustomCorsResponse.py", new CustomCorsResponse()),
          Map.entry("/common/dispatcher/dispatcher.py", new Dispatcher()),
          Map.entry("/common/echo.py", Handlers::echo),
          Map.entry("/common/redirect-opt-in.py", new Redirect(Duration.ZERO, true)),
          Map.entry("/common/redirect.py", new Redirect(Duration.ZERO, false)),
          Map.entry("/common/refresh.py", Handlers::refresh),
          Map.entry("/common/slow-redirect.py", new Redirect(Duration.ofSeconds(2), false)),
          Map.entry("/common/slow.py", Handlers::slow),
          Map.entry("/encoding/resources/single-byte-raw.py", Handlers::allBytes),
          Map.entry("/encoding/resources/text-html-meta-charset.py", Handlers::metaCharset),
          Map.entry("/encoding/resources/text-plain-charset.py", Handlers::headerCharset),
          Map.entry("/fetch/api/resources/clean-stash.py", Handlers::cleanStash),
          Map.entry("/fetch/api/resources/echo-content.py", new EchoContent(false)),
          Map.entry("/fetch/api/resources/inspect-headers.py", new FetchInspectHeaders()),
          Map.entry("/fetch/api/resources/method.py", new FetchMethod()),
          Map.entry("/fetch/api/resources/preflight.py", new FetchPreflight()),
          Map.entry("/fetch/api/resources/redirect-empty-location.py", Handlers::nowhere),
          Map.entry("/fetch/api/resources/redirect.py", new FetchRedirect()),
          Map.entry("/fetch/api/resources/stash-put.py", new FetchStashPut()),
          Map.entry("/fetch/api/resources/stash-take.py", new FetchStashTake()),
          Map.entry("/fetch/api/resources/status.py", Handlers::status),
          Map.entry("/fetch/api/resources/trickle.py", Handlers::trickle),
          Map.entry(
              "/html/browsers/browsing-the-web/back-forward-cache/resources/slow.py",
              Handlers::slowInParts),
          Map.entry(
              "/html/browsers/browsing-the-web/remote-context-helper/resources/executor-window.py",
              new ExecutorWindow()),
          Map.entry("/url/resources/percent-encoding.py", Handlers::linkInEncoding));

  private Handlers() {}

  /** Returns the handler of a Python file by decoded path from the WPT root, with leading slash. */
  public static Optional<Handler> at(String path) {
    return Optional.ofNullable(BY_PATH.get(path));
  }

  private static Reply echo(Request request, Stash stash) {
    return Reply.EMPTY
        .adding("X-XSS-Protection", "0")
        .adding("Content-Type", "text/html")
        .withText(request.required("content"));
  }

  private static Reply refresh(Request request, Stash stash) {
    return Reply.EMPTY
        .adding("Content-Type", "text/html")
        .adding("Refresh", "0; URL=" + request.required("location"));
  }

  private static Reply slow(Request request, Stash stash) {
    return Reply.EMPTY.after(Pauses.millis(request, "delay", 2000));
  }

  private static Reply slowInParts(Request request, Stash stash) {
    Reply reply =
        Reply.EMPTY
            .withText("Body")
            .after(Pauses.millis(request, "delayBeforeHeader", 0))
            .after(Pauses.millis(request, "delayBeforeBody", 0));
    return request.has("cors") ? reply.adding("Access-Control-Allow-Origin", "*") : reply;
  }

  private static Reply allBytes(Request request, Stash stash) {
    byte[] bytes = new byte[255];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return Reply.EMPTY
        .adding("Content-Type", "text/plain;charset=" + request.required("label"))
        .withBody(bytes);
  }

  private static Reply metaCharset(Request request, Stash stash) {
    return Reply.EMPTY
        .adding("Content-Type", "text/html")
        .withText("<meta charset=\"" + request.required("label") + "\">hello encoding");
  }

  private static Reply headerCharset(Request request, Stash stash) {
    return Reply.EMPTY
        .adding("Content-Type", "text/plain;charset=" + request.required("label"))
        .withText("hello encoding");
  }

  /**
   * Answers with a link that contains the query's {@code value} as character references, so that
   * the parser returns the same characters in any encoding.
   */
  private static Reply linkInEncoding(Request request, Stash stash) {
    // The query decoder has turned plus signs into blanks.
    byte[] bytes = Base64.getDecoder().decode(request.required("value").replace(' ', '+'));
    String references =
        new String(bytes, StandardCharsets.UTF_8)
            .codePoints()
            .mapToObj("&#x%X;"::formatted)
            .collect(Collectors.joining());
    return Reply.EMPTY
        .adding("Content-Type", "text/html;charset=" + request.required("encoding"))
        .withText(
            "<!doctype html>\n<a href=\"https://doesnotmatter.invalid/?%s#%s\">test</a>\n"
                .formatted(references, references));
  }

  /** Removes the value at the handler's path and {@code token}; answers 1, or 0 if none existed. */
  private static Reply cleanStash(Request request, Stash stash) {
    return Reply.EMPTY.withText(
        stash.take(request.path(), request.required("token")) == null ? "0" : "1");
  }

  private static Reply nowhere(Request request, Stash stash) {
    return Reply.EMPTY.withStatus(302).adding("Location", "");
  }

  private static Reply status(Request request, Stash stash) {
    return Reply.EMPTY
        .withStatus(request.number("code", 200), request.first("text", "OMG"))
        .adding("Content-Type", request.first("type", ""))
        .adding("X-Request-Method", request.method())
        .withText(request.first("content", ""));
  }

  private static Reply trickle(Request request, Stash stash) {
    int count = Math.max(0, request.number("count", 50));
    Duration pause = Pauses.millis(request, "ms", 500);
    Reply reply =
        Reply.EMPTY
            .withText("TEST_TRICKLE\n".repeat(count))
            // One pause before the head, one after it and one after each part.
            .after(pause.multipliedBy(count + 2L));
    return request.has("notype") ? reply : reply.adding("Content-Type", "text/plain");
  }
}
