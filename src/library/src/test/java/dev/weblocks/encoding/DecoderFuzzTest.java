package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.FuzzTarget;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A byte that selects an encoding, a byte that gives the size of chunks, and text. Nothing throws,
 * and the chunks decode to the same text as the whole.
 */
class DecoderFuzzTest extends FuzzTarget {

  private static final Encoding[] ENCODINGS = Encoding.values();
  private final Indexes indexes = new Indexes(Charset::forName);

  @Override
  protected void accept(byte[] input) {
    Encoding.get(text(input));
    if (input.length < 2) {
      return;
    }
    Encoding encoding = ENCODINGS[(input[0] & 0xFF) % ENCODINGS.length];
    byte[] bytes = Arrays.copyOfRange(input, 2, input.length);
    int size = (input[1] & 0xFF) + 1;
    String whole = decode(encoding, bytes, Math.max(1, bytes.length));
    assertEquals(whole, decode(encoding, bytes, size), encoding.standardName());
  }

  private String decode(Encoding encoding, byte[] bytes, int size) {
    Decoder decoder = encoding.newDecoder(indexes);
    ByteQueue queue = new ByteQueue();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i += size) {
      queue.push(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + size)));
      CharQueue output = new CharQueue(0);
      decoder.process(queue, output, false, false);
      text.append(output.text(0));
    }
    CharQueue output = new CharQueue(0);
    decoder.process(queue, output, true, false);
    return text.append(output.text(0)).toString();
  }

  @Override
  protected List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < ENCODINGS.length; i++) {
      Encoding encoding = ENCODINGS[i];
      if (encoding.labels().size() < 20 && i % 8 == 0) {
        shapes.add(new Shape((char) i + "\u007f", "\u00e4", ""));
        shapes.add(new Shape((char) i + "\0", "\u001b$", ""));
      }
    }
    return shapes;
  }
}
