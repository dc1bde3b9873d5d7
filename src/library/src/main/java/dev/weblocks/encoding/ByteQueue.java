package dev.weblocks.encoding;

/**
 * An I/O queue of bytes.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#concept-stream">Encoding Standard</a>
 */
final class ByteQueue {

  /** The result of {@link #read} for an empty queue. */
  static final int END_OF_QUEUE = -1;

  private byte[] bytes = new byte[0];
  private int position;

  /** Pushes bytes. The caller must not use the array afterwards. */
  void push(byte[] more) {
    if (position == bytes.length) {
      bytes = more;
    } else {
      byte[] all = new byte[Math.addExact(size(), more.length)];
      System.arraycopy(bytes, position, all, 0, size());
      System.arraycopy(more, 0, all, size(), more.length);
      bytes = all;
    }
    position = 0;
  }

  int size() {
    return bytes.length - position;
  }

  /** Returns the next byte, 0 to 0xFF, or {@link #END_OF_QUEUE}. */
  int read() {
    return position == bytes.length ? END_OF_QUEUE : bytes[position++] & 0xFF;
  }

  /** Puts bytes at the front, in the given order. They may have been read from an earlier push. */
  void restore(int... front) {
    if (position < front.length) { // they came with an earlier push
      byte[] all = new byte[front.length + size()];
      System.arraycopy(bytes, position, all, front.length, size());
      bytes = all;
      position = front.length;
    }
    position -= front.length;
    for (int i = 0; i < front.length; i++) {
      bytes[position + i] = (byte) front[i];
    }
  }

  /** Moves the ASCII bytes at the front to a queue of characters, unchanged. */
  void moveAscii(CharQueue to) {
    int start = position;
    int end = start;
    while (end < bytes.length && bytes[end] >= 0) {
      end++;
    }
    if (end > start) {
      to.pushAscii(bytes, start, end);
      position = end;
    }
  }
}
