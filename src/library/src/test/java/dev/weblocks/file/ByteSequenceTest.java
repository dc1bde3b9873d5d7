package dev.weblocks.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSequenceTest {

  private static ByteSequence ascii(String text) {
    return ByteSequence.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String text(ByteSequence bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.US_ASCII);
  }

  /** Random concatenations and slices, compared with arrays that are copied each time. */
  @Test
  void concatenations_and_slices_equal_copied_arrays() {
    SplittableRandom random = new SplittableRandom(7);
    List<ByteSequence> sequences = new ArrayList<>();
    List<byte[]> copies = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      ByteSequence made;
      byte[] copy;
      int choice = sequences.isEmpty() ? 0 : random.nextInt(3);
      if (choice == 0) {
        copy = new byte[random.nextInt(9)];
        random.nextBytes(copy);
        made = ByteSequence.of(copy.clone());
      } else if (choice == 1) {
        List<ByteSequence> parts = new ArrayList<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int count = random.nextInt(5); count > 0; count--) {
          int part = random.nextInt(sequences.size());
          parts.add(sequences.get(part));
          all.writeBytes(copies.get(part));
        }
        made = ByteSequence.concatenate(parts);
        copy = all.toByteArray();
      } else {
        int of = random.nextInt(sequences.size());
        int from = random.nextInt(copies.get(of).length + 1);
        int to = from + random.nextInt(copies.get(of).length - from + 1);
        made = sequences.get(of).slice(from, to);
        copy = Arrays.copyOfRange(copies.get(of), from, to);
      }
      assertEquals(copy.length, made.size());
      assertArrayEquals(copy, made.toByteArray());
      if (copy.length < 2_000) {
        sequences.add(made);
        copies.add(copy);
      }
    }
  }

  @Test
  void doubling_fifty_times_copies_no_bytes() {
    ByteSequence bytes = ascii("abcd");
    for (int i = 0; i < 50; i++) {
      bytes = ByteSequence.concatenate(List.of(bytes, bytes));
    }
    assertEquals(4L << 50, bytes.size());
    assertEquals("cdabcda", text(bytes.slice((1L << 51) - 2, (1L << 51) + 5)));
    assertEquals("d", text(bytes.slice(bytes.size() - 1, bytes.size())));
  }

  @Test
  void chain_of_any_depth_is_read_without_a_stack_overflow() {
    ByteSequence left = ascii("");
    ByteSequence right = ascii("");
    for (int i = 0; i < 100_000; i++) {
      left = ByteSequence.concatenate(List.of(left, ascii("a")));
      right = ByteSequence.concatenate(List.of(ascii("b"), right));
    }
    assertEquals("a".repeat(100_000), text(left));
    assertEquals("b".repeat(100_000), text(right));
    assertEquals("aaa", text(left.slice(0, 3)));
  }

  @Test
  void slicing_all_or_concatenating_one_sequence_returns_the_same_sequence() {
    ByteSequence bytes = ascii("abc");
    assertEquals(bytes, bytes.slice(0, 3));
    assertEquals(bytes, ByteSequence.concatenate(List.of(ByteSequence.empty(), bytes)));
    ByteSequence two = ByteSequence.concatenate(List.of(bytes, ascii("d")));
    assertEquals(bytes, two.slice(0, 3), "the slice keeps the rest alive");
  }

  @Test
  void slice_out_of_bounds_is_refused() {
    assertThrows(IndexOutOfBoundsException.class, () -> ascii("abc").slice(2, 4));
    assertThrows(IndexOutOfBoundsException.class, () -> ascii("abc").slice(2, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> ascii("abc").slice(-1, 1));
  }

  @Test
  void length_is_at_most_the_maximal_safe_integer() {
    ByteSequence bytes = ascii("x");
    for (int i = 0; i < 52; i++) {
      bytes = ByteSequence.concatenate(List.of(bytes, bytes));
    }
    ByteSequence half = bytes;
    assertThrows(
        IllegalArgumentException.class, () -> ByteSequence.concatenate(List.of(half, half)));
    ByteSequence most = ByteSequence.concatenate(List.of(half, half.slice(1, half.size())));
    assertEquals(ByteSequence.MAX_SIZE, most.size());
    assertThrows(OutOfMemoryError.class, most::toByteArray);
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "68 C3A9 F09F9880 | h\u00e9\ud83d\ude00",
        "EFBBBF 61 | a",
        "EFBBBF EFBBBF | \ufeff",
        "EFBB | \ufffd",
        "61 C0 80 62 | a\ufffd\ufffdb",
        "E0 80 80 | \ufffd\ufffd\ufffd",
        "E282 61 | \ufffda",
        "F09F98 | \ufffd",
        "EDA080 | \ufffd\ufffd\ufffd",
        "61 EDBFBF 62 EDA0 | a\ufffd\ufffd\ufffdb\ufffd\ufffd",
        "ED9FBF EE8080 | \ud7ff\ue000",
        "EFBBBF ED EDA0 | \ufffd\ufffd\ufffd",
        "F4908080 | \ufffd\ufffd\ufffd\ufffd",
      },
      delimiter = '|')
  void text_is_decoded_as_the_encoding_standard_says(String bytes, String expected) {
    byte[] given = HexFormat.of().parseHex(bytes.replace(" ", ""));
    assertEquals(expected, ByteSequence.of(given).utf8Decode());
  }
}
