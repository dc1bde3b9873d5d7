package dev.weblocks.file;

import dev.weblocks.utf8.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * An immutable byte sequence. Concatenations and slices share the bytes of their sources and copy
 * nothing. Thread-safe.
 *
 * @see <a href="https://infra.spec.whatwg.org/#byte-sequence">byte sequence</a>
 */
public abstract sealed class ByteSequence {

  /** The maximum size in bytes: the largest integer that a script number represents exactly. */
  public static final long MAX_SIZE = (1L << 53) - 1;

  /** The largest array size that every JVM supports. */
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  private static final ByteSequence EMPTY = new Segment(new byte[0], 0, 0);

  private final long size;

  private ByteSequence(long size) {
    this.size = size;
  }

  private static final class Segment extends ByteSequence {
    final byte[] array;
    final int start;

    Segment(byte[] array, int start, int size) {
      super(size);
      this.array = array;
      this.start = start;
    }
  }

  private static final class Rope extends ByteSequence {
    final ByteSequence[] parts;

    /** The end position of each part in the concatenation of all parts. */
    final long[] ends;

    /** The start of this sequence in the concatenation of all parts; 0 unless this is a slice. */
    final long start;

    Rope(ByteSequence[] parts, long[] ends, long start, long size) {
      super(size);
      this.parts = parts;
      this.ends = ends;
      this.start = start;
    }

    long startOf(int part) {
      return part == 0 ? 0 : ends[part - 1];
    }

    /** Returns the index of the part that has the byte at a position of the concatenation. */
    int partAt(long position) {
      int low = 0;
      int high = ends.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (ends[middle] <= position) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  public static ByteSequence empty() {
    return EMPTY;
  }

  /** Returns the bytes of an array without a copy; the array must not be changed afterwards. */
  public static ByteSequence of(byte[] array) {
    return array.length == 0 ? EMPTY : new Segment(array, 0, array.length);
  }

  /** Returns a string as UTF-8; a lone surrogate becomes U+FFFD. */
  public static ByteSequence utf8Encode(String string) {
    return of(Utf8.encode(string));
  }

  /**
   * Returns the concatenation of byte sequences.
   *
   * @throws IllegalArgumentException if the result would have more than {@link #MAX_SIZE} bytes
   */
  public static ByteSequence concatenate(List<ByteSequence> sequences) {
    List<ByteSequence> parts = new ArrayList<>(sequences);
    parts.removeIf(part -> part.size == 0);
    if (parts.size() < 2) {
      return parts.isEmpty() ? EMPTY : parts.getFirst();
    }
    long[] ends = new long[parts.size()];
    long size = 0;
    for (int i = 0; i < ends.length; i++) {
      size += parts.get(i).size;
      if (size > MAX_SIZE) {
        throw new IllegalArgumentException(
            "the byte sequence would have more than " + MAX_SIZE + " bytes");
      }
      ends[i] = size;
    }
    return new Rope(parts.toArray(ByteSequence[]::new), ends, 0, size);
  }

  /** Returns the number of bytes. */
  public final long size() {
    return size;
  }

  /**
   * Returns the bytes from one position, inclusive, to another, exclusive.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <= size}
   */
  public final ByteSequence slice(long from, long to) {
    Objects.checkFromToIndex(from, to, size);
    long length = to - from;
    if (length == 0) {
      return EMPTY;
    }
    ByteSequence of = this;
    long begin = from;
    // descend while one part contains the whole slice, so that the slice does not retain the others
    while (of.size != length) {
      switch (of) {
        case Segment segment -> {
          return new Segment(segment.array, segment.start + (int) begin, (int) length);
        }
        case Rope rope -> {
          long position = rope.start + begin;
          int part = rope.partAt(position);
          if (position + length > rope.ends[part]) {
            return new Rope(rope.parts, rope.ends, position, length);
          }
          begin = position - rope.startOf(part);
          of = rope.parts[part];
        }
      }
    }
    return of;
  }

  /** A read position in one rope, counted from the start of its first part. */
  private static final class Cursor {
    final Rope rope;
    final long end;
    int part;
    long position;

    Cursor(Rope rope, long from, long to) {
      this.rope = rope;
      this.position = rope.start + from;
      this.end = rope.start + to;
      this.part = rope.partAt(position);
    }
  }

  /**
   * Returns a copy of all bytes.
   *
   * @throws OutOfMemoryError also if the bytes do not fit into an array
   */
  public final byte[] toByteArray() {
    if (size > MAX_ARRAY) {
      throw new OutOfMemoryError(size + " bytes do not fit into an array");
    }
    byte[] bytes = new byte[(int) size];
    switch (this) {
      case Segment segment -> System.arraycopy(segment.array, segment.start, bytes, 0, (int) size);
      case Rope rope -> copy(rope, bytes);
    }
    return bytes;
  }

  /** Copies a rope without recursion, because scripts may create ropes of any depth. */
  private static void copy(Rope whole, byte[] bytes) {
    int written = 0;
    Deque<Cursor> pending = new ArrayDeque<>();
    pending.push(new Cursor(whole, 0, whole.size()));
    while (!pending.isEmpty()) {
      Cursor cursor = pending.peek();
      ByteSequence part = cursor.rope.parts[cursor.part];
      long start = cursor.rope.startOf(cursor.part);
      long from = cursor.position - start;
      long to = Math.min(part.size, cursor.end - start);
      cursor.position = start + to;
      cursor.part++;
      if (cursor.position == cursor.end) {
        pending.pop();
      }
      switch (part) {
        case Segment segment -> {
          System.arraycopy(
              segment.array, segment.start + (int) from, bytes, written, (int) (to - from));
          written += (int) (to - from);
        }
        case Rope rope -> pending.push(new Cursor(rope, from, to));
      }
    }
  }

  /**
   * Decodes the bytes as UTF-8, without a leading byte order mark; malformed bytes become U+FFFD.
   *
   * @throws OutOfMemoryError in the cases of {@link #toByteArray}
   * @see <a href="https://encoding.spec.whatwg.org/#utf-8-decode">UTF-8 decode</a>
   */
  public final String utf8Decode() {
    return Utf8.decode(toByteArray());
  }

  /**
   * Decodes the bytes as UTF-8; malformed bytes become U+FFFD.
   *
   * @throws OutOfMemoryError in the cases of {@link #toByteArray}
   * @see <a href="https://encoding.spec.whatwg.org/#utf-8-decode-without-bom">UTF-8 decode without
   *     BOM</a>
   */
  public final String utf8DecodeWithoutBom() {
    return Utf8.decodeWithoutBom(toByteArray());
  }
}
