package dev.weblocks.encoding;

import dev.weblocks.binding.Resources;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the indexes and their inverses, made lazily and cached. A table has a code point
 * for each pointer, -1 for none, and must not be modified. Thread-safe.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#indexes">Encoding Standard</a>
 */
final class Indexes {

  private final Map<String, int[]> tables = new ConcurrentHashMap<>();
  private final Map<Encoding, Pointers> inverses = new ConcurrentHashMap<>();
  private volatile @Nullable Pointers ranges;

  /** The text of each index in {@code indexes.txt}; null until the file is read. */
  private volatile @Nullable Map<String, String> texts;

  private final Charsets charsets;

  @FunctionalInterface
  interface Charsets {
    /**
     * Returns the charset with the given name.
     *
     * @throws UnsupportedCharsetException if there is none
     */
    Charset forName(String name);
  }

  Indexes(Charsets charsets) {
    this.charsets = charsets;
  }

  /**
   * Returns the table of an index.
   *
   * @throws IndexUnavailableException if the charset is missing or differs from the index
   */
  int[] get(Index index) {
    return tables.computeIfAbsent(index.standardName, name -> make(index));
  }

  /** Returns the table of a single-byte encoding, for bytes 0x80 to 0xFF. */
  int[] singleByte(Encoding encoding) {
    return tables.computeIfAbsent(
        encoding.standardName().toLowerCase(Locale.ROOT),
        name -> {
          int[] table = new int[128];
          Arrays.fill(table, -1);
          apply(name, table);
          return table;
        });
  }

  /**
   * Returns the pointers for the encoder of a legacy encoding.
   *
   * @throws IndexUnavailableException if the charset is missing or differs from the index
   */
  Pointers inverse(Encoding encoding) {
    return inverses.computeIfAbsent(
        encoding,
        each ->
            switch (each) {
              case GBK, GB18030 -> inverse(Index.GB18030, pointer -> true);
              case EUC_KR -> inverse(Index.EUC_KR, pointer -> true);
              case EUC_JP, ISO_2022_JP -> inverse(Index.JIS0208, pointer -> true);
              // https://encoding.spec.whatwg.org/#index-shift_jis-pointer
              case SHIFT_JIS -> inverse(Index.JIS0208, pointer -> pointer < 8272 || pointer > 8835);
              // https://encoding.spec.whatwg.org/#index-big5-pointer
              case BIG5 ->
                  new Pointers(
                      get(Index.BIG5),
                      pointer -> pointer >= (0xA1 - 0x81) * 157,
                      Set.of(0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345)::contains);
              default -> new Pointers(singleByte(each), pointer -> true, codePoint -> false);
            });
  }

  private Pointers inverse(Index index, IntPredicate isUsed) {
    return new Pointers(get(index), isUsed, codePoint -> false);
  }

  /** Returns the pointers of index gb18030 ranges, for the Basic Multilingual Plane. */
  Pointers inverseRanges() {
    Pointers known = ranges;
    if (known == null) {
      known = inverse(Index.GB18030_RANGES, pointer -> true);
      ranges = known;
    }
    return known;
  }

  private int[] make(Index index) {
    int[] table = decoded(index);
    apply(index.standardName, table);
    ByteBuffer bytes = ByteBuffer.allocate(table.length * Integer.BYTES);
    bytes.asIntBuffer().put(table);
    CRC32 sum = new CRC32();
    sum.update(bytes);
    if (sum.getValue() != index.checksum) {
      throw new IndexUnavailableException(
          ("the charset %s of this Java runtime differs from index %s; use"
                  + " OpenJDK 21 or newer")
              .formatted(index.charset, index.standardName));
    }
    return table;
  }

  private int[] decoded(Index index) {
    CharsetDecoder decoder;
    try {
      decoder = charsets.forName(index.charset).newDecoder();
    } catch (IllegalCharsetNameException | UnsupportedCharsetException missing) {
      throw new IndexUnavailableException(
          ("this Java runtime lacks the charset %s, which is the source of index %s; add"
                  + " the module jdk.charsets")
              .formatted(index.charset, index.standardName));
    }
    decoder
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    int[] table = new int[index.size];
    byte[] bytes = new byte[4];
    char[] chars = new char[4];
    for (int pointer = 0; pointer < table.length; pointer++) {
      CharBuffer out = CharBuffer.wrap(chars);
      int count = index.bytes(pointer, bytes);
      CoderResult result = decoder.reset().decode(ByteBuffer.wrap(bytes, 0, count), out, true);
      int units = out.position();
      boolean one =
          result.isUnderflow() && units > 0 && Character.codePointCount(chars, 0, units) == 1;
      int codePoint = one ? Character.codePointAt(chars, 0, units) : -1;
      table[pointer] = codePoint == 0xFFFD ? -1 : codePoint;
    }
    return table;
  }

  /** Copies the entries that {@code indexes.txt} has for an index into a table. */
  private void apply(String name, int[] table) {
    String text = texts().get(name);
    if (text == null) {
      throw new IllegalStateException("indexes.txt has no index '" + name + "'");
    }
    int pointer = 0;
    for (String token : text.trim().split("\\s+")) {
      if (token.startsWith("@")) {
        pointer = Integer.parseInt(token.substring(1));
      } else if (token.startsWith("-")) {
        int count = token.length() == 1 ? 1 : Integer.parseInt(token.substring(2));
        Arrays.fill(table, pointer, pointer + count, -1);
        pointer += count;
      } else if (!token.isEmpty()) {
        int dash = token.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? token : token.substring(0, dash), 16);
        int last = dash < 0 ? first : Integer.parseInt(token.substring(dash + 1), 16);
        for (int codePoint = first; codePoint <= last; codePoint++) {
          table[pointer++] = codePoint;
        }
      }
    }
  }

  private Map<String, String> texts() {
    Map<String, String> known = texts;
    if (known == null) {
      known = new HashMap<>();
      String name = "";
      for (String line : Resources.text(Indexes.class, "indexes.txt").split("\n")) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        if (!line.startsWith(" ")) {
          int end = line.indexOf(' ');
          name = end < 0 ? line : line.substring(0, end);
          line = end < 0 ? "" : line.substring(end);
        }
        known.merge(name, line, String::concat);
      }
      texts = known;
    }
    return known;
  }
}
