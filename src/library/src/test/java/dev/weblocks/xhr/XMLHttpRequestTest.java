package dev.weblocks.xhr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XMLHttpRequestTest {

  private static final String OTHER = "https://two.test";

  /** {@code watched(xhr)} logs all events of a request and of its upload. */
  private static final String WATCH =
      """
      function watched(xhr = new XMLHttpRequest(), upload = false) {
        const listen = (target, prefix) => {
          for (const type of ['readystatechange', 'loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend']) {
            target.addEventListener(type, e => console.log(prefix + type
                + (type === 'readystatechange' ? xhr.readyState : `${e.loaded}/${e.total}`)));
          }
        };
        listen(xhr, '');
        if (upload) listen(xhr.upload, '^');
        return xhr;
      }
      const caught = (f) => { try { return f() } catch (e) { return e.name + ': ' + e.message } };
      """;

  private static final String SIMPLE = "const xhr = new XMLHttpRequest();";

  private static ResourceResponse response(String url, int status, byte[] body, String... headers) {
    List<Map.Entry<String, String>> list = new java.util.ArrayList<>();
    for (int i = 0; i < headers.length; i += 2) {
      list.add(Map.entry(headers[i], headers[i + 1]));
    }
    return new ResourceResponse(url, status, "Text", list, body);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Answers all requests except those for windows with an echo of the request. */
  private static Optional<ResourceResponse> echo(ResourceRequest request) {
    if (request.url().contains("/window-")) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder(request.method());
    request.headers().stream()
        .filter(each ->
            List.of("authorization", "content-type", "x-a", "x-b")
                .contains(each.getKey().toLowerCase(java.util.Locale.ROOT)))
        .forEach(
            each -> text.append('|').append(each.getKey()).append('=').append(each.getValue()));
    text.append('|').append(new String(request.body(), StandardCharsets.UTF_8));
    return Optional.of(
        response(
            request.url(),
            200,
            bytes(text.toString()),
            "Content-Type",
            "text/plain",
            "Access-Control-Allow-Origin",
            Scenario.ORIGIN,
            "Access-Control-Allow-Credentials",
            "true"));
  }

  private static List<String> log(String script) {
    try (Scenario scenario = new Scenario(1).server(XMLHttpRequestTest::echo)) {
      return scenario.window(WATCH + script).run();
    }
  }

  @Test
  void events_fire_in_the_order_that_the_standard_specifies() {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                Scenario.ORIGIN + "/x",
                response(Scenario.ORIGIN + "/x", 200, bytes("12345"), "Content-Length", "5"))) {
      assertEquals(
          List.of(
              "readystatechange1",
              "loadstart0/0",
              "sent",
              "readystatechange2",
              "readystatechange3",
              "progress5/5",
              "progress5/5",
              "readystatechange4",
              "load5/5",
              "loadend5/5"),
          scenario
              .window(
                  WATCH
                      + "const xhr = watched(); xhr.open('GET', '/x'); xhr.send();"
                      + " console.log('sent');")
              .run());
    }
  }

  @Test
  void upload_events_precede_response_events() {
    assertEquals(
        List.of(
            "readystatechange1",
            "loadstart0/0",
            "^loadstart0/3",
            "^progress3/3",
            "^load3/3",
            "^loadend3/3",
            "readystatechange2",
            "readystatechange3",
            "progress46/0",
            "progress46/0",
            "readystatechange4",
            "load46/0",
            "loadend46/0"),
        log("const xhr = watched(undefined, true); xhr.open('POST', '/x'); xhr.send('abc');"));
  }

  @Test
  void request_with_an_empty_response_is_never_in_state_loading() {
    assertEquals(
        List.of(
            "readystatechange1",
            "loadstart0/0",
            "readystatechange2",
            "progress0/0",
            "readystatechange4",
            "load0/0",
            "loadend0/0"),
        log("const xhr = watched(); xhr.open('HEAD', '/x'); xhr.send();"));
  }

  @Test
  void network_error_fires_error_without_a_response() {
    try (Scenario scenario =
        new Scenario(1).resourceAt(OTHER + "/x", "of another origin, not for us")) {
      assertEquals(
          List.of(
              "readystatechange1",
              "loadstart0/0",
              "^loadstart0/1",
              "readystatechange4",
              "^error0/0",
              "^loadend0/0",
              "error0/0",
              "loadend0/0",
              "0 '' '' '' null"),
          scenario
              .window(
                  WATCH
                      + "const xhr = watched(undefined, true); xhr.open('POST', 'https://two.test/x');"
                      + "xhr.onloadend = () => console.log(xhr.status, `'${xhr.statusText}' '${xhr.responseText}'"
                      + " '${xhr.getAllResponseHeaders()}'`, xhr.getResponseHeader('a'));"
                      + "xhr.send('a');")
              .run());
    }
  }

  @Test
  void upload_listeners_cause_a_preflight() {
    try (Scenario scenario = new Scenario(1).server(XMLHttpRequestTest::echo)) {
      scenario
          .window(
              "for (const listen of [false, true]) {"
                  + SIMPLE
                  + "xhr.open('POST', 'https://two.test/' + listen);"
                  + "if (listen) xhr.upload.onprogress = () => {};"
                  + "xhr.send('a'); }")
          .run();
      assertEquals(
          List.of("POST /false", "OPTIONS /true", "POST /true"),
          scenario.requests().stream()
              .filter(each -> each.url().startsWith(OTHER))
              .map(each -> each.method() + " " + each.url().substring(OTHER.length()))
              .sorted(java.util.Comparator.comparing(each -> each.substring(each.indexOf('/'))))
              .toList());
    }
  }

  @Test
  void abort_fires_at_once_and_ends_the_fetch() {
    try (Scenario scenario = new Scenario(1).resourceThatHangs("/x")) {
      assertEquals(
          List.of(
              "readystatechange1",
              "loadstart0/0",
              "readystatechange4",
              "abort0/0",
              "loadend0/0",
              "state 0"),
          scenario
              .window(
                  WATCH
                      + "const xhr = watched(); xhr.open('GET', '/x'); xhr.send();"
                      + "setTimeout(() => { xhr.abort(); console.log('state ' + xhr.readyState) }, 9)")
              .run());
      assertEquals(List.of(true), scenario.cancellations());
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "2 | readystatechange1 loadstart0/0 readystatechange2 readystatechange4 abort0/0 loadend0/0",
        "3 | readystatechange1 loadstart0/0 readystatechange2 readystatechange3 readystatechange4"
            + " abort0/0 loadend0/0",
        "4 | readystatechange1 loadstart0/0 readystatechange2 readystatechange3 progress4/0"
            + " progress4/0 readystatechange4 load4/0 loadend4/0",
      },
      delimiter = '|')
  void abort_in_each_state_fires_the_expected_events(int state, String expected) {
    assertEquals(
        List.of(expected.split(" ")),
        log(
            "const xhr = watched(); let done = false; xhr.addEventListener('readystatechange', () => {"
                + "if (xhr.readyState === "
                + state
                + " && !done) { done = true; xhr.abort(); } });"
                + "xhr.open('GET', '/x'); xhr.send();"));
  }

  @Test
  void reopened_request_discards_the_previous_one() {
    assertEquals(
        List.of("second: GET|"),
        log(
            SIMPLE
                + "xhr.open('POST', '/x'); xhr.onload = () => console.log('first'); xhr.send('1');"
                + "xhr.onload = () => console.log('second: ' + xhr.responseText);"
                + "xhr.open('GET', '/y'); xhr.send();"));
  }

  @Test
  void timeout_ends_the_fetch_even_if_set_after_send() {
    try (Scenario scenario = new Scenario(1).resourceThatHangs("/x")) {
      assertEquals(
          List.of(
              "readystatechange1",
              "loadstart0/0",
              "readystatechange4",
              "timeout0/0",
              "loadend0/0",
              "after 300"),
          scenario
              .window(
                  WATCH
                      + "const xhr = watched(), start = performance.now();"
                      + "xhr.timeout = 100000; xhr.open('GET', '/x');"
                      + "xhr.onloadend = () => console.log('after ' + Math.round((performance.now() - start) / 100) * 100);"
                      + "xhr.send(); setTimeout(() => { xhr.timeout = 300 }, 200)")
              .run());
      assertEquals(List.of(true), scenario.cancellations());
    }
  }

  @Test
  void timeout_does_not_fire_after_a_response_in_time() {
    assertEquals(
        List.of("load", "later 4"),
        log(
            SIMPLE
                + "xhr.timeout = 1000; xhr.open('GET', '/x'); xhr.onload = () => console.log('load');"
                + "xhr.ontimeout = () => console.log('timeout'); xhr.send();"
                + "setTimeout(() => console.log('later ' + xhr.readyState), 2000)"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'text' | POST|Content-Type=text/plain;charset=UTF-8|text",
        "new Blob(['b'], {type: 'x/y'}) | POST|Content-Type=x/y|b",
        "new Uint8Array([97, 98]) | POST|ab",
        "new Uint8Array([97, 98]).buffer | POST|ab",
        "new URLSearchParams('a=1') | POST|Content-Type=application/x-www-form-urlencoded;charset=UTF-8|a=1",
        "null | POST|",
        "undefined | POST|",
        "{toString: () => 's'} | POST|Content-Type=text/plain;charset=UTF-8|s",
      },
      delimiterString = " | ",
      quoteCharacter = '`')
  void bodies_of_all_kinds_are_sent(String body, String expected) {
    assertEquals(
        List.of(expected),
        log(
            SIMPLE
                + "xhr.open('POST', '/x'); xhr.onload = () => console.log(xhr.responseText); xhr.send("
                + body
                + ")"));
  }

  @Test
  void document_as_a_body_throws_not_supported_error() {
    assertEquals(
        List.of("NotSupportedError"),
        log(
            SIMPLE
                + "xhr.open('POST', '/x'); try { xhr.send(document) } catch (e) { console.log(e.name) }"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "text/x;charset=latin1 | text/x;charset=UTF-8",
        "text/x;charset=utf-8 | text/x;charset=utf-8",
        "text/x | text/x",
        "nonsense | nonsense",
      },
      delimiter = '|')
  void charset_of_a_text_body_is_always_utf_8(String type, String expected) {
    assertEquals(
        List.of("POST|Content-Type=" + expected + "|t"),
        log(
            SIMPLE
                + "xhr.open('POST', '/x'); xhr.setRequestHeader('Content-Type', '"
                + type
                + "'); xhr.onload = () => console.log(xhr.responseText); xhr.send('t')"));
  }

  @Test
  void headers_of_one_name_are_combined_and_forbidden_ones_omitted() {
    assertEquals(
        List.of("GET|X-A=1, 2|x-b=|"),
        log(
            SIMPLE
                + "xhr.open('GET', '/x'); xhr.setRequestHeader('X-A', ' 1 ');"
                + "xhr.setRequestHeader('x-a', '2'); xhr.setRequestHeader('x-b', '');"
                + "xhr.setRequestHeader('Host', 'h');"
                + "xhr.onload = () => console.log(xhr.responseText); xhr.send()"));
  }

  @Test
  void visible_response_headers_are_listed_in_sorted_order() {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                OTHER + "/x",
                response(
                    OTHER + "/x",
                    206,
                    bytes(""),
                    "X-Secret",
                    "s",
                    "X-Open",
                    "o",
                    "Content-Type",
                    "a/b",
                    "cache-control",
                    "x",
                    "Cache-Control",
                    "y",
                    "Access-Control-Allow-Origin",
                    "*",
                    "Access-Control-Expose-Headers",
                    "x-open"))) {
      assertEquals(
          List.of(
              "206 Text https://two.test/x",
              "\"cache-control: x, y\\r\\ncontent-type: a/b\\r\\nx-open: o\\r\\n\"",
              "o null x, y"),
          scenario
              .window(
                  SIMPLE
                      + "xhr.open('GET', 'https://two.test/x#f'); xhr.send(); xhr.onload = () => {"
                      + "console.log(xhr.status, xhr.statusText, xhr.responseURL);"
                      + "console.log(JSON.stringify(xhr.getAllResponseHeaders()));"
                      + "console.log(xhr.getResponseHeader('X-OPEN'), xhr.getResponseHeader('x-secret'),"
                      + " xhr.getResponseHeader('Cache-Control')) }")
              .run());
    }
  }

  @Test
  void redirects_are_followed_and_response_url_is_the_last_url() {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                Scenario.ORIGIN + "/x",
                response(Scenario.ORIGIN + "/x", 302, bytes(""), "Location", "/y"))
            .resource("/y", "why")) {
      assertEquals(
          List.of("https://one.test/y why"),
          scenario
              .window(
                  SIMPLE
                      + "xhr.open('GET', '/x#f'); xhr.send();"
                      + "xhr.onload = () => console.log(xhr.responseURL, xhr.responseText)")
              .run());
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'' | {\"a\":1} string",
        "'text' | {\"a\":1} string",
        "'json' | {\"a\":1} object",
        "'arraybuffer' | 7 ArrayBuffer",
        "'blob' | 7 x/y",
        "'document' | {\"a\":1} string",
      },
      delimiterString = " | ",
      quoteCharacter = '`')
  void response_has_the_requested_type(String type, String expected) {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                Scenario.ORIGIN + "/x",
                response(Scenario.ORIGIN + "/x", 200, bytes("{\"a\":1}"), "Content-Type", "x/y"))) {
      assertEquals(
          List.of(expected + " true"),
          scenario
              .window(
                  SIMPLE
                      + "xhr.responseType = "
                      + type
                      + "; xhr.open('GET', '/x'); xhr.send(); xhr.onload = () => {"
                      + "const r = xhr.response;"
                      + "console.log((r instanceof ArrayBuffer ? r.byteLength + ' ArrayBuffer'"
                      + " : r instanceof Blob ? r.size + ' ' + r.type"
                      + " : (typeof r === 'string' ? r : JSON.stringify(r)) + ' ' + typeof r)"
                      + " + ' ' + (xhr.response === r)) }")
              .run());
    }
  }

  @Test
  void response_is_null_for_malformed_json() {
    assertEquals(
        List.of("null null"),
        log(
            SIMPLE
                + "xhr.responseType = 'json'; xhr.open('GET', '/x'); xhr.send();"
                + "xhr.onload = () => console.log(xhr.response, xhr.response)"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "text/plain;charset=latin1 |  | é",
        "text/plain | text/plain;charset=windows-1252 | é",
        "text/plain |  | \ufffd",
        "text/plain;charset=koi8-r | text/plain;charset=nonsense | \ufffd",
      },
      delimiter = '|')
  void text_is_decoded_by_content_type_or_override(
      String contentType, String override, String expected) {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                Scenario.ORIGIN + "/x",
                response(
                    Scenario.ORIGIN + "/x",
                    200,
                    new byte[] {(byte) 0xE9},
                    "Content-Type",
                    contentType))) {
      assertEquals(
          List.of(expected),
          scenario
              .window(
                  SIMPLE
                      + "xhr.open('GET', '/x'); xhr.send();"
                      + (override == null ? "" : "xhr.overrideMimeType('" + override + "');")
                      + "xhr.onload = () => console.log(xhr.responseText)")
              .run());
    }
  }

  @Test
  void response_without_a_content_type_is_decoded_by_its_xml_declaration() {
    try (Scenario scenario =
        new Scenario(1)
            .response(
                Scenario.ORIGIN + "/x",
                response(
                    Scenario.ORIGIN + "/x",
                    200,
                    "<?xml version='1.0' encoding='windows-1252'?><a>é</a>"
                        .getBytes(StandardCharsets.ISO_8859_1)))) {
      assertTrue(
          scenario
              .window(
                  SIMPLE
                      + "xhr.open('GET', '/x'); xhr.send();"
                      + "xhr.onload = () => console.log(xhr.responseText)")
              .run()
              .getFirst()
              .endsWith("<a>é</a>"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "xhr.open('a b', '/x') | SyntaxError: Failed to execute 'open' on 'XMLHttpRequest': 'a b' is not a valid HTTP method.",
        "xhr.open('trace', '/x') | SecurityError: Failed to execute 'open' on 'XMLHttpRequest': 'trace' HTTP method is unsupported.",
        "xhr.open('GET', 'https://') | SyntaxError: Failed to execute 'open' on 'XMLHttpRequest': Invalid URL",
        "xhr.send() | InvalidStateError: Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED.",
        "xhr.setRequestHeader('a', 'b') | InvalidStateError: Failed to execute 'setRequestHeader' on 'XMLHttpRequest': The object's state must be OPENED.",
        "xhr.timeout = 1; xhr.open('GET', '/x', false) | InvalidAccessError: Failed to execute 'open' on 'XMLHttpRequest': Synchronous requests from a document must not set a timeout.",
        "xhr.responseType = 'json'; xhr.open('GET', '/x', false) | InvalidAccessError: Failed to execute 'open' on 'XMLHttpRequest': Synchronous requests from a document must not set a response type.",
        "xhr.open('GET', '/x'); xhr.setRequestHeader('a b', 'c') | SyntaxError: Failed to execute 'setRequestHeader' on 'XMLHttpRequest': 'a b' is not a valid HTTP header field name.",
        "xhr.open('GET', '/x'); xhr.send(); xhr.send() | InvalidStateError: Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED.",
        "xhr.open('GET', '/x'); xhr.send(); xhr.withCredentials = true | InvalidStateError: Failed to set the 'withCredentials' property on 'XMLHttpRequest': The value may only be set if the object's state is UNSENT or OPENED.",
        "xhr.responseType = 'blob'; xhr.responseText | InvalidStateError: Failed to read the 'responseText' property from 'XMLHttpRequest': The value is only accessible if the object's 'responseType' is '' or 'text' (was 'blob').",
      },
      delimiterString = " | ",
      quoteCharacter = '`')
  void forbidden_calls_throw_like_browsers(String script, String expected) {
    assertEquals(List.of(expected), log(SIMPLE + "console.log(caught(() => {" + script + "}))"));
  }

  @Test
  void credentials_given_to_open_are_sent_after_a_challenge() {
    try (Scenario scenario =
        new Scenario(1)
            .server(request ->
                request.url().endsWith("/x")
                        && request.headers().stream()
                            .noneMatch(each -> each.getKey().equals("Authorization"))
                    ? Optional.of(response(request.url(), 401, bytes("who?")))
                    : echo(request))) {
      assertEquals(
          List.of("200 GET|Authorization=Basic dTpwIDQ=|", "401 who?"),
          scenario
              .window(
                  SIMPLE
                      + "xhr.open('GET', '/x', true, 'u', 'p 4'); xhr.send();"
                      + "xhr.onload = () => { console.log(xhr.status, xhr.responseText);"
                      + "xhr.onload = () => console.log(xhr.status, xhr.responseText);"
                      + "xhr.open('GET', '/x'); xhr.send() }")
              .run());
    }
  }

  @Test
  void microtasks_run_between_listeners_of_one_event() {
    assertEquals(
        List.of("a", "microtask", "b"),
        log(
            SIMPLE
                + "xhr.onload = () => { console.log('a'); Promise.resolve().then(() => console.log('microtask')) };"
                + "xhr.addEventListener('load', () => console.log('b')); xhr.open('GET', '/x'); xhr.send()"));
  }

  @Test
  void service_worker_can_handle_the_request() {
    try (Scenario scenario =
        new Scenario(1)
            .resource("/sw.js", "onfetch = e => e.respondWith(new Response('from the worker'))")) {
      assertEquals(
          List.of("undefined undefined function", "from the worker"),
          scenario
              .resource(
                  "/page.html",
                  "<script>"
                      + SIMPLE
                      + "xhr.open('GET', '/x'); xhr.send();"
                      + "xhr.onload = () => console.log(xhr.responseText)</script>")
              .resource(
                  "/sw.js",
                  "console.log(typeof XMLHttpRequest, typeof FileReaderSync, typeof FormData);"
                      + "onfetch = e => e.request.mode === 'navigate'"
                      + " || e.respondWith(new Response('from the worker'))")
              .window("navigator.serviceWorker.register('/sw.js', {scope: '/'})")
              .runFor(10_000)
              .open("/page.html")
              .run());
    }
  }
}
