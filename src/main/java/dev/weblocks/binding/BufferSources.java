package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes and makes the buffer sources of one realm, bytes in bulk. On the event loop of its
 * agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#idl-buffer-source-types">Web IDL</a>
 */
public final class BufferSources {

  /** How many bytes go into the context in one call, where they go as text. */
  private static final int CHUNK = 1 << 16;

  private static final byte PROBE = 42;

  private static final HexFormat HEX = HexFormat.of();

  private final Agent agent;
  private final Value parts;
  private final Value arrayBuffer;
  private final Value uint8Array;
  private final Value fill;
  private final boolean takesByteBuffers;

  BufferSources(Agent agent, Value prelude, EngineTrials trials) {
    this.agent = agent;
    this.parts = prelude.getMember("bufferParts");
    this.arrayBuffer = prelude.getMember("arrayBuffer");
    this.uint8Array = prelude.getMember("uint8Array");
    this.fill = prelude.getMember("fill");
    this.takesByteBuffers =
        agent.ownsContext()
            ? trials.takesByteBuffers(() -> takesByteBuffer(agent, prelude))
            : takesByteBuffer(agent, prelude);
  }

  /**
   * Whether the context's host access lets it. Makes a whole copy, for the classes of the engine
   * that it needs: a page at the end of its stack must not be the first to make one.
   */
  private static boolean takesByteBuffer(Agent agent, Value prelude) {
    return agent
        .ask(prelude.getMember("takesByteBuffer"), ByteBuffer.wrap(new byte[] {PROBE}), PROBE)
        .asBoolean();
  }

  /** Where the bytes of a buffer source are. */
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
      throw new IllegalArgumentException(value + " is no buffer source");
    }
    return made;
  }

  /**
   * A copy of the bytes of a buffer source; none if it is detached.
   *
   * @throws IllegalArgumentException if the value is no buffer source
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
   * @param offset of the first byte within the buffer source
   * @throws IllegalArgumentException if it is no buffer source or has no room for the bytes
   * @see <a href="https://webidl.spec.whatwg.org/#arraybuffer-write">write</a>
   */
  public void write(Value bufferSource, int offset, byte[] bytes) {
    BufferParts parts = partsOf(bufferSource);
    if (offset < 0 || offset > parts.length() - bytes.length) {
      throw new IllegalArgumentException(
          bytes.length + " bytes at " + offset + " do not fit into " + parts.length());
    }
    writeBytes(parts.buffer(), parts.offset() + offset, bytes);
  }

  /**
   * Copies bytes in one go where the context may read byte buffers of the host. Where it may not,
   * the engine takes many bytes at once in no form but as text, and hexadecimal digits are what it
   * reads fastest.
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
   * A new ArrayBuffer in this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#arraybuffer-create">create</a>
   */
  public Value arrayBuffer(byte[] bytes) {
    Value buffer = agent.call(arrayBuffer, bytes.length);
    writeBytes(buffer, 0, bytes);
    return buffer;
  }

  /** A new Uint8Array in this realm. */
  public Value uint8Array(byte[] bytes) {
    return agent.call(uint8Array, arrayBuffer(bytes));
  }
}
