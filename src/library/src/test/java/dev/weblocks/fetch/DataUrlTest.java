package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.weblocks.url.UrlParser;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataUrlTest {

  @ParameterizedTest
  @CsvSource(
      value = {
        "data:,a|text/plain;charset=US-ASCII|a",
        "data:;charset=x,a|text/plain;charset=x|a",
        "data:TEXT/html;A=b,%61b|text/html;a=b|ab",
        "data:text/html;base64,YQ==|text/html|a",
        "data:text/html; BASE64,Y Q|text/html|a",
        "data:;base64,%59%51|text/plain;charset=US-ASCII|a",
        "data:base64,YQ|text/plain;charset=US-ASCII|YQ",
        "data:;base64;x=y,YQ|text/plain;x=y|YQ",
        "data:no type,a#b|text/plain;charset=US-ASCII|a",
        "data:,a,b?c|text/plain;charset=US-ASCII|a,b?c",
        "data:x/y;q=\"a,b\",c|x/y;q=a|b\",c",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void url_is_parsed_into_type_and_bytes(String url, String type, String body) {
    DataUrl struct = DataUrl.process(UrlParser.parseAbsolute(url));
    assertNotNull(struct);
    assertEquals(type, struct.mimeType().serialize());
    assertEquals(body, struct.body().utf8Decode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"data:", "data:text/plain", "data:;base64,Y", "data:;base64,é", "data:#,"})
  void malformed_url_fails(String url) {
    assertNull(DataUrl.process(UrlParser.parseAbsolute(url)));
  }

  @Test
  void data_url_bytes_need_not_be_valid_text() {
    DataUrl struct = DataUrl.process(UrlParser.parseAbsolute("data:,%ff%00"));
    assertNotNull(struct);
    assertEquals("\u00ff\0", new String(struct.body().toByteArray(), StandardCharsets.ISO_8859_1));
  }
}
