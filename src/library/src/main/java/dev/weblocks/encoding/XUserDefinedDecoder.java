package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#x-user-defined-decoder">x-user-defined decoder</a> */
final class XUserDefinedDecoder extends Decoder {

  @Override
  boolean takesAscii() {
    return true;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) { // 1
      return FINISHED;
    }
    return isAscii(item) ? item : 0xF780 + item - 0x80; // 2, 3
  }
}
