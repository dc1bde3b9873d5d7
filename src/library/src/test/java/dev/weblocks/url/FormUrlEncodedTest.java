package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.url.FormUrlEncoded.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormUrlEncodedTest {

  @Test
  void pairs_are_split_at_the_first_equals_sign_and_decoded() {
    assertEquals(
        List.of(
            new Entry("a", "b=c"),
            new Entry("a b", ""),
            new Entry("", "x"),
            new Entry("", ""),
            new Entry("€%zz%", "+")),
        FormUrlEncoded.parse("a=b=c&&a+b&=x&=&%E2%82%ac%zz%=%2B&"));
  }

  @Test
  void malformed_utf_8_is_replaced_as_in_browsers() {
    assertEquals("\uFFFD", PercentEncoding.decode("%FF"));
    assertEquals("\uFFFD\uFFFD\uFFFD", PercentEncoding.decode("%ED%A0%80"));
    assertEquals("\uFFFDx", PercentEncoding.decode("%F0%9F%98x"));
    assertEquals("\uFFFD\uFFFD", PercentEncoding.decode("%C0%80"));
    assertEquals("\uFFFD", PercentEncoding.decode("%E2%82"));
    assertEquals("\uFFFD\uFFFD\uFFFD\uFFFD", PercentEncoding.decode("%F4%90%80%80"));
    assertEquals("\uFEFF😀", PercentEncoding.decode("%EF%BB%BF%F0%9F%98%80"));
  }

  @Test
  void all_characters_except_letters_digits_and_four_signs_are_encoded() {
    assertEquals(
        "a+1*-._=%21%27%28%29%7E%2B%25%00%C3%A9%F0%9F%98%80&=",
        FormUrlEncoded.serialize(List.of(new Entry("a 1*-._", "!'()~+%\0é😀"), new Entry("", ""))));
  }
}
