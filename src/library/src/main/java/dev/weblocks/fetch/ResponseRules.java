package dev.weblocks.fetch;

import dev.weblocks.fetch.FetchRequest.Mode;
import dev.weblocks.fetch.FetchRequest.Redirect;
import dev.weblocks.fetch.FetchResponse.Type;
import dev.weblocks.file.ByteSequence;
import java.util.List;
import java.util.Set;

/** The rules by which a fetch refuses a response. Thread-safe. */
final class ResponseRules {

  /** <a href="https://fetch.spec.whatwg.org/#redirect-status">redirect statuses</a> */
  static final Set<Integer> REDIRECT_STATUSES = Set.of(301, 302, 303, 307, 308);

  /** <a href="https://fetch.spec.whatwg.org/#null-body-status">null body statuses</a> */
  static final Set<Integer> NULL_BODY_STATUSES = Set.of(101, 103, 204, 205, 304);

  private ResponseRules() {}

  /**
   * Returns the reason why a response must not be used as a script; empty if it may be used.
   *
   * @see <a
   *     href="https://fetch.spec.whatwg.org/#should-response-to-request-be-blocked-due-to-mime-type?">due
   *     to its MIME type</a>
   * @see <a
   *     href="https://fetch.spec.whatwg.org/#should-response-to-request-be-blocked-due-to-nosniff?">due
   *     to nosniff</a>
   */
  static String blockedByType(FetchRequest request, FetchResponse response) {
    if (!request.destination().isScriptLike()) {
      return "";
    }
    HeaderList headers = HeaderList.of(response.headers());
    MimeType type = MimeType.extract(headers);
    List<String> options = headers.getDecodeAndSplit("X-Content-Type-Options");
    if (options != null
        && options.getFirst().equalsIgnoreCase("nosniff")
        && (type == null || !type.isJavaScript())) {
      return "its MIME type "
          + (type == null ? "is missing" : "'" + type.essence() + "' is not a JavaScript type")
          + ", and X-Content-Type-Options is nosniff";
    }
    if (type != null
        && (type.essence().startsWith("audio/")
            || type.essence().startsWith("image/")
            || type.essence().startsWith("video/")
            || type.essence().equals("text/csv"))) {
      return "its MIME type '" + type.essence() + "' is blocked for scripts";
    }
    return "";
  }

  static boolean matchesIntegrity(FetchRequest request, FetchResponse response) {
    if (response.type() == Type.OPAQUE || response.type() == Type.OPAQUEREDIRECT) {
      return false;
    }
    ByteSequence body = response.body();
    return SubresourceIntegrity.matches(
        body == null ? ByteSequence.empty() : body, request.integrity());
  }

  /**
   * Returns the reason why a service worker's response must not be used; empty if it may be used.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-http-fetch">step 3.4 of HTTP fetch</a>
   */
  static String objectionToServiceWorker(FetchRequest request, FetchResponse response) {
    String objection =
        switch (response.type()) {
          case ERROR -> "with a network error";
          case CORS ->
              request.mode() == Mode.SAME_ORIGIN
                  ? "with a CORS response to a same-origin request"
                  : "";
          case OPAQUE ->
              request.mode() != Mode.NO_CORS
                  ? "with an opaque response, and the mode is not no-cors"
                  : "";
          case OPAQUEREDIRECT ->
              request.redirect() != Redirect.MANUAL
                  ? "with an opaque redirect, and the redirect mode is not manual"
                  : "";
          case BASIC, DEFAULT -> "";
        };
    if (objection.isEmpty()
        && request.redirect() != Redirect.FOLLOW
        && response.urlList().size() > 1) {
      objection = "with a redirected response, and the redirect mode is not follow";
    }
    return objection;
  }
}
