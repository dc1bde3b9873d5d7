package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The URL parts of {@code a} and {@code area}. */
class HyperlinkTest {

  private static final String PARTS =
      "const parts = (e) => ['href', 'origin', 'protocol', 'username', 'password', 'host',"
          + " 'hostname', 'port', 'pathname', 'search', 'hash'].map((part) => e[part]).join(' ');";

  private static void assertLog(String expected, String script) {
    assertEquals(
        List.of(expected),
        Scenario.logOf("const e = document.createElement('a');" + PARTS + "{" + script + "}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "area"})
  void a_hyperlink_has_the_parts_of_its_url(String name) {
    assertEquals(
        List.of(
            "https://u:p@h.example:81/d/f?q#g https://h.example:81 https: u p h.example:81"
                + " h.example 81 /d/f ?q #g https://u:p@h.example:81/d/f?q#g"),
        Scenario.logOf(
            PARTS
                + "const e = document.createElement('"
                + name
                + "'); e.href = 'HTTPS://u:p@H.example:81/d/./f?q#g'; console.log(parts(e) + ' ' + e)"));
  }

  @Test
  void parts_are_resolved_against_the_base_element() {
    assertLog(
        "https://base.example/d/x https://other.example/x",
        """
        const base = document.head.appendChild(document.createElement('base'));
        base.href = 'https://base.example/d/';
        e.href = 'x';
        const first = e.href;
        base.href = 'https://other.example/';
        console.log(first + ' ' + e.href);
        """);
  }

  @Test
  void without_a_url_the_parts_are_empty_and_cannot_be_set() {
    assertLog(
        ": false https://h:x/ : https://h:x/",
        """
        const tidy = () => parts(e).replace(/ +/g, ' ').trim();
        e.host = 'h'; e.protocol = 'https'; e.username = 'u'; e.search = 's';
        const none = tidy(), set = e.hasAttribute('href');
        e.href = 'https://h:x/';
        e.pathname = '/p'; e.hash = 'h'; e.password = 'p';
        console.log([none, set, tidy(), e.getAttribute('href')].join(' '));
        """);
  }

  @Test
  void setting_a_part_updates_the_attribute() {
    assertLog(
        "https://u:p@h.example:82/n?s#f",
        """
        e.href = 'http://old';
        e.protocol = 'https'; e.username = 'u'; e.password = 'p'; e.hostname = 'h.example';
        e.port = 82; e.pathname = 'n'; e.search = 's'; e.hash = '#f';
        console.log(e.getAttribute('href'));
        """);
  }

  @Test
  void a_part_that_the_url_cannot_have_leaves_the_attribute_unchanged() {
    assertLog(
        " MAILTO:x | MAILTO:x |mailto:x",
        """
        e.setAttribute('href', ' MAILTO:x ');
        e.host = 'h'; e.username = 'u'; e.port = '1'; e.pathname = 'p';
        const before = e.getAttribute('href');
        e.href = before;
        const same = e.getAttribute('href');
        e.protocol = 'mailto';
        console.log([before, same, e.getAttribute('href')].join('|'));
        """);
  }

  @Test
  void relation_tokens_reflect_the_attribute() {
    assertLog(
        "x noopener true false TypeError",
        """
        e.relList.add('x', 'noopener');
        const link = document.createElement('link');
        link.relList = 'preload';
        let thrown;
        try { e.classList.supports('x'); } catch (error) { thrown = error.name; }
        console.log([e.rel, link.rel === 'preload' && e.relList === e.relList, e.relList.supports('noopener'), thrown].join(' '));
        """);
  }

  @Test
  void sandbox_tokens_that_are_implemented_are_supported() {
    assertLog(
        "true false",
        "const s = document.createElement('iframe').sandbox; console.log(s.supports('Allow-Scripts') + ' ' + s.supports('allow-forms'));");
  }
}
