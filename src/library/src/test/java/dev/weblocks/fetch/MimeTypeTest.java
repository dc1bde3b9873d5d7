package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MimeTypeTest {

  @ParameterizedTest
  @CsvSource(
      value = {
        "text/plain | text/plain",
        "' \tText/HTML \r\n' | text/html",
        "text/html ; Charset=UTF-8 | text/html;charset=UTF-8",
        "a/b;x=1;X=2 | a/b;x=1",
        "a/b;x=\"y z\" ignored;w=v | a/b;x=\"y z\";w=v",
        "a/b;x=\"q\\\"\\\\\" | a/b;x=\"q\\\"\\\\\"",
        "a/b;x=\"open | a/b;x=open",
        "a/b;x=\"\" | a/b;x=\"\"",
        "a/b;x=;y=1 | a/b;y=1",
        "a/b;x;y=1 | a/b;y=1",
        "a/b;x | a/b",
        "a/b;x= | a/b",
        "a/b;;; y=1;  | a/b;y=1",
        "a/b;(=1;y=\u0100;z=\u00ff | a/b;z=\"\u00ff\"",
        "a/b;\u212a=1;y=1 | a/b;y=1", // the Kelvin sign, whose lower case is k
      },
      delimiter = '|',
      quoteCharacter = '\'')
  void parsed_type_is_serialized_in_its_normal_form(String input, String expected) {
    MimeType type = MimeType.parse(input);
    assertEquals(expected, type == null ? null : type.serialize());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "text", "/", "text/", "/plain", "te xt/a", "text/ plain", "a/b/c", "a/\u00e9"})
  void invalid_mime_type_is_not_parsed(String input) {
    assertNull(MimeType.parse(input));
  }

  private static String extracted(String... values) {
    HeaderList headers = new HeaderList();
    for (String value : List.of(values)) {
      headers.append("content-type", value);
    }
    MimeType type = MimeType.extract(headers);
    return type == null ? "none" : type.serialize();
  }

  @Test
  void last_valid_content_type_counts_and_inherits_charset_of_an_equal_type() {
    assertEquals("none", extracted());
    assertEquals("none", extracted("nonsense", "*/*"));
    assertEquals("text/html", extracted("text/plain", "text/html"));
    assertEquals("text/html;charset=x", extracted("text/html;charset=x, text/html"));
    assertEquals("text/html;a=b;charset=x", extracted("text/html;charset=x", "text/html;a=b"));
    assertEquals("text/html", extracted("text/html;charset=x", "text/plain", "text/html"));
    assertEquals("text/html;charset=y", extracted("text/html;charset=x", "text/html;charset=y"));
    assertEquals("text/plain;a=\",\"", extracted("text/plain;a=\",\"", "*/*", "bad"));
  }
}
