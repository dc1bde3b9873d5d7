package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Decoded text of bytes, in any chunks. In expected texts, {@code ?} is U+FFFD. */
class DecoderTest {

  private static final Indexes INDEXES = new Indexes(Charset::forName);

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /** Decodes chunks as one stream, flushing after the last. */
  private static String decode(Encoding encoding, byte[]... chunks) {
    Decoder decoder = encoding.newDecoder(INDEXES);
    ByteQueue queue = new ByteQueue();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < chunks.length; i++) {
      queue.push(chunks[i].clone());
      CharQueue output = new CharQueue(0);
      decoder.process(queue, output, i == chunks.length - 1, false);
      text.append(output.text(0));
    }
    return text.toString();
  }

  /** Returns the code points in hexadecimal, {@code ?} for U+FFFD. */
  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(each -> shown.append(each == 0xFFFD ? "?" : "%04X".formatted(each)).append(' '));
    return shown.toString().trim();
  }

  private static void assertDecodes(Encoding encoding, String hex, String expected) {
    byte[] all = bytes(hex);
    String codePoints = expected == null ? "" : expected;
    assertEquals(codePoints, shown(decode(encoding, all)), "in one chunk");
    for (int i = 0; i <= all.length; i++) {
      byte[] head = Arrays.copyOf(all, i);
      byte[] tail = Arrays.copyOfRange(all, i, all.length);
      assertEquals(codePoints, shown(decode(encoding, head, tail)), "cut before byte " + i);
      assertEquals(
          codePoints, shown(decode(encoding, head, tail, new byte[0])), "and an empty chunk");
    }
    byte[][] single = new byte[all.length + 1][0];
    for (int i = 0; i < all.length; i++) {
      single[i] = new byte[] {all[i]};
    }
    assertEquals(codePoints, shown(decode(encoding, single)), "byte by byte");
    ByteQueue queue = new ByteQueue();
    queue.push(all);
    boolean valid = encoding.newDecoder(INDEXES).process(queue, new CharQueue(0), true, true);
    assertEquals(!codePoints.contains("?"), valid, "fatal");
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "41 C3A9 E282AC F09F9880 42, 0041 00E9 20AC 1F600 0042",
    "00 7F C280 DFBF E0A080 EFBFBF F0908080 F48FBFBF,"
        + " 0000 007F 0080 07FF 0800 FFFF 10000 10FFFF",
    "ED9FBF EE8080, D7FF E000",
    // each byte that cannot begin a sequence
    "80 BF C0 C1 F5 FF 41, ? ? ? ? ? ? 0041",
    // the longest beginning of a sequence is one error
    "E2 82 41, ? 0041",
    "F09F98 41, ? 0041",
    "F0 9F 98, ?",
    "E282, ?",
    "C3, ?",
    "C3 C3A9, ? 00E9",
    "F09F F09F9880, ? 1F600",
    // overlong forms, surrogates and values out of range: an error for each byte
    "C080, ? ?",
    "E08080, ? ? ?",
    "E09FBF, ? ? ?",
    "EDA080, ? ? ?",
    "EDBFBF 41, ? ? ? 0041",
    "F08080 80, ? ? ? ?",
    "F4908080, ? ? ? ?",
    "F888808080, ? ? ? ? ?",
    // the byte limits of one sequence do not apply to the next
    "E0A080 E18080, 0800 1000",
    "ED8080 EEBFBF, D000 EFFF",
    "F0 41 F1808080, ? 0041 40000",
    "E0 41 C280 E18080, ? 0041 0080 1000",
    "EFBBBF 41, FEFF 0041",
  })
  void utf_8(String hex, String expected) {
    assertDecodes(Encoding.UTF_8, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "4100 AC20 3DD8 00DE, 0041 20AC 1F600",
    "FFFE 4100, FEFF 0041",
    "41, ?",
    "3DD8, ?",
    "3DD8 00, ?",
    "3DD8 4100, ? 0041",
    "3DD8 3DD8 00DE, ? 1F600",
    "00DE 4100, ? 0041",
    "00DE 3DD8, ? ?",
    "FFFF FEFF, FFFF FFFE",
  })
  void utf_16le(String hex, String expected) {
    assertDecodes(Encoding.UTF_16LE, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0041 20AC D83D DE00, 0041 20AC 1F600",
    "D83D 0041, ? 0041",
    "D83D D83D DE00, ? 1F600",
    "DE00 0041 00, ? 0041 ?",
  })
  void utf_16be(String hex, String expected) {
    assertDecodes(Encoding.UTF_16BE, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "WINDOWS_1252, 00 7F 80 81 8D 8F 90 9D FF, 0000 007F 20AC 0081 008D 008F 0090 009D 00FF",
    "WINDOWS_1253, 80 88 AA D2 41 FF, 20AC 0088 ? ? 0041 ?",
    "WINDOWS_1255, CA D9 FB FD, 05BA ? ? 200E",
    "WINDOWS_1257, A1 A5, ? ?",
    "WINDOWS_874, 80 81 DB A1 FB, 20AC 0081 ? 0E01 0E5B",
    "ISO_8859_6, A1 A4 C1, ? 00A4 0621",
    "ISO_8859_8, E0 FD, 05D0 200E",
    "ISO_8859_8_I, E0 FD FF, 05D0 200E ?",
    "ISO_8859_10, A1 BD FF, 0104 2015 0138",
    "ISO_8859_14, A1 FE FF, 1E02 0177 00FF",
    "KOI8_R, A3 C0, 0451 044E",
    "KOI8_U, AE BE, 045E 040E",
    "MACINTOSH, 80 DB F0, 00C4 20AC F8FF",
    "X_MAC_CYRILLIC, A2 B6 FF, 0490 0491 20AC",
    "IBM866, 80 F0, 0410 0401",
    "X_USER_DEFINED, 41 80 FF, 0041 F780 F7FF",
  })
  void single_byte(Encoding encoding, String hex, String expected) {
    assertDecodes(encoding, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 80 C4E3, 0041 20AC 4F60",
    "81308130 8130 8130, 0080 0080",
    "90308130 E3329A35, 10000 10FFFF",
    "8135F437 8135F438, E7C7 1E40",
    // the revision of 2022, and mappings that it kept
    "A6D9 A6F3 FE59 FEA0, FE10 FE19 9FB4 9FBB",
    "A8BC A3A0 A989, 1E3F 3000 303E",
    "84318236 8431A439 8431A436, FE10 FFFF FFFC",
    // four bytes without a mapping
    "8431A530 41, ? 0041",
    "E3329A36 41, ? 0041",
    "8F39FE39, ?",
    // an ASCII byte after a broken lead byte is not swallowed
    "81 41, 4E04",
    "81 20, ? 0020",
    "81 7F 41, ? 007F 0041",
    "81FF 41, ? 0041",
    "FF 41, ? 0041",
    "8130 41, ? 0030 0041",
    "8130 30, ? 0030 0030",
    "813081 41, ? 0030 4E04",
    "813081 20, ? 0030 ? 0020",
    "81308181 30, ? 0030 4E96 0030",
    "81, ?",
    "8130, ?",
    "813081, ?",
    "8130813041, 0080 0041",
  })
  void gb18030(String hex, String expected) {
    assertDecodes(Encoding.GB18030, hex, expected);
    assertDecodes(Encoding.GBK, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 A440 A7DA, 0041 4E00 6211",
    // two code points
    "8862 8864 88A3 88A5 41, 00CA 0304 00CA 030C 00EA 0304 00EA 030C 0041",
    // Hong Kong's supplement
    "8840 8BF8 FA40 FEFE, 31C0 F907 20547 79D4",
    "A145 A14E A15A A1C3 A1FE A2CC, 2027 FE51 2574 FFE3 FF0F 5341",
    "C6A1 C7F2 C87E F9FE, 2460 30F6 4491 FFED",
    "80 41, ? 0041",
    "FF, ?",
    "8140 41, ? 0040 0041",
    "A4 41, 4E59",
    "A4 20, ? 0020",
    "C8FF 41, ? 0041",
    "A480 41, ? 0041",
    "A4, ?",
    "A4 A4 41, 4E2D 0041",
  })
  void big5(String hex, String expected) {
    assertDecodes(Encoding.BIG5, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 A4A2 B4C1, 0041 3042 6F22",
    "8EB1 8EDF, FF71 FF9F",
    "8FB0A1 8FEDE3, 4E02 9FA5",
    // mappings as in Windows
    "A1BD A1C1 A1C2 A1DD ADA1 FCFE, 2015 FF5E 2225 FF0D 2460 FF02",
    "8E 41, ? 0041",
    "8EE0 41, ? 0041",
    "8F 41, ? 0041",
    "8FA1A1 41, ? 0041",
    "8FA1 41, ? 0041",
    "8FA1 A4A2, ? ?",
    "8FB0 41 A4A2, ? 0041 3042",
    "A4 41, ? 0041",
    "A4FF 41, ? 0041",
    "A4, ?",
    "8F, ?",
    "8FB0, ?",
    "80 A0 FF, ? ? ?",
  })
  void euc_jp(String hex, String expected) {
    assertDecodes(Encoding.EUC_JP, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 1B2442 2422 1B2842 42, 0041 3042 0042",
    "1B2440 2422, 3042",
    "1B284A 5C 7E 41, 00A5 203E 0041",
    "1B2849 21 5F 60, FF61 FF9F ?",
    // an escape sequence right after another is an error, unless a character is between them
    "1B2842 1B284A, ?",
    "1B2842 41 1B284A, 0041",
    "0E 0F 80 41, ? ? ? 0041",
    "1B284A 0E 5C, ? 00A5",
    // not an escape sequence
    "1B 41, ? 0041",
    "1B24 41, ? 0024 0041",
    "1B2842 1B2850, ? 0028 0050",
    "1B1B2842 41, ? 0041",
    "1B, ?",
    "1B24, ? 0024",
    "1B2442 1B24, ? ?",
    // truncated within a character
    "1B2442 24, ?",
    "1B2442 24 1B2842 41, ? 0041",
    "1B2442 2420 2422, ? 3042",
    "1B2442 2920 41, ? ?",
    "1B2442 7E7E, ?",
    "1B2442 80 2422, ? 3042",
  })
  void iso_2022_jp(String hex, String expected) {
    assertDecodes(Encoding.ISO_2022_JP, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 5C 7E 80 82A0 B1 DF, 0041 005C 007E 0080 3042 FF71 FF9F",
    "815C 8160 8161 817C 8740 FA54, 2015 FF5E 2225 FF0D 2460 FFE2",
    // end-user defined characters
    "F040 F9FC, E000 E757",
    "FC4B FC4C 41, 9ED1 ? 004C 0041",
    "82 41 , ? 0041",
    "82FF 41, ? 0041",
    "827F 41, ? 007F 0041",
    "82, ?",
    "A0 FD FE FF 41, ? ? ? ? 0041",
    "8282A0 41, FF42 ? 0041",
  })
  void shift_jis(String hex, String expected) {
    assertDecodes(Encoding.SHIFT_JIS, hex, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "41 B0A1 C8FE, 0041 AC00 D79D",
    "8141 C652 FDFE, AC02 D7A3 8A70",
    "A2E6 A2E7 A2E8, 20AC 00AE ?",
    "C9A1 41, ? 0041",
    "B0 40 41, ? 0040 0041",
    "C653 41, ? 0053 0041",
    "B0FF 41, ? 0041",
    "B0, ?",
    "80 FF 41, ? ? 0041",
  })
  void euc_kr(String hex, String expected) {
    assertDecodes(Encoding.EUC_KR, hex, expected);
  }

  @Test
  void replacement_encoding_yields_one_error_for_any_nonempty_input() {
    assertEquals("?", shown(decode(Encoding.REPLACEMENT, bytes("41 42 43"))));
    assertEquals("", shown(decode(Encoding.REPLACEMENT, new byte[0])));
  }

  @Test
  void all_scalar_values_are_decoded_from_utf_8_and_utf_16() {
    StringBuilder all = new StringBuilder();
    for (int each = 0; each <= 0x10FFFF; each++) {
      if (each < 0xD800 || each > 0xDFFF) {
        all.appendCodePoint(each);
      }
    }
    String text = all.toString();
    assertEquals(text, decode(Encoding.UTF_8, text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(text, decode(Encoding.UTF_16LE, text.getBytes(StandardCharsets.UTF_16LE)));
    assertEquals(text, decode(Encoding.UTF_16BE, text.getBytes(StandardCharsets.UTF_16BE)));
  }

  @ParameterizedTest
  @EnumSource(Encoding.class)
  void random_bytes_decode_the_same_in_chunks_of_any_size(Encoding encoding) {
    SplittableRandom random = new SplittableRandom(encoding.ordinal());
    int[] telling = {0x1B, 0x24, 0x28, 0x42, 0x4A, 0x49, 0x30, 0x41, 0x81, 0x8E, 0x8F, 0xA1, 0xE0};
    for (int round = 0; round < 200; round++) {
      byte[] all = new byte[random.nextInt(2, 12)];
      for (int i = 0; i < all.length; i++) {
        all[i] =
            (byte)
                (random.nextBoolean()
                    ? telling[random.nextInt(telling.length)]
                    : random.nextInt(256));
      }
      String whole = decode(encoding, all);
      for (int i = 0; i <= all.length; i++) {
        assertEquals(
            whole,
            decode(encoding, Arrays.copyOf(all, i), Arrays.copyOfRange(all, i, all.length)),
            () -> HexFormat.of().formatHex(all));
      }
    }
  }

  @Test
  void after_a_fatal_error_the_rest_stays_in_the_queue() {
    ByteQueue queue = new ByteQueue();
    queue.push(bytes("41 FF 42"));
    Decoder decoder = Encoding.UTF_8.newDecoder(INDEXES);
    assertFalse(decoder.process(queue, new CharQueue(0), false, true));
    assertEquals(1, queue.size());
    assertEquals(0x42, queue.read());
  }

  @Test
  void restored_bytes_are_read_before_bytes_pushed_later() {
    ByteQueue queue = new ByteQueue();
    queue.push(bytes("01"));
    queue.read();
    queue.push(bytes("02 03"));
    queue.read();
    queue.restore(1, 2);
    queue.push(bytes("04"));
    int[] read = new int[5];
    Arrays.setAll(read, i -> queue.read());
    assertArrayEquals(new int[] {1, 2, 3, 4, ByteQueue.END_OF_QUEUE}, read);
  }
}
