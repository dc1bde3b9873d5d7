package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {

  private static final String NAMES =
      """
      const names = ['method', 'url', 'destination', 'referrer', 'referrerPolicy', 'mode', 'credentials',
        'cache', 'redirect', 'integrity', 'keepalive', 'duplex', 'bodyUsed'];
      const show = r => names.map(name => r[name]).join('|') + '|' + [...r.headers].join(';');
      """;

  private static final String DEFAULT =
      "GET|https://one.test/x||about:client||cors|same-origin|default|follow||false|half|false|";

  private static String shown(String expression) {
    return Scenario.logOf(NAMES + "console.log(show(" + expression + "));").getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new Request('/x')",
        "new Request('x', {})",
        "new Request(new Request('/x'))",
        "new Request('/x').clone()",
        "new Request('/x', {window: null, signal: null, body: null})",
      })
  void request_has_defaults(String expression) {
    assertEquals(DEFAULT, shown(expression));
  }

  @Test
  void request_has_the_members_of_init() {
    String init =
        "{method: 'post', referrer: '/r', referrerPolicy: 'origin', mode: 'same-origin',"
            + " credentials: 'omit', cache: 'no-store', redirect: 'manual', integrity: 'i',"
            + " keepalive: true, body: 'b', headers: {B: 2, a: 1}, duplex: 'half'}";
    String expected =
        "POST|https://one.test/x#f||https://one.test/r|origin|same-origin|omit|no-store|manual|i|true"
            + "|half|false|a,1;b,2;content-type,text/plain;charset=UTF-8";
    assertEquals(expected, shown("new Request('/x#f', " + init + ")"));
    assertEquals(expected, shown("new Request(new Request('/x#f', " + init + "))"));
    assertEquals(expected, shown("new Request('/x#f', " + init + ").clone()"));
  }

  @Test
  void members_of_init_override_those_of_the_given_request() {
    assertEquals(
        "PUT|https://one.test/x||about:client||same-origin|same-origin|no-cache|follow||false|half|false|a,1",
        shown(
            "new Request(new Request('/x', {mode: 'same-origin', referrer: '/r', headers: {a: 1}}),"
                + " {method: 'put', cache: 'no-cache'})"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'' | ",
        "'about:client' | about:client",
        "'https://two.test/' | about:client",
        "'/y?z#f' | https://one.test/y?z#f",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void referrer_is_empty_the_client_or_same_origin(String referrer, String expected) {
    assertEquals(
        List.of(expected == null ? "" : expected),
        Scenario.logOf("console.log(new Request('/', {referrer: " + referrer + "}).referrer)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'http://'",
        "'https://user:word@one.test/'",
        "'/', {window: {}}",
        "'/', {referrer: 'http://'}",
        "'/', {mode: 'navigate'}",
        "'/', {mode: 'other'}",
        "'/', {referrerPolicy: 'none'}",
        "'/', {cache: 'only-if-cached'}",
        "'/', {method: 'no token'}",
        "'/', {method: 'connect'}",
        "'/', {mode: 'no-cors', method: 'PUT'}",
        "'/', {body: ''}",
        "'/', {signal: {}}",
        "'/', {duplex: 'full'}",
        "'/', {headers: {'a b': 1}}",
        "new Request('/', {method: 'POST', body: 'b'}), {method: 'GET'}",
      })
  void bad_request_throws(String arguments) {
    assertEquals(
        List.of("TypeError"),
        Scenario.logOf(
            "try { new Request(%s); console.log('made'); } catch (e) { console.log(e.name); }"
                .formatted(arguments)));
  }

  @Test
  void body_moves_into_a_request_created_from_another_request() {
    assertEquals(
        List.of("true false TypeError TypeError", "b b"),
        Scenario.logOf(
            """
            const first = new Request('/', {method: 'POST', body: 'b'});
            const second = new Request(first);
            const failed = f => { try { f(); return 'made'; } catch (e) { return e.name; } };
            console.log(first.bodyUsed, second.bodyUsed, failed(() => new Request(first)), failed(() => first.clone()));
            const third = second.clone();
            Promise.all([second.text(), third.text()]).then(texts => console.log(...texts));
            """));
  }

  @Test
  void fetch_consumes_the_body_of_a_request() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          const request = new Request('/x', {method: 'POST', body: 'b'});
          fetch(request).then(() => fetch(request)).catch(e => console.log(request.bodyUsed, e.name));
          """);
      assertEquals(List.of("true TypeError"), scenario.run());
      assertEquals("b", new String(scenario.requests().getLast().body(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void no_cors_guard_allows_only_headers_that_forms_send() {
    assertEquals(
        List.of("accept,a;content-language,de;content-type,text/plain"),
        Scenario.logOf(
            """
            const request = new Request('/', {mode: 'no-cors', method: 'POST', headers: {
              Accept: 'a', 'Content-Language': 'de', 'X-Other': 1, Range: 'bytes=0-', 'Content-Type': 'a/b'}});
            request.headers.set('content-type', 'text/plain');
            request.headers.append('accept', '"');
            request.headers.append('authorization', 'x');
            request.headers.delete('range');
            console.log([...request.headers].join(';'));
            """));
  }

  @Test
  void signal_of_a_request_follows_the_given_signal() {
    assertEquals(
        List.of("false true false true true reason"),
        Scenario.logOf(
            """
            const controller = new AbortController();
            const request = new Request('/', {signal: controller.signal});
            const without = new Request(request, {signal: null});
            const second = new Request(request);
            const third = second.clone();
            const differs = request.signal !== controller.signal;
            const before = request.signal.aborted;
            controller.abort('reason');
            console.log(before, request.signal.aborted, without.signal.aborted, third.signal.aborted,
              differs, third.signal.reason);
            """));
  }

  @Test
  void constructor_reads_input_and_then_members_of_init_in_order() {
    assertEquals(
        List.of(
            "input body cache credentials duplex headers integrity keepalive method mode redirect"
                + " referrer referrerPolicy signal window"),
        Scenario.logOf(
            """
            const log = [];
            const init = new Proxy({}, {get(target, name) { log.push(name); return undefined; }});
            new Request({toString() { log.push('input'); return '/'; }}, init);
            console.log(...log);
            """));
  }
}
