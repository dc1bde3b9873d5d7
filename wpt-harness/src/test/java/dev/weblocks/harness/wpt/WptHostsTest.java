package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WptHostsTest {

  private final WptHosts hosts = WptHosts.standard();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web-platform.test",
        "www.web-platform.test",
        "www1.web-platform.test",
        "www2.web-platform.test",
        "www1.www2.web-platform.test",
        "xn--n8j6ds53lwwkrqhv28a.web-platform.test",
        "xn--lve-6lad.web-platform.test",
        "not-web-platform.test",
        "www.not-web-platform.test",
        "xn--lve-6lad.not-web-platform.test"
      })
  void names_of_the_suite_are_served_on_its_four_ports(String host) {
    assertTrue(hosts.serves("http", host, 8000));
    assertTrue(hosts.serves("http", host, 8001));
    assertTrue(hosts.serves("https", host, 8443));
    assertTrue(hosts.serves("https", host, 8444));
  }

  @ParameterizedTest
  @CsvSource({
    "http, web-platform.test, 80",
    "http, web-platform.test, 8443",
    "https, web-platform.test, 8000",
    "ws, web-platform.test, 8888",
    "http, nonexistent.web-platform.test, 8000",
    "http, www3.web-platform.test, 8000",
    "http, example.org, 8000"
  })
  void nothing_else_is_served(String scheme, String host, int port) {
    assertFalse(hosts.serves(scheme, host, port));
  }

  @Test
  void origins_have_the_first_port_of_their_scheme() {
    assertEquals("http://web-platform.test:8000", hosts.origin(false, false));
    assertEquals("https://www.web-platform.test:8443", hosts.origin(true, true));
  }
}
