package dev.weblocks.encoding;

/** <a href="https://encoding.spec.whatwg.org/#big5-decoder">Big5 decoder</a> */
final class Big5Decoder extends Decoder {

  private final int[] index;
  private int leading;

  Big5Decoder(int[] index) {
    this.index = index;
  }

  @Override
  boolean takesAscii() {
    return leading == 0;
  }

  @Override
  int handle(ByteQueue queue, int item, CharQueue output) {
    int lead = leading;
    if (item == ByteQueue.END_OF_QUEUE) { // 1, 2
      leading = 0;
      return lead != 0 ? ERROR : FINISHED;
    }
    if (lead != 0) { // 3
      leading = 0;
      int offset = item < 0x7F ? 0x40 : 0x62;
      if (inRange(item, 0x40, 0x7E) || inRange(item, 0xA1, 0xFE)) {
        int pointer = (lead - 0x81) * 157 + item - offset;
        switch (pointer) {
          case 1133:
            output.push(0x00CA);
            return 0x0304;
          case 1135:
            output.push(0x00CA);
            return 0x030C;
          case 1164:
            output.push(0x00EA);
            return 0x0304;
          case 1166:
            output.push(0x00EA);
            return 0x030C;
          default:
            break;
        }
        if (index[pointer] >= 0) {
          return index[pointer];
        }
      }
      if (isAscii(item)) {
        queue.restore(item);
      }
      return ERROR;
    }
    if (isAscii(item)) { // 4
      return item;
    }
    if (inRange(item, 0x81, 0xFE)) { // 5
      leading = item;
      return CONTINUE;
    }
    return ERROR; // 6
  }
}
