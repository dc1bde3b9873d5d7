package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.Blob;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Set;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Response} interface, with the {@code Body} mixin.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#response-class">Fetch</a>
 */
final class Response extends PlatformObject {

  /** <a href="https://fetch.spec.whatwg.org/#null-body-status">null body statuses</a> */
  private static final Set<Integer> NULL_BODY_STATUSES = Set.of(101, 103, 204, 205, 304);

  /** <a href="https://fetch.spec.whatwg.org/#redirect-status">redirect statuses</a> */
  private static final Set<Integer> REDIRECT_STATUSES = Set.of(301, 302, 303, 307, 308);

  /**
   * What a response says before its headers.
   *
   * @param url without fragment; empty for none
   */
  record Head(String type, String url, boolean redirected, int status, String statusText) {}

  private final Head head;
  private final Headers headers;
  private final @Nullable Body body;

  Response(Realm realm, Head head, Headers headers, @Nullable Body body) {
    super(realm);
    this.head = head;
    this.headers = headers;
    this.body = body;
  }

  static boolean isNullBodyStatus(int status) {
    return NULL_BODY_STATUSES.contains(status);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response">Response()</a> */
  private static Response construct(Realm realm, Arguments args) {
    Value init = args.nullable(0);
    return initialize(
        realm,
        args.dictionary(1),
        init == null ? null : Body.extract(RealmBinding.of(realm), init),
        "Failed to construct 'Response'");
  }

  /** <a href="https://fetch.spec.whatwg.org/#initialize-a-response">initialize a response</a> */
  private static Response initialize(
      Realm realm, DictionaryView init, Body.@Nullable WithType body, String attempt) {
    int status = init.integer("status");
    if (status < 200 || status > 599) { // 1
      throw ScriptException.rangeError(
          attempt + ": the status provided (" + status + ") is outside the range 200 to 599");
    }
    String statusText = init.string("statusText");
    if (!HttpText.isReasonPhrase(statusText)) { // 2
      throw ScriptException.typeError(attempt + ": '" + statusText + "' is not a status text");
    }
    Headers headers = new Headers(realm, new HeaderList(), Headers.Guard.RESPONSE);
    if (init.isPresent("headers")) { // 5
      headers.fill(init.any("headers"), attempt);
    }
    if (body != null) { // 6
      if (isNullBodyStatus(status)) {
        throw ScriptException.typeError(
            attempt + ": a response with status " + status + " cannot have a body");
      }
      if (body.type() != null && !headers.list().contains("Content-Type")) {
        headers.list().append("Content-Type", body.type());
      }
    }
    return new Response(
        realm,
        new Head("default", "", false, status, statusText),
        headers,
        body == null ? null : new Body(body.source()));
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-error">error()</a> */
  private static Response error(Arguments args) {
    return new Response(
        args.realm(),
        new Head("error", "", false, 0, ""),
        new Headers(args.realm(), new HeaderList(), Headers.Guard.IMMUTABLE),
        null);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-redirect">redirect()</a> */
  private static Response redirect(Arguments args) {
    String attempt = "Failed to execute 'redirect' on 'Response'";
    Realm realm = args.realm();
    UrlRecord url = UrlParser.parse(args.string(0), GlobalScope.of(realm).apiBaseUrl()); // 1
    if (url == null) { // 2
      throw ScriptException.typeError(attempt + ": '" + args.string(0) + "' is not a valid URL");
    }
    int status = args.integer(1);
    if (!REDIRECT_STATUSES.contains(status)) { // 3
      throw ScriptException.rangeError(attempt + ": " + status + " is not a redirect status");
    }
    HeaderList list = new HeaderList();
    list.append("Location", url.href()); // 6, 7
    return new Response(
        realm,
        new Head("default", "", false, status, ""),
        new Headers(realm, list, Headers.Guard.IMMUTABLE),
        null);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-json">json()</a>, the static one */
  private static Response json(Arguments args) {
    String attempt = "Failed to execute 'json' on 'Response'";
    Realm realm = args.realm();
    String json = RealmBinding.of(realm).serializeJson(args.any(0)); // 1
    if (json == null) {
      throw ScriptException.typeError(attempt + ": the data has no form in JSON");
    }
    return initialize(
        realm,
        args.dictionary(1),
        new Body.WithType(ByteSequence.utf8Encode(json), "application/json"),
        attempt);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-response-clone">clone()</a> */
  private Response copy() {
    requireUsable("clone");
    return new Response(
        realm(),
        head,
        new Headers(realm(), new HeaderList(headers.list()), headers.guard()),
        body == null ? null : body.copy());
  }

  /** <a href="https://fetch.spec.whatwg.org/#body-unusable">unusable</a> */
  private void requireUsable(String operation) {
    if (body != null && body.isUsed()) {
      throw ScriptException.typeError(
          "Failed to execute '" + operation + "' on 'Response': its body has been read already");
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-body-consume-body">consume body</a> */
  private IdlPromise consume(
      String operation, Function<ByteSequence, @Nullable Object> convertBytesToJsValue) {
    requireUsable(operation); // 1
    IdlPromise promise = binding().newPromise(); // 2
    if (body == null) { // 5
      succeed(promise, operation, ByteSequence.empty(), convertBytesToJsValue);
    } else { // 6
      ByteSequence bytes = body.use();
      realm()
          .queueTask(
              TaskSource.NETWORKING,
              "Response." + operation + "()",
              () -> succeed(promise, operation, bytes, convertBytesToJsValue));
    }
    return promise;
  }

  private static void succeed(
      IdlPromise promise,
      String operation,
      ByteSequence bytes,
      Function<ByteSequence, @Nullable Object> convertBytesToJsValue) {
    Object value;
    try {
      value = convertBytesToJsValue.apply(bytes);
    } catch (PolyglotException thrown) {
      Value reason = thrown.isGuestException() ? thrown.getGuestObject() : null;
      if (reason == null) {
        throw thrown;
      }
      promise.reject(reason);
      return;
    } catch (OutOfMemoryError tooLarge) {
      promise.reject(
          ScriptException.typeError(
              "Failed to execute '"
                  + operation
                  + "' on 'Response': "
                  + bytes.size()
                  + " bytes do not fit into memory"));
      return;
    }
    promise.resolve(value);
  }

  private Blob blob(ByteSequence bytes) {
    MimeType type = MimeType.extract(headers.list());
    return new Blob(realm(), bytes, type == null ? "" : type.serialize());
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Response", Response.class)
        .constructor(Response::construct)
        .staticOperation("error", Response::error)
        .staticOperation("redirect", Response::redirect)
        .staticOperation("json", Response::json)
        .getter("type", self -> self.head.type())
        .getter("url", self -> self.head.url())
        .getter("redirected", self -> self.head.redirected())
        .getter("status", self -> self.head.status())
        .getter("ok", self -> self.head.status() >= 200 && self.head.status() <= 299)
        .getter("statusText", self -> self.head.statusText())
        .getter("headers", self -> self.headers)
        .operation("clone", (self, args) -> self.copy());
    implementations
        .mixin("Body", Response.class)
        .getter("bodyUsed", self -> self.body != null && self.body.isUsed())
        .operation(
            "arrayBuffer",
            (self, args) ->
                self.consume(
                    "arrayBuffer",
                    bytes -> self.binding().bufferSources().arrayBuffer(bytes.toByteArray())))
        .operation("blob", (self, args) -> self.consume("blob", self::blob))
        .operation(
            "bytes",
            (self, args) ->
                self.consume(
                    "bytes",
                    bytes -> self.binding().bufferSources().uint8Array(bytes.toByteArray())))
        .operation(
            "json",
            (self, args) ->
                self.consume("json", bytes -> self.binding().parseJson(bytes.utf8Decode())))
        .operation("text", (self, args) -> self.consume("text", ByteSequence::utf8Decode));
  }
}
