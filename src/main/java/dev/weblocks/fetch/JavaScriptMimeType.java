package dev.weblocks.fetch;

/**
 * What scripts may be served as.
 *
 * @see <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME type</a>
 */
public final class JavaScriptMimeType {

  private JavaScriptMimeType() {}

  /** Whether the headers of a response say that it is JavaScript. */
  public static boolean isTypeOf(FetchResponse response) {
    MimeType type = MimeType.extract(HeaderList.of(response.headers()));
    return type != null && type.isJavaScript();
  }
}
