package dev.weblocks.lockmanager;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An encoder that writes a version, then values. */
final class WireOutput {

  static final int VERSION = 1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream data = new DataOutputStream(bytes);

  private interface Write {
    void run() throws IOException;
  }

  WireOutput() {
    number8(VERSION);
  }

  private void write(Write write) {
    try {
      write.run();
    } catch (IOException impossible) { // the target is an array
      throw new UncheckedIOException(impossible);
    }
  }

  void number8(int value) {
    write(() -> data.writeByte(value));
  }

  void number32(int value) {
    write(() -> data.writeInt(value));
  }

  void number64(long value) {
    write(() -> data.writeLong(value));
  }

  void bool(boolean value) {
    write(() -> data.writeBoolean(value));
  }

  /** Writes each UTF-16 code unit, lone surrogates included. */
  void string(String value) {
    write(() -> {
      data.writeInt(value.length());
      data.writeChars(value);
    });
  }

  void stringOrNull(@Nullable String value) {
    bool(value != null);
    if (value != null) {
      string(value);
    }
  }

  <T> void list(Collection<T> values, Consumer<T> write) {
    number32(values.size());
    values.forEach(write);
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
