package dev.weblocks.fetch;

import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.Blob;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.url.URLSearchParams;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A body: bytes that can be read once. Used on the event loop of its owner.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-body">body</a>
 */
public final class Body {

  private final ByteSequence source;
  private boolean used;
  private boolean closed;
  private @Nullable Value error;
  private @Nullable Runnable onClose;

  Body(ByteSequence source) {
    this.source = source;
  }

  /**
   * The bytes of a body, with their type.
   *
   * @param type the Content-Type that the body implies; null for none
   */
  public record WithType(ByteSequence source, @Nullable String type) {}

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-bodyinit-extract">extract a body</a>
   *
   * @param init a converted BodyInit, not null
   * @throws ScriptException a RangeError if the body would be too large; a NotSupportedError for a
   *     document, which the IDL of {@code XMLHttpRequest} permits
   */
  public static WithType extract(RealmBinding binding, Value init) {
    if (init.isString()) {
      return new WithType(ByteSequence.utf8Encode(init.asString()), "text/plain;charset=UTF-8");
    }
    if (!init.isHostObject()) {
      return new WithType(ByteSequence.of(binding.bufferSources().bytes(init)), null);
    }
    PlatformObject object = init.asHostObject();
    return switch (object) {
      case FormData form -> form.encode();
      case Blob blob -> new WithType(blob.bytes(), blob.type().isEmpty() ? null : blob.type());
      case URLSearchParams params ->
          new WithType(
              ByteSequence.utf8Encode(params.serialize()),
              "application/x-www-form-urlencoded;charset=UTF-8");
      default ->
          throw ScriptException.dom("NotSupportedError", "A Document is not supported as a body.");
    };
  }

  boolean isUsed() {
    return used;
  }

  /** Returns all bytes, and marks the body as used. */
  ByteSequence use() {
    used = true;
    return source;
  }

  /** Returns all bytes; the body remains readable. */
  ByteSequence source() {
    return source;
  }

  /** Ends the reading of this body. Returns the error if the reading has failed, otherwise null. */
  @Nullable Value close() {
    if (!closed) {
      closed = true;
      if (onClose != null) {
        onClose.run();
      }
    }
    return error;
  }

  /**
   * Makes the reading fail, unless it has ended.
   *
   * @see <a href="https://streams.spec.whatwg.org/#readablestream-error">error</a>
   */
  void error(Value reason) {
    if (!closed) {
      error = reason;
      close();
    }
  }

  /** Returns the error with which the reading failed; null for none. */
  @Nullable Value failure() {
    return error;
  }

  void onClose(Runnable action) {
    onClose = action;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-body-clone">clone</a> */
  Body copy() {
    Body copy = new Body(source);
    copy.error = error;
    copy.closed = closed && error != null;
    return copy;
  }
}
