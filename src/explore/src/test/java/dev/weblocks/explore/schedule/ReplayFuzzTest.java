package dev.weblocks.explore.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A replay string, or its bytes before the checksum. Any text is parsed or rejected with a {@link
 * ReplayException}; a parsed one has the same text again.
 */
class ReplayFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    check(text(input), true);
    CRC32 crc = new CRC32();
    crc.update(input);
    byte[] bytes =
        ByteBuffer.allocate(input.length + 4).put(input).putInt((int) crc.getValue()).array();
    // a number may have more bytes than it needs, so the text need not be the same
    check("w1-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), false);
  }

  private static void check(String text, boolean shortest) {
    Replay replay;
    try {
      replay = Replay.parse(text);
    } catch (ReplayException documented) {
      return;
    }
    if (shortest) {
      assertEquals(text, replay.text());
    }
    assertEquals(replay, Replay.parse(replay.text()));
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("w1-", "A", ""),
        new Shape("w", "1", "-"),
        new Shape("w", "1", ""),
        new Shape("\0\0\u0001\u007f\0\0", "\u0001", ""));
  }
}
