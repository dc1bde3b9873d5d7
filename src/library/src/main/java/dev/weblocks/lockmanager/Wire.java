package dev.weblocks.lockmanager;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The encoding of lock data: a version, then values in the format of {@link DataOutputStream}. */
public final class Wire {

  private static final int VERSION = 1;

  /** Writes a value without a version. */
  public interface Writer<T> {
    void write(DataOutputStream out, T value) throws IOException;
  }

  /** Reads a value without a version. */
  public interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  private Wire() {}

  /** Returns the bytes of a value, with the version. */
  public static <T> byte[] write(T value, Writer<T> writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      writer.write(out, value);
    } catch (IOException impossible) { // the target is an array
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a value that occupies all of the bytes.
   *
   * @param what the name of the value in error messages
   * @throws IllegalArgumentException if the bytes are malformed or have another version
   */
  public static <T> T read(byte[] bytes, String what, Reader<T> reader) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "%s has version %s, but this build reads version %s; use the build that wrote it"
                .formatted(what, version, VERSION));
      }
      T value = reader.read(in);
      if (in.available() > 0) {
        throw new IllegalArgumentException(
            what + " has " + in.available() + " bytes after its end");
      }
      return value;
    } catch (IOException truncated) {
      throw new IllegalArgumentException(
          what + " is truncated after " + bytes.length + " bytes", truncated);
    }
  }

  /** Writes the length of a string and its UTF-16 code units, lone surrogates included. */
  public static void string(DataOutputStream out, String value) throws IOException {
    out.writeInt(value.length());
    out.writeChars(value);
  }

  /** Reads what {@link #string(DataOutputStream, String)} has written. */
  public static String string(DataInputStream in) throws IOException {
    char[] units = new char[size(in, Character.BYTES)];
    for (int i = 0; i < units.length; i++) {
      units[i] = in.readChar();
    }
    return new String(units);
  }

  /** Writes the size of a collection and its elements, in its order. */
  public static <T> void list(DataOutputStream out, Collection<T> values, Writer<T> writer)
      throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(out, value);
    }
  }

  /** Reads what {@link #list(DataOutputStream, Collection, Writer)} has written. */
  public static <T> List<T> list(DataInputStream in, Reader<T> reader) throws IOException {
    int size = size(in, 1);
    List<T> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(reader.read(in));
    }
    return values;
  }

  /** Reads a list's size; rejects it if fewer than {@code bytesEach} bytes per element remain. */
  private static int size(DataInputStream in, int bytesEach) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > in.available() / bytesEach) {
      throw new EOFException();
    }
    return size;
  }

  /** Reads a byte that is the index of a value. */
  public static <T> T oneOf(DataInputStream in, List<T> values) throws IOException {
    int index = in.readByte();
    if (index < 0 || index >= values.size()) {
      throw new IllegalArgumentException("index " + index + " is not in " + values);
    }
    return values.get(index);
  }
}
