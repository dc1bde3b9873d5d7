package dev.weblocks.lockmanager;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The encoding of lock data: a version, then values in the format of {@link DataOutputStream}. */
public final class Wire {

  /** The version of what has one encoding only. */
  private static final int VERSION = 1;

  /** Writes a value without a version. */
  public interface Writer<T> {
    void write(DataOutputStream out, T value) throws IOException;
  }

  /** Reads a value without a version. */
  public interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  /** Reads a value that was written in a version. */
  public interface VersionedReader<T> {
    T read(DataInputStream in, int version) throws IOException;
  }

  /**
   * Bytes in pieces, which are put together once. One growing array would need four times their
   * memory, and a snapshot may have a quarter of a gigabyte.
   */
  private static final class Pieces extends OutputStream {
    private static final int LARGEST = 1 << 20;

    private final List<byte[]> full = new ArrayList<>(0);
    private byte[] last = new byte[256];
    private int used;
    private int fullSize;

    @Override
    public void write(int value) {
      if (used == last.length) {
        next();
      }
      last[used++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      int done = 0;
      while (done < length) {
        if (used == last.length) {
          next();
        }
        int some = Math.min(length - done, last.length - used);
        System.arraycopy(bytes, from + done, last, used, some);
        used += some;
        done += some;
      }
    }

    private void next() {
      fullSize = Math.addExact(fullSize, last.length);
      full.add(last);
      last = new byte[Math.min(LARGEST, 2 * last.length)];
      used = 0;
    }

    byte[] toByteArray() {
      byte[] all = new byte[Math.addExact(fullSize, used)];
      int at = 0;
      for (byte[] piece : full) {
        System.arraycopy(piece, 0, all, at, piece.length);
        at += piece.length;
      }
      System.arraycopy(last, 0, all, at, used);
      return all;
    }
  }

  private Wire() {}

  /** Returns the bytes of a value, with version 1. */
  public static <T> byte[] write(T value, Writer<T> writer) {
    return write(VERSION, value, writer);
  }

  /**
   * Returns the bytes of a value, with a version.
   *
   * @param version of the encoding that {@code writer} uses; 1 to 127
   */
  public static <T> byte[] write(int version, T value, Writer<T> writer) {
    Pieces bytes = new Pieces();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(version);
      writer.write(out, value);
    } catch (IOException impossible) { // the target is an array
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a value of version 1 that occupies all of the bytes.
   *
   * @param what the name of the value in error messages
   * @throws IllegalArgumentException if the bytes are malformed or have another version
   */
  public static <T> T read(byte[] bytes, String what, Reader<T> reader) {
    return read(bytes, what, VERSION, (in, version) -> reader.read(in));
  }

  /**
   * Reads a value that occupies all of the bytes.
   *
   * @param what the name of the value in error messages
   * @param newest the newest version that {@code reader} can read; it can read all from 1 on
   * @throws UnsupportedVersionException if the bytes have another version
   * @throws IllegalArgumentException if the bytes are malformed
   */
  public static <T> T read(byte[] bytes, String what, int newest, VersionedReader<T> reader) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = in.readByte();
      if (version < 1 || version > newest) {
        throw new UnsupportedVersionException(what, version, newest);
      }
      T value = reader.read(in, version);
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
    int length = value.length();
    byte[] bytes = new byte[Character.BYTES * length]; // at once: a stream locks for each byte
    for (int i = 0; i < length; i++) {
      char unit = value.charAt(i);
      bytes[2 * i] = (byte) (unit >> 8);
      bytes[2 * i + 1] = (byte) unit;
    }
    out.writeInt(length);
    out.write(bytes);
  }

  /** Reads what {@link #string(DataOutputStream, String)} has written. */
  public static String string(DataInputStream in) throws IOException {
    char[] units = new char[size(in, Character.BYTES)];
    byte[] bytes = in.readNBytes(Character.BYTES * units.length);
    for (int i = 0; i < units.length; i++) {
      units[i] = (char) (bytes[2 * i] << 8 | bytes[2 * i + 1] & 0xff);
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
