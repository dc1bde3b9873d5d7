package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsed URLs, as the serializer writes them. */
class UrlParserTest {

  private static @Nullable String hrefOf(String input) {
    UrlRecord url = UrlParser.parse(input);
    return url == null ? null : url.href();
  }

  private static @Nullable String hrefOf(String input, String base) {
    UrlRecord url = UrlParser.parse(input, UrlParser.parseAbsolute(base));
    return url == null ? null : url.href();
  }

  @Test
  void all_parts_of_a_url_are_separated() {
    UrlRecord url =
        UrlParser.parseAbsolute("WSS://me:se:cret@Chat.Example:8443/rooms/1?since=0#end");

    assertEquals(
        new UrlRecord(
            "wss",
            "me",
            "se%3Acret",
            "chat.example",
            8443,
            new UrlPath.Segments(List.of("rooms", "1")),
            "since=0",
            "end"),
        url);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://lib.example               | https://lib.example/
          https://lib.example:443/a         | https://lib.example/a
          http://lib.example:443/a          | http://lib.example:443/a
          http://lib.example:00080/         | http://lib.example/
          http://lib.example:/              | http://lib.example/
          http:lib.example                  | http://lib.example/
          http://///lib.example             | http://lib.example/
          http:\\\\lib.example\\shelf\\1    | http://lib.example/shelf/1
          http://lib.example?q              | http://lib.example/?q
          http://lib.example#f?q            | http://lib.example/#f?q
          http://lib.example/a//b/          | http://lib.example/a//b/
          http://lib.example/../../a        | http://lib.example/a
          http://lib.example/a/./b/../c/.   | http://lib.example/a/c/
          http://lib.example/a/%2E%2e/b     | http://lib.example/b
          http://lib.example/a/..           | http://lib.example/
          http://a@b@lib.example/           | http://a%40b@lib.example/
          http://:pw@lib.example/           | http://:pw@lib.example/
          http://me:@lib.example/           | http://me@lib.example/
          http://@lib.example/              | http://lib.example/
          http://lib.example/?it's          | http://lib.example/?it%27s
          app://lib.example/?it's           | app://lib.example/?it's
          app://Lib.Example                 | app://Lib.Example
          app:///shelf                      | app:///shelf
          app:/.//shelf                     | app:/.//shelf
          app:/a/../..//shelf               | app:/.//shelf
          app://                            | app://
          mailto:Me@Lib.Example             | mailto:Me@Lib.Example
          data:a  ?b                        | data:a %20?b
          data:a  #b                        | data:a %20#b
          """)
  void an_absolute_url_is_normalized(String input, String expected) {
    assertEquals(expected, hrefOf(input));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          c                    | https://lib.example/a/c
          ./c                  | https://lib.example/a/c
          ../c                 | https://lib.example/c
          /c                   | https://lib.example/c
          \\c                  | https://lib.example/c
          //other.example/c    | https://other.example/c
          https:c              | https://lib.example/a/c
          https:/c             | https://lib.example/c
          https://c            | https://c/
          ?r                   | https://lib.example/a/b?r
          #s                   | https://lib.example/a/b?q#s
          ''                   | https://lib.example/a/b?q
          app:c                | app:c
          c:d                  | c:d
          1:d                  | https://lib.example/a/1:d
          """)
  void relative_url_takes_missing_parts_from_its_base(String input, String expected) {
    assertEquals(expected, hrefOf(input, "https://lib.example/a/b?q#f"));
  }

