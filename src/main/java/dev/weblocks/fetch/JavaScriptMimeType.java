package dev.weblocks.fetch;

import java.util.Set;

/**
 * What scripts may be served as.
 *
 * @see <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME type</a>
 */
public final class JavaScriptMimeType {

  private static final Set<String> ESSENCES =
      Set.of(
          "application/ecmascript",
          "application/javascript",
          "application/x-ecmascript",
          "application/x-javascript",
          "text/ecmascript",
          "text/javascript",
          "text/javascript1.0",
          "text/javascript1.1",
          "text/javascript1.2",
          "text/javascript1.3",
          "text/javascript1.4",
          "text/javascript1.5",
          "text/jscript",
          "text/livescript",
          "text/x-ecmascript",
          "text/x-javascript");

  private JavaScriptMimeType() {}

  /** Whether the headers of a response say that it is JavaScript. */
  public static boolean isTypeOf(FetchResponse response) {
    MimeType type = MimeType.extract(HeaderList.of(response.headers()));
    return type != null && ESSENCES.contains(type.essence());
  }
}
