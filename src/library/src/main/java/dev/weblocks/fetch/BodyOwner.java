package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.Blob;
import dev.weblocks.file.ByteSequence;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Body} mixin of requests and responses.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#body-mixin">Fetch</a>
 */
abstract sealed class BodyOwner extends PlatformObject permits Request, Response {

  private final Headers headers;
  private final @Nullable Body body;

  BodyOwner(Realm realm, Headers headers, @Nullable Body body) {
    super(realm);
    this.headers = headers;
    this.body = body;
  }

  final Headers headers() {
    return headers;
  }

  final @Nullable Body body() {
    return body;
  }

  abstract String interfaceName();

  /**
   * Returns whether the body has been read, or is being read.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#body-unusable">unusable</a>
   */
  public final boolean isUnusable() {
    return body != null && body.isUsed();
  }

  private String failedTo(String operation) {
    return "Failed to execute '" + operation + "' on '" + interfaceName() + "'";
  }

  final void requireUsable(String operation) {
    if (isUnusable()) {
      throw ScriptException.typeError(failedTo(operation) + ": The body has already been read.");
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-body-consume-body">consume body</a> */
  private IdlPromise consume(
      String operation, Function<ByteSequence, @Nullable Object> convertBytesToJsValue) {
    requireUsable(operation); // 1
    IdlPromise promise = binding().promises().newPromise(); // 2
    if (body == null) { // 5
      succeed(promise, operation, ByteSequence.empty(), convertBytesToJsValue);
    } else if (body.failure() != null) { // 6; rejects without a task if the stream has failed
      promise.reject(body.failure());
    } else {
      ByteSequence bytes = body.use();
      realm()
          .queueTask(
              TaskSource.NETWORKING,
              interfaceName() + "." + operation + "()",
              () -> {
                Value error = body.close();
                if (error == null) {
                  succeed(promise, operation, bytes, convertBytesToJsValue);
                } else {
                  promise.reject(error);
                }
              });
    }
    return promise;
  }

  private void succeed(
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
    } catch (ScriptException thrown) {
      promise.reject(thrown);
      return;
    } catch (OutOfMemoryError tooLarge) {
      promise.reject(
          ScriptException.typeError(
              failedTo(operation) + ": " + bytes.size() + " bytes do not fit into memory."));
      return;
    }
    promise.resolve(value);
  }

  private Blob blob(ByteSequence bytes) {
    MimeType type = MimeType.extract(headers.list());
    return new Blob(realm(), bytes, type == null ? "" : type.serialize());
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-body-formdata">formData()</a> */
  private FormData formData(ByteSequence bytes) {
    MimeType type = MimeType.extract(headers.list());
    FormData form = type == null ? null : FormData.parse(realm(), type, bytes);
    if (form == null) {
      String ofType = type == null ? "" : " of type '" + type.serialize() + "'";
      throw ScriptException.typeError(
          failedTo("formData") + ": The body" + ofType + " cannot be parsed as form data.");
    }
    return form;
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("Body", BodyOwner.class)
        .getter("bodyUsed", BodyOwner::isUnusable)
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
        .operation("formData", (self, args) -> self.consume("formData", self::formData))
        .operation(
            "json",
            (self, args) ->
                self.consume(
                    "json", bytes -> self.binding().values().parseJson(bytes.utf8Decode())))
        .operation("text", (self, args) -> self.consume("text", ByteSequence::utf8Decode));
  }
}
