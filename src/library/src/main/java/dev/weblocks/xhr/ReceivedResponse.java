package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.encoding.Decoding;
import dev.weblocks.encoding.Encoding;
import dev.weblocks.fetch.FetchResponse;
import dev.weblocks.fetch.MimeType;
import dev.weblocks.file.Blob;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/** The response of an {@link XMLHttpRequest}: head, body, and the values that script reads. */
final class ReceivedResponse {

  private final Realm realm;

  /** The response of the fetch; null for a network error. */
  private @Nullable FetchResponse head;

  private ByteSequence bytes = ByteSequence.empty();
  private String type = "";
  private @Nullable Object object;
  private boolean objectFailed;

  /** The text response; computed lazily, null until then. */
  private @Nullable String text;

  private @Nullable MimeType override;

  ReceivedResponse(Realm realm) {
    this.realm = realm;
  }

  /** Sets the head, and clears the body received so far. A null head means a network error. */
  void become(@Nullable FetchResponse made) {
    head = made;
    bytes = ByteSequence.empty();
    object = null;
    objectFailed = false;
    text = null;
  }

  void receive(ByteSequence body) {
    bytes = body;
  }

  boolean isNetworkError() {
    return head == null;
  }

  long size() {
    return bytes.size();
  }

  int status() {
    return head == null ? 0 : head.status();
  }

  String statusText() {
    return head == null ? "" : head.statusText();
  }

  /** Returns the response type that script has set; empty by default. */
  String type() {
    return type;
  }

  void setType(String type) {
    this.type = type;
  }

  boolean isText() {
    return type.isEmpty() || type.equals("text");
  }

  void overrideMimeType(String mime) {
    MimeType parsed = MimeType.parse(mime);
    override = parsed == null ? MimeType.parse("application/octet-stream") : parsed;
  }

  /** Returns a header that script may see; null for none. */
  @Nullable String header(String name) {
    return head == null ? null : head.visibleHeaders().get(name);
  }

  /** Returns the length of the body in bytes according to the headers; 0 if unknown. */
  long length() {
    return head == null ? 0 : Math.max(0, head.visibleHeaders().extractLength());
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-responseurl">responseURL</a> */
  String url() {
    UrlRecord url = head == null ? null : UrlParser.parse(head.url());
    return url == null ? "" : UrlSerializer.serialize(url, true);
  }

  /**
   * <a
   * href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-getallresponseheaders">getAllResponseHeaders()</a>
   */
  String allHeaders() {
    StringBuilder output = new StringBuilder(); // 1
    if (head != null) {
      head.visibleHeaders().sortAndCombine().stream() // 2
          .sorted(Comparator.comparing(header -> header.name().toUpperCase(Locale.ROOT))) // 3
          .forEach(
              header -> // 4
              output.append(header.name()).append(": ").append(header.value()).append("\r\n"));
    }
    return output.toString();
  }

  /** <a href="https://xhr.spec.whatwg.org/#final-mime-type">get a final MIME type</a> */
  private MimeType finalMimeType() {
    return override == null ? responseMimeType() : override;
  }

  /** <a href="https://xhr.spec.whatwg.org/#response-mime-type">get a response MIME type</a> */
  private MimeType responseMimeType() {
    MimeType declared = head == null ? null : MimeType.extract(head.visibleHeaders());
    return declared == null ? Objects.requireNonNull(MimeType.parse("text/xml")) : declared;
  }

  /** <a href="https://xhr.spec.whatwg.org/#final-charset">get a final encoding</a> */
  private @Nullable Encoding finalEncoding() {
    String label = responseMimeType().parameters().get("charset"); // 1 to 3
    if (override != null && override.parameters().containsKey("charset")) { // 4
      label = override.parameters().get("charset");
    }
    return label == null ? null : Encoding.get(label); // 5 to 8
  }

  /** <a href="https://xhr.spec.whatwg.org/#text-response">get a text response</a> */
  String text() {
    if (head == null || head.body() == null) { // 1
      return "";
    }
    String known = text;
    if (known == null || bytes.size() == 0) {
      byte[] raw = bytes.toByteArray();
      Encoding charset = finalEncoding(); // 2
      if (charset == null && type.isEmpty() && finalMimeType().isXml()) { // 3
        charset = XmlEncoding.of(raw);
      }
      known = Decoding.decode(realm, raw, charset == null ? Encoding.UTF_8 : charset); // 4, 5
      text = known;
    }
    return known;
  }

  /**
   * Returns the response as an object; null for a network error, or if the conversion fails.
   *
   * @see <a href="https://xhr.spec.whatwg.org/#dom-xmlhttprequest-response">response</a>
   */
  @Nullable Object object() {
    if (objectFailed || head == null) { // 2, 3
      return null; // null for a network error as in browsers; in the standard, no bytes
    }
    if (object == null) { // 4
      try {
        object =
            switch (type) {
              case "arraybuffer" ->
                  RealmBinding.of(realm).bufferSources().arrayBuffer(bytes.toByteArray()); // 5
              case "blob" -> new Blob(realm, bytes, finalMimeType().serialize()); // 6
              case "json" -> json(head); // 8
              default -> throw new IllegalStateException("responseType " + type);
            };
      } catch (OutOfMemoryError tooLarge) {
        objectFailed = true;
      }
    }
    return object; // 9
  }

  private @Nullable Object json(FetchResponse from) {
    if (from.body() == null) {
      return null;
    }
    try {
      return RealmBinding.of(realm).values().parseJson(bytes.utf8Decode());
    } catch (PolyglotException thrown) {
      if (!thrown.isGuestException()
          || thrown.isResourceExhausted()
          || thrown.isCancelled()
          || thrown.isExit()) {
        throw thrown;
      }
      return null;
    }
  }
}
