package dev.weblocks.fetch;

/**
 * The check of whether a response has a JavaScript MIME type.
 *
 * @see <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME type</a>
 */
public final class JavaScriptMimeType {

  private JavaScriptMimeType() {}

  /** Returns whether the headers of a response give a JavaScript MIME type. */
  public static boolean isTypeOf(FetchResponse response) {
    MimeType type = MimeType.extract(HeaderList.of(response.headers()));
    return type != null && type.isJavaScript();
  }
}
