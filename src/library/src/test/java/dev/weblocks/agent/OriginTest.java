package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginTest {

  @ParameterizedTest
  @CsvSource({
    "https, lib.example, true",
    "wss, lib.example, true",
    "http, lib.example, false",
    "ftp, lib.example, false",
    "http, localhost, true",
    "http, localhost., true",
    "ws, a.localhost, true",
    "http, notlocalhost, false",
    "http, localhost.example, false",
    "http, 127.0.0.1, true",
    "http, 127.9.8.7, true",
    "http, 127.example, false",
    "http, 128.0.0.1, false",
    "http, [::1], true",
    "http, [::2], false",
  })
  void authenticated_and_local_origins_are_trustworthy(
      String scheme, String host, boolean expected) {
    assertEquals(expected, new Origin.Tuple(scheme, host, -1).isPotentiallyTrustworthy());
  }

  @Test
  void an_opaque_origin_is_not_trustworthy() {
    assertFalse(new Origin.Opaque("id").isPotentiallyTrustworthy());
  }
}
