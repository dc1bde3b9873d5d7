package dev.weblocks.lockmanager;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counterpart of {@link WireOutput}. Throws IllegalArgumentException if bytes are malformed.
 */
final class WireInput {

  private final ByteBuffer bytes;

  private WireInput(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  /**
   * Reads a value that consumes all bytes.
   *
   * @param what the name of the value in error messages
   */
  static <T> T read(byte[] bytes, String what, java.util.function.Function<WireInput, T> reader) {
    WireInput in = new WireInput(bytes);
    try {
      int version = in.number8();
      if (version != WireOutput.VERSION) {
        throw new IllegalArgumentException(
            "%s has version %s, but this build reads version %s; use the build that wrote it"
                .formatted(what, version, WireOutput.VERSION));
      }
      T value = reader.apply(in);
      if (in.bytes.hasRemaining()) {
        throw new IllegalArgumentException(
            what + " has " + in.bytes.remaining() + " bytes after its end");
      }
      return value;
    } catch (BufferUnderflowException truncated) {
      throw new IllegalArgumentException(
          what + " is truncated after " + bytes.length + " bytes", truncated);
    }
  }

  int number8() {
    return bytes.get();
  }

  int number32() {
    return bytes.getInt();
  }

  long number64() {
    return bytes.getLong();
  }

  boolean bool() {
    int value = number8();
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException(value + " is not a boolean");
    }
    return value == 1;
  }

  String string() {
    int length = size(Character.BYTES);
    char[] units = new char[length];
    for (int i = 0; i < length; i++) {
      units[i] = bytes.getChar();
    }
    return new String(units);
  }

  @Nullable String stringOrNull() {
    return bool() ? string() : null;
  }

  <T> List<T> list(Supplier<T> reader) {
    int size = size(1);
    List<T> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(reader.get());
    }
    return values;
  }

  /** Reads the size of a list whose elements have at least {@code bytesEach} bytes. */
  private int size(int bytesEach) {
    int size = number32();
    if (size < 0 || size > bytes.remaining() / bytesEach) {
      throw new BufferUnderflowException();
    }
    return size;
  }

  <E extends Enum<E>> E constant(E[] values) {
    int ordinal = number8();
    if (ordinal < 0 || ordinal >= values.length) {
      throw new IllegalArgumentException(
          ordinal + " is not a " + values.getClass().getComponentType().getSimpleName());
    }
    return values[ordinal];
  }
}
