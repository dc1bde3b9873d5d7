package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The setters with valid input, invalid input, and URLs that lack the part. */
class UrlSettersTest {

  private static final String PAGE = "https://me:pw@lib.example:8443/a/b?q#f";

  private static void assertSet(
      BiFunction<UrlRecord, String, UrlRecord> setter, String url, String value, String expected) {
    assertEquals(expected, setter.apply(UrlParser.parseAbsolute(url), value).href());
  }

  @Test
  void protocol_setter_ignores_invalid_and_incompatible_schemes() {
    assertSet(UrlSetters::protocol, PAGE, "WS", "ws://me:pw@lib.example:8443/a/b?q#f");
    assertSet(UrlSetters::protocol, PAGE, "http:ignored", "http://me:pw@lib.example:8443/a/b?q#f");
    assertSet(UrlSetters::protocol, "http://lib.example:443/", "https", "https://lib.example/");
    assertSet(UrlSetters::protocol, PAGE, "app", PAGE);
    assertSet(UrlSetters::protocol, PAGE, "1http", PAGE);
    assertSet(UrlSetters::protocol, PAGE, "ht tp", PAGE);
    assertSet(UrlSetters::protocol, PAGE, "", PAGE);
    assertSet(UrlSetters::protocol, PAGE, "file", PAGE);
    assertSet(UrlSetters::protocol, "file:///x", "https", "file:///x");
    assertSet(UrlSetters::protocol, "file://h/x", "https", "https://h/x");
    assertSet(UrlSetters::protocol, "app:x", "https", "app:x");
    assertSet(UrlSetters::protocol, "app:x", "tool", "tool:x");
  }

  @Test
  void credentials_are_encoded_if_the_url_has_a_host() {
    assertSet(UrlSetters::username, PAGE, "a:b@", "https://a%3Ab%40:pw@lib.example:8443/a/b?q#f");
    assertSet(UrlSetters::username, PAGE, "", "https://:pw@lib.example:8443/a/b?q#f");
    assertSet(UrlSetters::password, PAGE, "", "https://me@lib.example:8443/a/b?q#f");
    assertSet(UrlSetters::password, "app://h/", "é", "app://:%C3%A9@h/");
    assertSet(UrlSetters::username, "file://h/x", "me", "file://h/x");
    assertSet(UrlSetters::password, "app:/x", "pw", "app:/x");
    assertSet(UrlSetters::password, "app:///x", "pw", "app:///x");
  }

  @Test
  void host_setter_accepts_a_port_but_hostname_setter_does_not() {
    assertSet(UrlSetters::host, PAGE, "Other.example:1", "https://me:pw@other.example:1/a/b?q#f");
    assertSet(UrlSetters::host, PAGE, "other.example", "https://me:pw@other.example:8443/a/b?q#f");
    assertSet(
        UrlSetters::host, PAGE, "other.example:x", "https://me:pw@other.example:8443/a/b?q#f");
    assertSet(UrlSetters::host, PAGE, "other.example:443", "https://me:pw@other.example/a/b?q#f");
    assertSet(
        UrlSetters::host, PAGE, "other.example:70000", "https://me:pw@other.example:8443/a/b?q#f");
    assertSet(UrlSetters::host, PAGE, "other/ignored", "https://me:pw@other:8443/a/b?q#f");
    assertSet(UrlSetters::hostname, PAGE, "other:1", PAGE);
    assertSet(UrlSetters::hostname, PAGE, "[::1]:1", PAGE);
    assertSet(UrlSetters::hostname, PAGE, "[::1]", "https://me:pw@[::1]:8443/a/b?q#f");
    assertSet(UrlSetters::hostname, PAGE, "a b", PAGE);
    assertSet(UrlSetters::hostname, PAGE, "", PAGE);
  }

