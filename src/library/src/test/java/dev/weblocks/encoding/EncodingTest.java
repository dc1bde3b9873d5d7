package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and labels of encodings. */
class EncodingTest {

  @Test
  void there_are_40_encodings_with_228_labels() {
    assertEquals(40, Encoding.values().length);
    assertEquals(
        228,
        Stream.of(Encoding.values()).flatMap(each -> each.labels().stream()).distinct().count());
  }

  @Test
  void every_label_and_name_leads_to_its_encoding() {
    for (Encoding encoding : Encoding.values()) {
      encoding.labels().forEach(label -> assertEquals(encoding, Encoding.get(label)));
      assertEquals(encoding, Encoding.get(encoding.standardName()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "latin1, windows-1252",
    "ascii, windows-1252",
    "utf-16, UTF-16LE",
    "unicodefffe, UTF-16BE",
    "ISO_8859-9:1989, windows-1254",
    "gb2312, GBK",
    "x-x-big5, Big5",
    "MS_Kanji, Shift_JIS",
    "ks_c_5601-1987, EUC-KR",
    "hz-gb-2312, replacement",
    "visual, ISO-8859-8",
    "logical, ISO-8859-8-I",
    "TIS-620, windows-874",
    "x-mac-ukrainian, x-mac-cyrillic",
  })
  void legacy_labels_have_the_encoding_that_the_web_expects(String label, String name) {
    assertEquals(name, nameOf(label));
  }

  private static String nameOf(String label) {
    Encoding encoding = Encoding.get(label);
    return encoding == null ? "none" : encoding.standardName();
  }

  @ParameterizedTest
  @ValueSource(strings = {" utf-8", "utf-8\t", "\r\nUTF-8\f ", "Utf8"})
  void ascii_whitespace_and_case_do_not_matter(String label) {
    assertEquals(Encoding.UTF_8, Encoding.get(label));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "utf-7",
        "utf-32",
        "utf-8\0",
        "\u00A0utf-8",
        "utf-8\u000B",
        "utf 8",
        "\u212Aoi8-r",
        "\uD800utf-8",
        "windows-1252,utf-8"
      })
  void unknown_label_has_no_encoding(String label) {
    assertNull(Encoding.get(label));
  }
}
