package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The access to the buffer sources of one realm: reads, writes and creates them. To save time, each
 * call into the context passes many bytes. Used on the event loop of its agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#idl-buffer-source-types">Web IDL</a>
 */
public final class BufferSources {

  /** The maximum number of bytes that one call passes to the context as text. */
  private static final int CHUNK = 1 << 16;

  private static final byte PROBE = 42;

  private static final HexFormat HEX = HexFormat.of();

  private final Agent agent;
  private final Value parts;
  private final Value arrayBuffer;
  private final Value uint8Array;
  private final Value fill;
  private final @Nullable Value isImmutableView;
  private final boolean takesByteBuffers;

  BufferSources(Agent agent, Value functions, EngineFeatures features) {
    this.agent = agent;
    this.parts = functions.getMember("bufferParts");
    this.arrayBuffer = functions.getMember("arrayBuffer");
    this.uint8Array = functions.getMember("uint8Array");
    this.fill = functions.getMember("fill");
    Value immutable = functions.getMember("isImmutableView");
    this.isImmutableView = immutable.isNull() ? null : immutable;
    this.takesByteBuffers =
        agent.ownsContext()
            ? features.takesByteBuffers(() -> takesByteBuffer(agent, functions))
            : takesByteBuffer(agent, functions);
  }

  /**
   * Returns whether the context may read byte buffers of the host. Tries to read one, so that the
   * engine loads the classes for copying now, not when a page has little stack left.
   */
  private static boolean takesByteBuffer(Agent agent, Value functions) {
    return agent
        .ask(functions.getMember("takesByteBuffer"), ByteBuffer.wrap(new byte[] {PROBE}), PROBE)
        .asBoolean();
  }

  /** The location of the bytes of a buffer source. */
  private record BufferParts(Value buffer, int offset, int length) {}

  private BufferParts partsOf(Value value) {
    @Nullable BufferParts[] found = new @Nullable BufferParts[1];
    agent.call(
        parts,
        value,
        (ProxyExecutable)
            given -> {
              found[0] = new BufferParts(given[0], given[1].asInt(), given[2].asInt());
              return null;
            });
    BufferParts made = found[0];
    if (made == null) {
      throw new IllegalArgumentException(value + " is not a buffer source");
    }
    return made;
  }

  /**
   * Returns the length of a buffer source in bytes; 0 if it is detached.
   *
   * @throws IllegalArgumentException if the value is not a buffer source
   */
  public int length(Value bufferSource) {
    return partsOf(bufferSource).length();
  }

  /**
   * Returns a copy of the bytes of a buffer source; empty if it is detached.
   *
   * @throws IllegalArgumentException if the value is not a buffer source
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-get-buffer-source-copy">get a copy of the
   *     bytes held by the buffer source</a>
   */
  public byte[] bytes(Value bufferSource) {
    BufferParts parts = partsOf(bufferSource);
    byte[] bytes = new byte[parts.length()];
    if (bytes.length > 0) {
      parts.buffer().readBuffer(parts.offset(), bytes, 0, bytes.length);
    }
    return bytes;
  }

  /**
   * Writes bytes into a buffer source.
   *
   * @param offset the position of the first byte within the buffer source
   * @throws IllegalArgumentException if the value is not a buffer source, or the bytes do not fit
   * @see <a href="https://webidl.spec.whatwg.org/#arraybuffer-write">write</a>
   */
  public void write(Value bufferSource, int offset, byte[] bytes) {
    BufferParts parts = partsOf(bufferSource);
    if (offset < 0 || offset > parts.length() - bytes.length) {
      throw new IllegalArgumentException(
          "%s bytes at offset %s do not fit into a buffer source of %s bytes"
              .formatted(bytes.length, offset, parts.length()));
    }
    writeBytes(parts.buffer(), parts.offset() + offset, bytes);
  }

  /**
   * Requires a view that can be written to, as a conversion of Web IDL would that does not allow
   * immutable buffers.
   *
   * @param where the start of the message, such as {@code Failed to execute 'encodeInto' on
   *     'TextEncoder': parameter 2}
   * @throws ScriptException a TypeError
   * @see <a href="https://github.com/whatwg/webidl/issues/1487">Web IDL</a>
   */
  public void requireMutable(Value view, String where) {
    if (isImmutableView != null && agent.call(isImmutableView, view).asBoolean()) {
      throw ScriptException.typeError(where + ": The provided value must not be immutable");
    }
  }

  /**
   * Copies bytes in one call if the context may read byte buffers of the host. If not, passes them
   * as hexadecimal digits, the kind of text that the engine reads fastest.
   */
  private void writeBytes(Value buffer, int offset, byte[] bytes) {
    if (takesByteBuffers) {
      if (bytes.length > 0) {
        agent.call(fill, buffer, offset, ByteBuffer.wrap(bytes));
      }
      return;
    }
    for (int from = 0; from < bytes.length; from += CHUNK) {
      String digits = HEX.formatHex(bytes, from, Math.min(bytes.length, from + CHUNK));
      agent.call(fill, buffer, offset + from, digits);
    }
  }

  /**
   * Returns a new ArrayBuffer in this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#arraybuffer-create">create</a>
   */
  public Value arrayBuffer(byte[] bytes) {
    Value buffer = agent.call(arrayBuffer, bytes.length);
    writeBytes(buffer, 0, bytes);
    return buffer;
  }

  /** Returns a new Uint8Array in this realm. */
  public Value uint8Array(byte[] bytes) {
    return agent.call(uint8Array, arrayBuffer(bytes));
  }
}
