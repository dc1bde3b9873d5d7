package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#single-byte-decoder">single-byte decoder</a> */
final class SingleByteDecoder extends Decoder {

  private final int[] index;

  SingleByteDecoder(int[] index) {
    this.index = index;
  }

  @Override
  boolean takesAscii() {
    return true;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) { // 1
      return FINISHED;
    }
    if (isAscii(item)) { // 2
      return item;
    }
    int codePoint = index[item - 0x80]; // 3
    return codePoint < 0 ? ERROR : codePoint; // 4, 5
  }
}
