package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#replacement-decoder">replacement decoder</a> */
final class ReplacementDecoder extends Decoder {

  private boolean errorReturned;

  @Override
  boolean takesAscii() {
    return false;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE || errorReturned) { // 1, 3
      return FINISHED;
    }
    errorReturned = true; // 2
    return ERROR;
  }
}
