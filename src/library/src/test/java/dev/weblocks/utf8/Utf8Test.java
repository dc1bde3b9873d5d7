package dev.weblocks.utf8;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "EFBBBF, \ufeff",
    "68 C3A9 F09F9880, h\u00e9\ud83d\ude00",
    "FF, \ufffd",
    "EFBFBD, \ufffd",
    "61 C0 80 62, a\ufffd\ufffdb",
    "E0 80 80, \ufffd\ufffd\ufffd",
    "E2 82 61, \ufffda",
    "E2 82 E2 82 AC, \ufffd\u20ac",
    "F0 9F 98, \ufffd",
    "F0 9F 98 78, \ufffdx",
    "EDA080, \ufffd\ufffd\ufffd",
    "61 EDBFBF 62 EDA0, a\ufffd\ufffd\ufffdb\ufffd\ufffd",
    "ED9FBF EE8080, \ud7ff\ue000",
    "F4908080, \ufffd\ufffd\ufffd\ufffd",
    "F4 8F BF BF F5, \udbff\udfff\ufffd",
  })
  void each_error_is_one_replacement_character(String hex, String expected) {
    assertEquals(expected, Utf8.decodeWithoutBom(bytes(hex)));
    assertEquals(expected, Utf8.decode(bytes("EFBBBF" + hex)), "behind a byte order mark");
  }

  @ParameterizedTest
  @CsvSource({"EFBBBF, ''", "EFBBBF 61, a", "EFBBBF EFBBBF 61, \ufeffa", "EFBB, \ufffd"})
  void one_byte_order_mark_is_left_out(String hex, String expected) {
    assertEquals(expected, Utf8.decode(bytes(hex)));
  }

  @ParameterizedTest
  @CsvSource({
    "a\u00e9\u20ac\ud83d\ude00, 61 C3A9 E282AC F09F9880",
    "\ud83d, EFBFBD",
    "\ude00\ud83d, EFBFBD EFBFBD",
    "a\ud83d\ud83d\ude00\ude00b, 61 EFBFBD F09F9880 EFBFBD 62",
  })
  void half_a_surrogate_pair_is_encoded_as_a_replacement_character(String text, String expected) {
    assertArrayEquals(bytes(expected), Utf8.encode(text));
  }

  /** Our decoder for malformed bytes agrees with the JDK's decoder on valid text. */
  @Test
  void text_is_unchanged_after_encoding_and_decoding() {
    SplittableRandom random = new SplittableRandom(11);
    int[] limits = {0x80, 0x800, 0x10000, 0x110000};
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int size = random.nextInt(20); size > 0; size--) {
        int codePoint = random.nextInt(limits[random.nextInt(limits.length)]);
        text.appendCodePoint(codePoint >= 0xD800 && codePoint <= 0xDFFF ? 0xFFFD : codePoint);
      }
      byte[] encoded = text.toString().getBytes(StandardCharsets.UTF_8);
      assertArrayEquals(encoded, Utf8.encode(text.toString()));
      assertEquals(text.toString(), Utf8.decodeWithoutBom(encoded));
      byte[] malformed = new byte[encoded.length + 1];
      System.arraycopy(encoded, 0, malformed, 1, encoded.length);
      malformed[0] = (byte) 0xFF;
      assertEquals("\ufffd" + text, Utf8.decodeWithoutBom(malformed));
    }
  }
}