  @Test
  void host_can_be_emptied_only_without_credentials_and_port() {
    assertSet(UrlSetters::host, "app://h/x", "", "app:///x");
    assertSet(UrlSetters::host, "app://me@h/x", "", "app://me@h/x");
    assertSet(UrlSetters::host, "app://h:1/x", "", "app://h:1/x");
    assertSet(UrlSetters::host, "file://h/x", "", "file:///x");
    assertSet(UrlSetters::host, "file:///x", "localhost", "file:///x");
    assertSet(UrlSetters::host, "file:///x", "h:1", "file:///x");
    assertSet(UrlSetters::host, "mailto:me", "h", "mailto:me");
    assertSet(UrlSetters::hostname, "mailto:me", "h", "mailto:me");
    assertSet(UrlSetters::hostname, "app:/.//x", "h", "app://h//x");
  }

  @Test
  void port_setter_takes_the_digits_at_the_start() {
    assertSet(UrlSetters::port, PAGE, "1", "https://me:pw@lib.example:1/a/b?q#f");
    assertSet(UrlSetters::port, PAGE, "0012x3", "https://me:pw@lib.example:12/a/b?q#f");
    assertSet(UrlSetters::port, PAGE, "443", "https://me:pw@lib.example/a/b?q#f");
    assertSet(UrlSetters::port, PAGE, "", "https://me:pw@lib.example/a/b?q#f");
    assertSet(UrlSetters::port, PAGE, "x", PAGE);
    assertSet(UrlSetters::port, PAGE, "65536", PAGE);
    assertSet(UrlSetters::port, PAGE, "99999999999999999999", PAGE);
    assertSet(UrlSetters::port, "file://h/x", "1", "file://h/x");
    assertSet(UrlSetters::port, "app:/x", "1", "app:/x");
  }

  @Test
  void pathname_encodes_question_marks_and_hash_signs() {
    assertSet(UrlSetters::pathname, PAGE, "c?d#e", "https://me:pw@lib.example:8443/c%3Fd%23e?q#f");
    assertSet(UrlSetters::pathname, PAGE, "\\x\\..\\y", "https://me:pw@lib.example:8443/y?q#f");
    assertSet(UrlSetters::pathname, PAGE, "", "https://me:pw@lib.example:8443/?q#f");
    assertSet(UrlSetters::pathname, "app://h/x", "", "app://h");
    assertSet(UrlSetters::pathname, "app:/x", "", "app:/");
    assertSet(UrlSetters::pathname, "app:/x", "//y", "app:/.//y");
    assertSet(UrlSetters::pathname, "app:/x", "\\y", "app:/\\y");
    assertSet(UrlSetters::pathname, "file:///x", "c|/y", "file:///c:/y");
    assertSet(UrlSetters::pathname, "mailto:me", "you", "mailto:me");
  }

  @Test
  void search_and_hash_setters_accept_a_leading_question_mark_or_hash_sign() {
    assertSet(
        UrlSettersTest::search, PAGE, "?a b#c", "https://me:pw@lib.example:8443/a/b?a%20b%23c#f");
    assertSet(UrlSettersTest::search, PAGE, "??", "https://me:pw@lib.example:8443/a/b??#f");
    assertSet(UrlSettersTest::search, PAGE, "?", "https://me:pw@lib.example:8443/a/b?#f");
    assertSet(UrlSettersTest::search, PAGE, "", "https://me:pw@lib.example:8443/a/b#f");
    assertSet(UrlSetters::hash, PAGE, "#a b", "https://me:pw@lib.example:8443/a/b?q#a%20b");
    assertSet(UrlSetters::hash, PAGE, "##", "https://me:pw@lib.example:8443/a/b?q##");
    assertSet(UrlSetters::hash, PAGE, "", "https://me:pw@lib.example:8443/a/b?q");
    assertSet(UrlSetters::hash, "data:x", "y", "data:x#y");
    assertSet(UrlSettersTest::search, "data:x", "y", "data:x?y");
  }

  private static UrlRecord search(UrlRecord url, String value) {
    return UrlSetters.search(url, value, null);
  }
}
