package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FetchMethodTest {

  private static final List<Map.Entry<String, String>> HEADERS =
      List.of(
          Map.entry("Content-Type", "text/x"),
          Map.entry("X-Secret", "s"),
          Map.entry("X-Open", "o"),
          Map.entry("Set-Cookie", "c"),
          Map.entry("Access-Control-Expose-Headers", "x-open, set-cookie"),
          Map.entry("Access-Control-Allow-Origin", "*"));

  /** The names of headers that the user agent sets by itself. */
  private static final Set<String> OWN =
      Set.of("Accept", "Accept-Language", "Origin", "Referer", "User-Agent");

  /** The headers of every request. */
  private static final List<Map.Entry<String, String>> ALWAYS =
      List.of(
          Map.entry("Accept-Language", "en-US"),
          Map.entry("User-Agent", "Mozilla/5.0 (compatible; Weblocks)"));

  private static ResourceResponse response(String url, int status, String body) {
    return new ResourceResponse(
        url, status, "Text", HEADERS, body.getBytes(StandardCharsets.UTF_8));
  }

  private static String describe(ResourceRequest request) {
    return request.method()
        + " "
        + request.url()
        + " "
        + request.headers().stream().filter(each -> !OWN.contains(each.getKey())).toList()
        + " "
        + new String(request.body(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "{} | GET /x []",
        "{method: 'post'} | POST /x []",
        "{method: 'patch'} | patch /x []",
        "{method: 'PUT', body: 't\u00e9'} | PUT /x [Content-Type=text/plain;charset=UTF-8] t\u00e9",
        "{method: 'POST', body: new Blob(['b'], {type: 'x/y'})} | POST /x [Content-Type=x/y] b",
        "{method: 'POST', body: new Uint8Array([97])} | POST /x [] a",
        "{method: 'POST', body: 'b', headers: {'content-type': 'x/y'}} | POST /x [content-type=x/y] b",
        "{method: 'POST', body: new URLSearchParams('?a=1&b')}"
            + " | POST /x [Content-Type=application/x-www-form-urlencoded;charset=UTF-8] a=1&b=",
        "{body: null} | GET /x []",
        "{headers: [['A', ' 1 '], ['b', '2'], ['a', '3']]} | GET /x [A=1, b=2, A=3]",
        "{headers: new Headers({B: 1, a: 2})} | GET /x [a=2, b=1]",
        "{headers: {Cookie: 'x', 'Sec-A': 1, 'proxy-b': 1, host: 'x', ok: 1}} | GET /x [ok=1]",
        "{headers: {'X-HTTP-Method': 'get, trace', 'x-method-override': 'get'}} | GET /x [x-method-override=get]",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void request_is_sent_as_init_specifies(String init, String expected) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("fetch('/x#fragment', %s);".formatted(init)).run();
      assertEquals(
          expected.replace(" /x ", " " + Scenario.ORIGIN + "/x "),
          describe(scenario.requests().getLast()).strip());
      assertEquals(2, scenario.requests().size());
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'http://', {}",
        "'https://user:word@one.test/', {}",
        "'/', {method: 'no token'}",
        "'/', {method: 'Trace'}",
        "'/', {method: 'CONNECT'}",
        "'/', {body: ''}",
        "'/', {method: 'head', body: new Blob()}",
        "'/', {headers: {'a b': 1}}",
        "'/', {headers: [['a']]}",
        "'/', {method: '\\u0100'}",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void bad_request_is_a_rejection_and_is_not_sent(String arguments) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "fetch(%s).then(() => console.log('resolved'), e => console.log(e.name));"
              .formatted(arguments));
      assertEquals(List.of("TypeError"), scenario.run());
      assertEquals(1, scenario.requests().size());
    }
  }

  private static final String SHOW =
      """
      fetch('%s', {method: '%s'}).then(async r => {
        let immutable = '';
        try { r.headers.set('a', 'b'); } catch (e) { immutable = e.name; }
        console.log([r.type, r.url, r.redirected, r.status, r.ok, r.statusText,
          [...r.headers].map(pair => pair.join('=')).join(';'), immutable, await r.text(), r.bodyUsed].join('|'));
      });
      """;

  private static String shown(String url, String method, ResourceResponse response) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.response(url, response).window(SHOW.formatted(url, method)).run().getFirst();
    }
  }

  @Test
  void response_of_the_same_origin_shows_all_headers_except_cookies() {
    String url = Scenario.ORIGIN + "/x";
    assertEquals(
        "basic|"
            + url
            + "|false|201|true|Text|access-control-allow-origin=*;access-control-expose-headers=x-open, set-cookie;content-type=text/x;x-open=o;x-secret=s|TypeError|body|true",
        shown(url, "GET", response(url, 201, "body")));
  }

  @Test
  void response_of_another_origin_shows_its_exposed_headers() {
    String url = "https://two.test/x";
    assertEquals(
        "cors|" + url + "|false|404|false|Text|content-type=text/x;x-open=o|TypeError|body|true",
        shown(url, "GET", response(url, 404, "body")));
  }

  @Test
  void response_with_another_url_counts_as_redirected() {
    String url = Scenario.ORIGIN + "/x";
    assertEquals(
        "cors|https://two.test/y|true|200|true|Text|content-type=text/x;x-open=o|TypeError|body|true",
        shown(url, "GET", response("https://two.test/y#z", 200, "body")));
  }

  @ParameterizedTest
  @CsvSource({"HEAD, 200", "GET, 204", "GET, 304"})
  void response_without_body_ignores_bytes(String method, int status) {
    String url = "https://two.test/x";
    assertEquals(
        "cors|"
            + url
            + "|false|"
            + status
            + "|"
            + (status < 300)
            + "|Text|content-type=text/x;x-open=o|TypeError||false",
        shown(url, method, response(url, status, "body")));
  }

  @Test
  void bytes_of_a_response_can_be_read_in_a_worker() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("0,255"),
          scenario
              .response(
                  Scenario.ORIGIN + "/bytes",
                  new ResourceResponse(
                      Scenario.ORIGIN + "/bytes", 200, "", List.of(), new byte[] {0, -1}))
              .resource(
                  "/worker.js",
                  "fetch('/bytes').then(r => r.bytes()).then(b => { console.log(b.join()); close(); });")
              .window("new Worker('/worker.js');")
              .run());
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "https://one.test/x | {} | Accept=*/* Referer=https://one.test/window-0.html",
        "https://one.test/x | {method: 'POST'} |"
            + " Accept=*/* Origin=https://one.test Referer=https://one.test/window-0.html",
        "https://two.test/x | {} | Accept=*/* Origin=https://one.test Referer=https://one.test/",
        "http://two.test/x | {} | Accept=*/* Origin=https://one.test",
        "https://two.test/x | {referrerPolicy: 'unsafe-url', mode: 'no-cors'} |"
            + " Accept=*/* Referer=https://one.test/window-0.html",
        "https://one.test/x | {referrer: '/y#z', headers: {accept: 'a/b'}} |"
            + " accept=a/b Referer=https://one.test/y",
        "https://one.test/x | {referrer: ''} | Accept=*/*",
        "https://one.test/x | {cache: 'no-cache', referrer: ''} | Accept=*/* Cache-Control=max-age=0",
        "https://one.test/x | {cache: 'reload', referrer: ''} |"
            + " Accept=*/* Pragma=no-cache Cache-Control=no-cache",
      },
      quoteCharacter = '`',
      delimiter = '|')
  void request_has_origin_and_referer_headers(String url, String init, String expected) {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("fetch('%s', %s).catch(() => {});".formatted(url, init)).run();
      assertEquals(
          expected,
          scenario.requests().getLast().headers().stream()
              .filter(each -> !ALWAYS.contains(each))
              .map(Object::toString)
              .collect(Collectors.joining(" ")));
    }
  }
}