  @Test
  void url_with_an_opaque_path_is_a_base_only_for_fragments() {
    assertEquals("mailto:me?subject=x#f", hrefOf("#f", "mailto:me?subject=x#g"));
    assertNull(hrefOf("you", "mailto:me"));
    assertNull(hrefOf("?body", "mailto:me"));
    assertNull(hrefOf("", "mailto:me"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shelf",
        "//lib.example/",
        "1app:x",
        "https://",
        "https://:80/",
        "https://me@/",
        "https://lib.example:65536/",
        "https://lib.example:8o/",
        "https://li b.example/",
        "https://li%62.ex<mple/",
        "https://%/",
        "https://lib%00.example/",
        "app://li b.example/",
        "app://lib.example:x/",
        "file://lib:8/x",
        "https://[1::2/",
      })
  void irreparable_url_is_failure(String input) {
    assertNull(hrefOf(input));
  }

  @Test
  void surrounding_control_characters_and_inner_line_ends_are_removed() {
    assertEquals(
        "https://lib.example/shelf", hrefOf(" \0\u001F\n https://lib.ex\tample/sh\r\nelf \u0003"));
    assertEquals("https://lib.example/%C2%A0", hrefOf("https://lib.example/\u00A0"));
  }

  @Test
  void each_part_encodes_its_own_set_of_characters() {
    String all = " !\"$&'()*+,-.;<=>@[\\]^_`{|}~\u007Fé😀";

    assertEquals(
        "app://%20!%22$&'()*+,-.%3B%3C%3D%3E%40%5B%5C%5D%5E_%60%7B%7C%7D~%7F%C3%A9%F0%9F%98%80@h"
            + "/%20!%22$&'()*+,-.;%3C=%3E@[\\]%5E_%60%7B|%7D~%7F%C3%A9%F0%9F%98%80"
            + "?%20!%22$&'()*+,-.;%3C=%3E@[\\]^_`{|}~%7F%C3%A9%F0%9F%98%80"
            + "#%20!%22$&'()*+,-.;%3C=%3E@[\\]^_%60{|}~%7F%C3%A9%F0%9F%98%80",
        hrefOf("app://" + all + "@h/" + all + "?" + all + "#" + all));
  }

  @Test
  void percent_signs_are_kept_even_if_no_hex_digits_follow() {
    assertEquals(
        "https://lib.example/%41%zz%?%41%#%", hrefOf("https://lib.example/%41%zz%?%41%#%"));
  }

  @Test
  void lone_surrogate_is_written_as_the_replacement_character() {
    assertEquals("https://lib.example/%EF%BF%BDx", hrefOf("https://lib.example/\uD83Dx"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      textBlock =
          """
          file:a                    > file:///home/a
          file:/a                   > file:///a
          file://a/b                > file://a/b
          file://localhost/b        > file:///b
          file:\\\\a\\b             > file://a/b
          file:c|/x                 > file:///c:/x
          file:///C|/x/../..        > file:///C:/
          file://D:/x               > file:///D:/x
          /c|/x                     > file:///c:/x
          #f                        > file:///home/me#f
          ?q                        > file:///home/me?q
          E|/x                      > file:///E:/x
          """)
  void file_urls_handle_local_hosts_and_drive_letters(String input, String expected) {
    assertEquals(expected, hrefOf(input, "file:///home/me"));
  }

  @Test
  void drive_letter_of_the_base_is_kept() {
    assertEquals("file:///C:/", hrefOf("..", "file:///C:/x"));
    assertEquals("file:///C:/y", hrefOf("/y", "file:///C:/x"));
    assertEquals("file://host/C:/y", hrefOf("/y", "file://host/C:/x"));
  }

  @Test
  void parsing_a_serialized_url_gives_the_same_record() {
    for (String input :
        List.of(
            "https://me:pw@lib.example:81/a/../b?c d#e f",
            "app:/.//x",
            "data:a  ?b",
            "blob:https://lib.example/1",
            "http://[::ffff:1.2.3.4]/",
            "file:///C|/x")) {
      UrlRecord url = UrlParser.parseAbsolute(input);
      assertEquals(url, UrlParser.parseAbsolute(url.href()), input);
    }
  }

  @Test
  void invalid_url_is_named_in_the_error() {
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> UrlParser.parseAbsolute("shelf/1"));
    assertTrue(Objects.requireNonNull(failure.getMessage()).contains("'shelf/1'"));
  }

  @Test
  void serializer_can_omit_the_fragment() {
    UrlRecord url = UrlParser.parseAbsolute("https://lib.example/?q#f");
    assertEquals("https://lib.example/?q", UrlSerializer.serialize(url, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://lib.example:444/x       | https://lib.example:444
          ftp://lib.example/x             | ftp://lib.example
          ws://[::1]:80/                  | ws://[::1]
          blob:https://lib.example:1/id   | https://lib.example:1
          blob:ftp://lib.example/id       | opaque
          blob:blob:https://lib.example/  | opaque
          blob:id                         | opaque
          file:///x                       | opaque
          data:,x                         | opaque
          app://lib.example/              | opaque
          """)
  void urls_of_network_schemes_have_a_tuple_origin(String input, String expected) {
    var tuple = UrlParser.parseAbsolute(input).tupleOrigin();
    assertEquals(expected, tuple == null ? "opaque" : tuple.serialize());
  }
}
