package dev.weblocks.encoding;

import java.util.Arrays;

/** The output of a decoder: an I/O queue of scalar values, kept as UTF-16. */
final class CharQueue {

  private char[] units;
  private int size;

  /**
   * @param expected the approximate number of code units
   */
  CharQueue(int expected) {
    units = new char[expected];
  }

  private void reserve(int more) {
    if (more > units.length - size) {
      int needed = Math.addExact(size, more);
      units = Arrays.copyOf(units, Math.max(needed, (int) Math.min(needed * 2L, 1 << 30)));
    }
  }

  void push(int scalarValue) {
    reserve(2);
    if (scalarValue <= 0xFFFF) {
      units[size++] = (char) scalarValue;
    } else {
      units[size++] = Character.highSurrogate(scalarValue);
      units[size++] = Character.lowSurrogate(scalarValue);
    }
  }

  void pushAscii(byte[] bytes, int start, int end) {
    reserve(end - start);
    for (int i = start; i < end; i++) {
      units[size++] = (char) bytes[i];
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean startsWithByteOrderMark() {
    return size > 0 && units[0] == 0xFEFF;
  }

  String text(int start) {
    return new String(units, start, size - start);
  }
}
