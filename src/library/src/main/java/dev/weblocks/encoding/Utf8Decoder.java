package dev.weblocks.encoding;

import dev.weblocks.utf8.Utf8Handler;

/** <a href="https://encoding.spec.whatwg.org/#utf-8-decoder">UTF-8 decoder</a> */
final class Utf8Decoder extends Decoder {

  private final Utf8Handler handler = new Utf8Handler();

  @Override
  boolean takesAscii() {
    return handler.isBetweenSequences();
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    if (item == ByteQueue.END_OF_QUEUE) {
      return handler.end() ? FINISHED : ERROR;
    }
    int result = handler.handle(item);
    return switch (result) {
      case Utf8Handler.CONTINUE -> CONTINUE;
      case Utf8Handler.ERROR -> ERROR;
      case Utf8Handler.ERROR_RESTORING -> {
        queue.restore(item);
        yield ERROR;
      }
      default -> result;
    };
  }
}
