package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {

  private final AtomicLong ids = new AtomicLong();
  private final Substitution substitution =
      new Substitution(WptHosts.standard(), () -> new UUID(0, ids.incrementAndGet()));

  private String apply(String text, Substitution.Escape escape) throws ServerFailure {
    RequestUrl url =
        RequestUrl.parse("https://www.web-platform.test:8444/dir/file.sub.js?q=<%22>&r=")
            .orElseThrow();
    byte[] result = substitution.apply(text.getBytes(UTF_8), url, Map.of("Accept", "*/*"), escape);
    return new String(result, UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "host, web-platform.test",
    "domains[www1], www1.web-platform.test",
    "domains[], web-platform.test",
    "domains[天気の良い日], xn--n8j6ds53lwwkrqhv28a.web-platform.test",
    "domains[élève], xn--lve-6lad.web-platform.test",
    "domains[nonexistent], nonexistent.web-platform.test",
    "hosts[][www], www.web-platform.test",
    "hosts[alt][], not-web-platform.test",
    "hosts[alt][www.www2], www.www2.not-web-platform.test",
    "ports[http][0], 8000",
    "ports[http][1], 8001",
    "ports[https][0], 8443",
    "ports[https][1], 8444",
    "location[server], https://www.web-platform.test:8444",
    "location[scheme], https",
    "location[host], www.web-platform.test:8444",
    "location[hostname], www.web-platform.test",
    "location[port], 8444",
    "location[path], /dir/file.sub.js",
    "location[pathname], /dir/file.sub.js",
    "GET[absent], ''",
    "headers[Accept], */*",
    "'header_or_default(Accept, none)', */*",
    "'header_or_default(Range, none)', none",
    "uuid(), 00000000-0000-0000-0000-000000000001",
    "url_base, /"
  })
  void placeholder_stands_for_value(String placeholder, String value) throws ServerFailure {
    assertEquals("<" + value + ">", apply("<{{" + placeholder + "}}>", Substitution.Escape.NONE));
  }

  @Test
  void variable_keeps_its_value_in_later_placeholders() throws ServerFailure {
    String id = "00000000-0000-0000-0000-000000000001";

    assertEquals(
        id + " " + id + " 00000000-0000-0000-0000-000000000002",
        apply("{{$id:uuid()}} {{$id}} {{uuid()}}", Substitution.Escape.NONE));
  }

  @Test
  void values_are_escaped_in_markup_only() throws ServerFailure {
    assertEquals("&lt;&quot;&gt;", apply("{{GET[q]}}", Substitution.escapeFor("/a.sub.html")));
    assertEquals("<\">", apply("{{GET[q]}}", Substitution.escapeFor("/a.sub.js")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "ports[gopher][0]",
        "ports[http][7]",
        "ports",
        "headers[Absent]",
        "",
        "host;"
      })
  void a_placeholder_without_meaning_is_an_error_that_names_it(String placeholder) {
    ServerFailure failure =
        assertThrows(
            ServerFailure.class, () -> apply("{{" + placeholder + "}}", Substitution.Escape.NONE));

    assertEquals(500, failure.status());
    assertEquals("unknown expression {{" + placeholder + "}}", failure.getMessage());
  }

  @Test
  void bytes_outside_placeholders_stay_as_they_are() throws ServerFailure {
    byte[] content = {(byte) 0xff, '{', '{', 'h', 'o', 's', 't', '}', '}', (byte) 0x80};
    RequestUrl url = RequestUrl.parse("http://web-platform.test:8000/").orElseThrow();
    byte[] result = substitution.apply(content, url, Map.of(), Substitution.Escape.NONE);

    byte[] expected = new byte[19];
    expected[0] = (byte) 0xff;
    System.arraycopy("web-platform.test".getBytes(UTF_8), 0, expected, 1, 17);
    expected[18] = (byte) 0x80;
    assertArrayEquals(expected, result);
  }
}
