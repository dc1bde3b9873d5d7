package dev.weblocks.fetch;

import dev.weblocks.file.ByteSequence;
import dev.weblocks.utf8.Utf8;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response with everything that was received. Independent of any context, so it may be passed to
 * another agent. Script sees only the parts that the type allows. The library itself uses all of
 * them, as the standards do with an "unsafe response".
 *
 * @param type what script may see
 * @param urlList absolute URLs of the fetch, with fragments; empty if script made the response
 * @param status 0, or 100 to 599
 * @param statusText possibly empty
 * @param headers in order
 * @param body the whole body; null for none
 * @param corsExposedHeaderNames the lower-case names of the headers that script may see if the type
 *     is CORS, besides the safelisted ones
 * @see <a href="https://fetch.spec.whatwg.org/#concept-response">response</a>
 */
public record FetchResponse(
    Type type,
    List<String> urlList,
    int status,
    String statusText,
    List<Map.Entry<String, String>> headers,
    @Nullable ByteSequence body,
    List<String> corsExposedHeaderNames) {

  /** <a href="https://fetch.spec.whatwg.org/#concept-response-type">type</a> */
  public enum Type {
    BASIC,
    CORS,
    /** The type of an unfiltered response, such as one that script made. */
    DEFAULT,
    /** A network error, as {@code Response.error()} returns it. */
    ERROR,
    OPAQUE,
    OPAQUEREDIRECT;

    /** Returns the IDL value of this type, such as {@code basic}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public FetchResponse {
    urlList = List.copyOf(urlList);
    headers = List.copyOf(headers);
    corsExposedHeaderNames = List.copyOf(corsExposedHeaderNames);
  }

  /**
   * Creates an unfiltered response, as a server sends it.
   *
   * @param url the absolute URL of the resource
   * @param body must not be changed afterwards
   */
  public FetchResponse(
      String url,
      int status,
      String statusText,
      List<Map.Entry<String, String>> headers,
      byte[] body) {
    this(Type.DEFAULT, List.of(url), status, statusText, headers, ByteSequence.of(body), List.of());
  }

  /** Returns a response with status 200 and a text as its body. */
  public static FetchResponse text(String url, String mimeType, String text) {
    return new FetchResponse(
        url,
        200,
        "OK",
        List.of(Map.entry("content-type", mimeType + ";charset=utf-8")),
        Utf8.encode(text));
  }

  /** Returns the absolute URL of the response; empty if script made it. */
  public String url() {
    return urlList.isEmpty() ? "" : urlList.getLast();
  }

  /** Returns whether the status is in the range 200 to 299. */
  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /** Returns the body decoded as UTF-8, without byte order mark; empty if there is no body. */
  public String text() {
    return body == null ? "" : body.utf8Decode();
  }

  /** Returns a copy of the body; empty if there is none. */
  public byte[] bytes() {
    return body == null ? new byte[0] : body.toByteArray();
  }

  /** Returns the MIME type that the headers declare; null if there is none. */
  public @Nullable MimeType mimeType() {
    return MimeType.extract(HeaderList.of(headers));
  }

  /** Returns the combined value of all headers with a name; null if there is none. */
  public @Nullable String header(String name) {
    return HeaderList.of(headers).get(name);
  }

  /**
   * Returns the headers that script may see, in order.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-filtered-response">filtered response</a>
   */
  public HeaderList visibleHeaders() {
    HeaderList visible = new HeaderList();
    for (HeaderList.Header each : HeaderList.of(headers).headers()) {
      boolean isVisible =
          switch (type) {
            case BASIC -> !Headers.isForbiddenResponseHeaderName(each.name());
            case CORS ->
                !Headers.isForbiddenResponseHeaderName(each.name())
                    && Cors.isVisible(each.name(), corsExposedHeaderNames);
            case DEFAULT -> true;
            case ERROR, OPAQUE, OPAQUEREDIRECT -> false;
          };
      if (isVisible) {
        visible.append(each.name(), each.value());
      }
    }
    return visible;
  }

  FetchResponse withType(Type value) {
    return new FetchResponse(
        value, urlList, status, statusText, headers, body, corsExposedHeaderNames);
  }

  public FetchResponse withUrlList(List<String> value) {
    return new FetchResponse(
        type, value, status, statusText, headers, body, corsExposedHeaderNames);
  }

  FetchResponse withHeaders(List<Map.Entry<String, String>> value) {
    return new FetchResponse(
        type, urlList, status, statusText, value, body, corsExposedHeaderNames);
  }

  FetchResponse withBody(@Nullable ByteSequence value) {
    return new FetchResponse(
        type, urlList, status, statusText, headers, value, corsExposedHeaderNames);
  }

  FetchResponse withCorsExposedHeaderNames(List<String> value) {
    return new FetchResponse(type, urlList, status, statusText, headers, body, value);
  }
}
