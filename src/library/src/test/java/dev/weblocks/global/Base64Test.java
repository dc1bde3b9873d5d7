package dev.weblocks.global;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code atob} and {@code btoa}. */
class Base64Test {

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "'',''",
        "YQ==,a",
        "YWI=,ab",
        "YWJj,abc",
        "YQ,a",
        "YWI,ab",
        // stray bits are dropped
        "YR==,a",
        "YWJ,ab",
        "'Y Q\t=\n=',a",
        "'  ',''",
        "+/+/,\u00FB\u00FF\u00BF",
      })
  void decode_accepts_the_same_as_browsers(String data, String expected) {
    assertEquals(expected, ForgivingBase64.decode(data));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Y",
        "YWJjZ",
        "=",
        "==",
        "====",
        "YQ=",
        "YWJj=",
        "YWJj==",
        "Y===",
        "YQ=a",
        "=YQ=",
        "YWI=YWI=",
        "Y-_a",
        "YW\u000BI",
        "YW\u00A0I",
        "YWI\u212A",
        "YQ==\0",
        "YW=j"
      })
  void decode_refuses_the_same_as_browsers(String data) {
    assertNull(ForgivingBase64.decode(data));
  }

  @Test
  void all_bytes_are_unchanged_after_encoding_and_decoding() {
    StringBuilder bytes = new StringBuilder();
    for (char each = 0; each <= 0xFF; each++) {
      bytes.append(each);
      String encoded = ForgivingBase64.encode(bytes.toString());
      assertEquals(bytes.toString(), encoded == null ? "refused" : ForgivingBase64.decode(encoded));
    }
  }

  @Test
  void characters_above_255_cannot_be_encoded() {
    assertNull(ForgivingBase64.encode("a\u0100"));
    assertNull(ForgivingBase64.encode("\uD83D\uDE00"));
  }

  @Test
  void arguments_are_converted_to_strings() {
    assertEquals(
        List.of("bnVsbA== dW5kZWZpbmVk MTI= /w== \u009E\u00E9e 2"),
        Scenario.logOf(
            """
            console.log(btoa(null), btoa(undefined), btoa(12), btoa('\\xff'), atob(null),
                atob.length + btoa.length);
            """));
  }

  @Test
  void failed_conversions_throw_an_invalid_character_error() {
    assertEquals(
        List.of(
            "true InvalidCharacterError 5 Failed to execute 'atob' on 'Window':"
                + " The string to be decoded is not correctly encoded.",
            "true InvalidCharacterError 5 Failed to execute 'btoa' on 'Window':"
                + " The string to be encoded contains characters outside of the Latin1 range.",
            "TypeError"),
        Scenario.logOf(
            """
            for (const steps of [() => atob('a'), () => btoa('\\u0100')]) {
              try { steps() } catch (e) {
                console.log(e instanceof DOMException, e.name, e.code, e.message);
              }
            }
            try { atob() } catch (e) { console.log(e.constructor.name) }
            """));
  }
}
