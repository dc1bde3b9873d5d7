package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostParserTest {

  private static @Nullable String host(String input) {
    return HostParser.parse(input, false);
  }

  @ParameterizedTest
  @CsvSource({
    "Lib.Example, lib.example",
    "lib%2Eexample, lib.example",
    "lib.example., lib.example.",
    "lib..example, lib..example",
    "-a-.b--c, -a-.b--c",
    "a_b!$&'()*+;=~, a_b!$&'()*+;=~",
    "Bücher.example, xn--bcher-kva.example",
    "B%C3%BCcher.example, xn--bcher-kva.example",
    "XN--BCHER-KVA.example, xn--bcher-kva.example",
    "straße.example, xn--strae-oqa.example",
    "例え。テスト, xn--r8jz45g.xn--zckzah",
    "ｌｉｂ．ｅｘａｍｐｌｅ, lib.example",
    "soft\u00ADhyphen, softhyphen",
    "क्\u200Dष.example, xn--11b2ezcw70k.example",
  })
  void a_domain_is_written_in_ascii(String input, String expected) {
    assertEquals(expected, host(input));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xn--",
        "xn--a",
        "xn--bcher-kva-",
        "a\u200Db",
        "\u00AD",
        "%C3",
        "a%25b",
        "a%2Fb",
        "a:b",
        "a^b",
        "\u05D0a.example",
        "\u0301a"
      })
  void invalid_domain_is_failure(String input) {
    assertNull(host(input));
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "127.1, 127.0.0.1",
    "2130706433, 127.0.0.1",
    "0x7F.1, 127.0.0.1",
    "0177.0.0.0x1, 127.0.0.1",
    "0x.0x.0, 0.0.0.0",
    "1.2.3.4., 1.2.3.4",
    "1.256, 1.0.1.0",
    "１.2.3.4, 1.2.3.4",
    "255.255.65535, 255.255.255.255",
    "0xffffffff, 255.255.255.255",
    "1.2.3.4.example, 1.2.3.4.example",
    "4.0xg, 4.0xg",
  })
  void a_host_that_ends_in_a_number_is_an_ipv4_address(String input, String expected) {
    assertEquals(expected, host(input));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.256",
        "4294967296",
        "a.1",
        "1..2",
        "09",
        "1.2.3.08",
        "a.0x",
        "0x100000000000000000000"
      })
  void a_number_out_of_range_is_failure(String input) {
    assertNull(host(input));
  }

  @ParameterizedTest
  @CsvSource({
    "[::], [::]",
    "[::1], [::1]",
    "[1::], [1::]",
    "[0001:02:3::], [1:2:3::]",
    "[2001:DB8:0:0:1:0:0:0], [2001:db8:0:0:1::]",
    "[2001:db8:0:0:1:0:0:1], [2001:db8::1:0:0:1]",
    "[1:0:2:3:4:5:6:7], [1:0:2:3:4:5:6:7]",
    "[1:2:3:4:5:6:7::], [1:2:3:4:5:6:7:0]",
    "[::1:2:3:4:5:6:7], [0:1:2:3:4:5:6:7]",
    "[::ffff:192.168.0.1], [::ffff:c0a8:1]",
    "[1:2:3:4:5:6:1.2.3.4], [1:2:3:4:5:6:102:304]",
  })
  void an_ipv6_address_is_compressed_at_its_longest_run_of_zeros(String input, String expected) {
    assertEquals(expected, host(input));
    assertEquals(expected, HostParser.parse(input, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "[]",
        "[:]",
        "[:1]",
        "[1:]",
        "[1:2]",
        "[1::2::3]",
        "[1:2:3:4:5:6:7:8:9]",
        "[12345::]",
        "[::g]",
        "[::1%25eth0]",
        "[::1.2.3]",
        "[::1.2.3.256]",
        "[::01.2.3.4]",
        "[::1.2.3.4.5]",
        "[1:2:3:4:5:6:7:1.2.3.4]",
        "[::.1.2.3]",
        "[::1.2.3.4:5]",
        "[::1.2..4]"
      })
  void invalid_ipv6_address_is_failure(String input) {
    assertNull(host(input));
  }

  @Test
  void opaque_host_is_only_percent_encoded() {
    assertEquals("Lib.Ex%C3%A4mple%41", HostParser.parse("Lib.Exämple%41", true));
    assertEquals("1.256.0x1", HostParser.parse("1.256.0x1", true));
    assertEquals("", HostParser.parse("", true));
    assertNull(HostParser.parse("a b", true));
    assertNull(HostParser.parse("a|b", true));
  }
}
