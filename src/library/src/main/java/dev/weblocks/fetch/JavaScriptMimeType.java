package dev.weblocks.fetch;

import org.jspecify.annotations.Nullable;

/**
 * The check of whether a response has a JavaScript MIME type.
 *
 * @see <a href="https://mimesniff.spec.whatwg.org/#javascript-mime-type">JavaScript MIME type</a>
 */
public final class JavaScriptMimeType {

  private JavaScriptMimeType() {}

  /** Returns whether the headers of a response give a JavaScript MIME type. */
  public static boolean isTypeOf(FetchResponse response) {
    MimeType type = typeOf(response);
    return type != null && type.isJavaScript();
  }

  /**
   * Returns what to do about a response without a JavaScript MIME type, as the end of a sentence
   * about the resource.
   */
  public static String remedy(FetchResponse response) {
    MimeType type = typeOf(response);
    String typeScript = TypeScript.remedy(response.url());
    return (type == null ? "has no type" : "has the type " + type.essence())
        + (typeScript == null ? ": serve it as text/javascript" : " and " + typeScript);
  }

  private static @Nullable MimeType typeOf(FetchResponse response) {
    return MimeType.extract(HeaderList.of(response.headers()));
  }
}
