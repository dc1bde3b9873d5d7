package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Encoded bytes of texts. */
class EncoderTest {

  private static final Indexes INDEXES = new Indexes(Charset::forName);

  private static byte[] encode(Encoding encoding, String text, List<Integer> errors) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    encoding.newEncoder(INDEXES).encode(text, bytes::write, errors::add);
    return bytes.toByteArray();
  }

  private static String decode(Encoding encoding, byte[] bytes) {
    ByteQueue queue = new ByteQueue();
    queue.push(bytes);
    CharQueue output = new CharQueue(8);
    encoding.newDecoder(INDEXES).process(queue, output, true, false);
    return output.text(0);
  }

  static Stream<Encoding> legacyEncodings() {
    return Stream.of(Encoding.values())
        .filter(each -> !each.hasByteOrderMark() && each != Encoding.REPLACEMENT);
  }

  /** Returns the code points that an encoder changes on purpose, as the standard does. */
  private static boolean isChanged(Encoding encoding, int codePoint) {
    return switch (encoding) {
      case EUC_JP, SHIFT_JIS -> codePoint == 0xA5 || codePoint == 0x203E || codePoint == 0x2212;
      case ISO_2022_JP -> codePoint == 0x2212 || codePoint >= 0xFF61 && codePoint <= 0xFF9F;
      case GBK, GB18030 -> codePoint >= 0xE78D && codePoint <= 0xE864;
      default -> false;
    };
  }

  @ParameterizedTest
  @MethodSource("legacyEncodings")
  void encoded_code_points_decode_to_themselves(Encoding encoding) {
    int encoded = 0;
    for (int codePoint = 0; codePoint < 0x30000; codePoint++) {
      List<Integer> errors = new ArrayList<>();
      boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
      if (surrogate || isChanged(encoding, codePoint)) {
        continue;
      }
      String text = Character.toString(codePoint);
      byte[] bytes = encode(encoding, text, errors);
      if (errors.isEmpty()) {
        encoded++;
        assertEquals(text, decode(encoding, bytes), () -> "U+%04X".formatted((int) text.charAt(0)));
      } else {
        assertEquals(0, bytes.length);
      }
    }
    assertTrue(encoded > 160, "only " + encoded);
  }

  @ParameterizedTest
  @CsvSource({
    "SHIFT_JIS, 00A5 203E 2212, 5c7e817c",
    "EUC_JP, 00A5 203E FF61 2212, 5c7e8ea1a1dd",
    "ISO_2022_JP, 0041 00A5 005C FF61, 411b284a5c1b28425c1b244221231b2842",
    "GBK, 20AC E78D, 80a6d9",
    "GB18030, E7C7 1F4A9, 8135f4379439da33",
    "BIG5, 2550, f9f9",
    "ISO_8859_8_I, 05D0, e0"
  })
  void special_code_points_have_the_bytes_of_the_standard(
      Encoding encoding, String codePoints, String hex) {
    StringBuilder text = new StringBuilder();
    for (String each : codePoints.split(" ")) {
      text.appendCodePoint(Integer.parseInt(each, 16));
    }
    List<Integer> errors = new ArrayList<>();
    assertEquals(hex, HexFormat.of().formatHex(encode(encoding, text.toString(), errors)));
    assertEquals(List.of(), errors);
  }

  @Test
  void lone_surrogates_are_errors_and_states_end_in_ascii() {
    List<Integer> errors = new ArrayList<>();
    byte[] bytes = encode(Encoding.ISO_2022_JP, "\u3042\uD800", errors);
    assertEquals("1b244224221b2842", HexFormat.of().formatHex(bytes));
    assertEquals(List.of(0xFFFD), errors);
  }
}
