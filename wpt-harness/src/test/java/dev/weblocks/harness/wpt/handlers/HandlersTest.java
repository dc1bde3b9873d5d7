package dev.weblocks.harness.wpt.handlers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlersTest {

  private static final String ID = "01234567-89ab-cdef-0123-456789abcdef";
  private static final String DISPATCHER = "/common/dispatcher/dispatcher.py?uuid=" + ID;
  private static final String FETCH = "/fetch/api/resources/";

  private final Stash stash = new Stash();

  /** Sends a request; {@code headers} are names and values in turn. */
  private Reply send(String method, String url, String body, String... headers) {
    List<Map.Entry<String, String>> all = new ArrayList<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(Map.entry(headers[i], headers[i + 1]));
    }
    String[] parts = url.split("\\?", 2);
    Request request =
        new Request(
            method,
            "https://web-platform.test:8443",
            parts[0],
            parts.length == 1 ? "" : parts[1],
            all,
            body.getBytes(UTF_8));
    return Handlers.at(parts[0]).orElseThrow().handle(request, stash);
  }

  private Reply get(String url, String... headers) {
    return send("GET", url, "", headers);
  }

  private static String text(Reply reply) {
    return new String(reply.body(), ISO_8859_1);
  }

  private static String header(Reply reply, String name) {
    return reply.header(name).orElse("(none)");
  }

  @Test
  void python_path_without_a_replacement_has_no_handler() {
    assertFalse(Handlers.at("/common/unknown.py").isPresent());
  }

  @Test
  void the_dispatcher_hands_out_each_message_once_in_the_order_of_arrival() {
    assertEquals("not ready", text(get(DISPATCHER)));
    assertEquals("done", text(send("POST", DISPATCHER, "one \u00e9")));
    assertEquals("done", text(send("POST", DISPATCHER, "two")));
    assertEquals(
        "not ready", text(get(DISPATCHER.replace("0123", "3210"))), "each UUID has its own queue");

    assertEquals("one \u00e9", new String(get(DISPATCHER).body(), UTF_8));
    assertEquals("two", text(get(DISPATCHER)));
    assertEquals("not ready", text(get(DISPATCHER)));
  }

  @Test
  void dispatcher_allows_requests_of_any_origin_with_cookies() {
    Reply preflight =
        send("OPTIONS", "/common/dispatcher/dispatcher.py", "", "Origin", "https://a.test");
    assertEquals("https://a.test", header(preflight, "Access-Control-Allow-Origin"));
    assertEquals("true", header(preflight, "Access-Control-Allow-Credentials"));
    assertEquals("OPTIONS, GET, POST", header(preflight, "Access-Control-Allow-Methods"));
    assertEquals("Content-Type", header(preflight, "Access-Control-Allow-Headers"));
    assertEquals("", text(preflight));
    assertEquals("*", header(get(DISPATCHER), "Access-Control-Allow-Origin"));
    assertEquals("no-cache, no-store, must-revalidate", header(get(DISPATCHER), "Cache-Control"));
    assertEquals("max-age=31536000", header(get(DISPATCHER + "&cacheable"), "Cache-Control"));
  }

  @Test
  void dispatcher_queues_the_request_headers_as_a_message_if_requested() {
    assertEquals(
        "",
        text(get(DISPATCHER + "&show-headers", "Accept", "a", "ACCEPT", "b", "X-One", "\u00e9")));

    assertEquals("{\"accept\":\"a, b\",\"x-one\":\"\\u00E9\"}", text(get(DISPATCHER)));
  }

  @Test
  void dispatcher_refuses_a_missing_or_invalid_uuid() {
    assertEquals(
        "the query has no 'uuid'",
        assertThrows(IllegalArgumentException.class, () -> get("/common/dispatcher/dispatcher.py"))
            .getMessage());
    assertEquals(
        "the stash key 'x' is not a UUID",
        assertThrows(
                IllegalArgumentException.class,
                () -> get("/common/dispatcher/dispatcher.py?uuid=x"))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "/common/redirect.py?location=/a%3Fb%26c, 302, 0",
    "/common/redirect.py?location=/a%3Fb%26c&status=307, 307, 0",
    "/common/redirect.py?location=/a%3Fb%26c&status=no, 302, 0",
    "/common/redirect-opt-in.py?location=/a%3Fb%26c, 302, 0",
    "/common/slow-redirect.py?location=/a%3Fb%26c, 302, 2",
    "/common/slow-redirect.py?location=/a%3Fb%26c&delay=5&status=301, 301, 5",
    "/common/slow-redirect.py?location=/a%3Fb%26c&delay=0, 302, 0"
  })
  void redirects_lead_to_the_url_of_the_query(String url, int status, int seconds) {
    Reply reply = get(url);

    assertEquals(status, reply.status());
    assertEquals("/a?b&c", header(reply, "Location"));
    assertEquals(Duration.ofSeconds(seconds), reply.delay());
  }

  @Test
  void redirects_allow_other_origins_if_the_query_enables_it() {
    String url = "/common/redirect.py?location=/&enable-cors";

    assertEquals(
        "https://a.test",
        header(get(url, "Origin", "https://a.test"), "Access-Control-Allow-Origin"));
    assertFalse(get(url).has("Access-Control-Allow-Origin"));
    assertEquals("*", header(get("/common/redirect-opt-in.py?location=/"), "Timing-Allow-Origin"));
  }

  @Test
  void slow_handlers_delay_their_response() {
    assertEquals(Duration.ofSeconds(2), get("/common/slow.py").delay());
    assertEquals(Duration.ofMillis(1500), get("/common/slow.py?delay=1500").delay());
    Reply inParts =
        get(
            "/html/browsers/browsing-the-web/back-forward-cache/resources/slow.py"
                + "?delayBeforeHeader=100&delayBeforeBody=200.5&cors");
    assertEquals(Duration.ofNanos(300_500_000), inParts.delay());
    assertEquals("Body", text(inParts));
    assertEquals("*", header(inParts, "Access-Control-Allow-Origin"));
    Reply trickled = get(FETCH + "trickle.py?ms=10&count=3");
    assertEquals("TEST_TRICKLE\n".repeat(3), text(trickled));
    assertEquals(Duration.ofMillis(50), trickled.delay());
    assertEquals("text/plain", header(trickled, "Content-Type"));
    assertFalse(get(FETCH + "trickle.py?ms=0&count=0&notype").has("Content-Type"));
  }

  @Test
  void echo_handlers_return_the_request() {
    assertEquals("<p>a b", text(get("/common/echo.py?content=%3Cp%3Ea+b")));
    assertEquals("0; URL=/x", header(get("/common/refresh.py?location=/x"), "Refresh"));
    Reply echo = send("PUT", FETCH + "echo-content.py", "\\\u0001\r\n", "Content-Type", "a/b");
    assertEquals("PUT", header(echo, "X-Request-Method"));
    assertEquals("a/b", header(echo, "X-Request-Content-Type"));
    assertEquals("NO", header(echo, "X-Request-Content-Length"));
    assertEquals("\\\u0001\r\n", text(echo));
    assertEquals(
        "\\\\\\x01\r\n\\x0a\\xc3\\xa9",
        text(
            send(
                "POST",
                "/FileAPI/file/resources/echo-content-escaped.py",
                "\\\u0001\r\n\n\u00e9")));
  }

  @Test
  void query_sets_status_headers_and_body_of_the_response() {
    Reply custom =
        get(
            "/common/CustomCorsResponse.py?status=404&headers=%7B%22X-A%22%3A%22b%22%7D"
                + "&content=%22%C3%A9%22");
    assertEquals(404, custom.status());
    assertEquals("b", header(custom, "X-A"));
    assertEquals("\u00e9", new String(custom.body(), UTF_8));
    assertTrue(text(get("/common/CustomCorsResponse.py")).startsWith("/*"));
    Reply status = get(FETCH + "status.py?code=418&text=Tea%20%E9&content=c&type=text/x");
    assertEquals(418, status.status());
    assertEquals("Tea \u00e9", status.reason());
    assertEquals("text/x", header(status, "Content-Type"));
    assertEquals("c", text(status));
    assertEquals("OMG", get(FETCH + "status.py").reason());
    assertThrows(IllegalArgumentException.class, () -> get(FETCH + "status.py?code=x"));
  }

  @Test
  void requested_encoding_is_declared_in_a_header_or_in_markup() {
    assertEquals(
        "text/plain;charset=koi8-r",
        header(get("/encoding/resources/text-plain-charset.py?label=koi8-r"), "Content-Type"));
    assertEquals(
        "<meta charset=\"koi8-r\">hello encoding",
        text(get("/encoding/resources/text-html-meta-charset.py?label=koi8-r")));
    byte[] all = get("/encoding/resources/single-byte-raw.py?label=koi8-r").body();
    assertEquals(255, all.length);
    assertEquals((byte) 254, all[254]);
    Reply link = get("/url/resources/percent-encoding.py?value=w6k+&encoding=big5");
    assertEquals("text/html;charset=big5", header(link, "Content-Type"));
    assertTrue(text(link).contains("?&#xE9;"), text(link));
  }

  @Test
  void inspect_headers_copies_request_headers_into_the_response() {
    Reply reply =
        get(
            FETCH + "inspect-headers.py?headers=X-One|x-two&cors",
            "x-one",
            "1",
            "Origin",
            "https://a.test");

    assertEquals("1", header(reply, "x-request-X-One"));
    assertFalse(reply.has("x-request-x-two"));
    assertEquals("https://a.test", header(reply, "Access-Control-Allow-Origin"));
    assertEquals(
        "x-request-X-One, x-request-x-two", header(reply, "Access-Control-Expose-Headers"));
    assertEquals("x-one, origin", header(reply, "Access-Control-Allow-Headers"));
    assertEquals(
        "x-a",
        header(
            get(FETCH + "inspect-headers.py?headers=&cors&allow_headers=x-a"),
            "Access-Control-Allow-Headers"));
  }

  @Test
  void method_of_a_request_is_returned() {
    Reply reply = send("FOO", FETCH + "method.py?cors", "body", "Content-Language", "de");

    assertEquals("FOO", header(reply, "x-request-method"));
    assertEquals("de", header(reply, "x-request-content-language"));
    assertEquals("NO", header(reply, "x-request-content-type"));
    assertEquals("x-request-method", header(reply, "Access-Control-Expose-Headers"));
    assertEquals("body", text(reply));
  }

  @Test
  void a_preflight_is_remembered_until_the_stash_is_cleared() {
    String url = FETCH + "preflight.py?token=" + ID + "&control_request_headers&allow_methods=PUT";
    Reply preflight =
        send(
            "OPTIONS",
            url + "&preflight_status=204",
            "",
            "Accept",
            "*/*",
            "Access-Control-Request-Method",
            "PUT",
            "Access-Control-Request-Headers",
            "x-a");
    assertEquals(204, preflight.status());
    assertEquals("PUT", header(preflight, "Access-Control-Allow-Methods"));

    for (int i = 0; i < 2; i++) {
      Reply reply = send("PUT", url, "", "Origin", "https://a.test");
      assertEquals("1", header(reply, "x-did-preflight"));
      assertEquals("x-a", header(reply, "x-control-request-headers"));
      assertEquals("https://a.test", header(reply, "x-origin"));
    }
    assertEquals("1", text(get(url + "&clear-stash")));
    assertEquals("0", text(get(url + "&clear-stash")));
    assertEquals("0", header(get(url), "x-did-preflight"));
  }

  @Test
  void invalid_preflight_is_refused() {
    assertEquals(400, send("OPTIONS", FETCH + "preflight.py", "", "Accept", "*/*").status());
    assertEquals(
        400,
        send("OPTIONS", FETCH + "preflight.py", "", "Access-Control-Request-Method", "PUT")
            .status());
  }

  @Test
  void redirect_appends_its_query_and_a_count_to_the_location() {
    String url = FETCH + "redirect.py?token=" + ID + "&max_count=1&location=next.py";
    Reply first = get(url);
    assertEquals(302, first.status());
    assertEquals(
        "next.py?token=" + ID + "&max_count=1&location=next.py&count=1", header(first, "Location"));

    Reply last = get(url);
    assertEquals(200, last.status());
    assertEquals("1", text(last));
  }

  @Test
  void redirect_appends_nothing_with_parameter_simple_or_a_location_beyond_http() {
    assertEquals("/a?b", header(get(FETCH + "redirect.py?simple&location=/a%3Fb"), "Location"));
    assertEquals("data:,x", header(get(FETCH + "redirect.py?location=data:,x"), "Location"));
    assertEquals(
        "https://a.test/?x=1&location=https%3A%2F%2Fa.test%2F%3Fx%3D1&redirect_status=308&count=1",
        header(
            get(FETCH + "redirect.py?location=https://a.test/%3Fx=1&redirect_status=308"),
            "Location"));
    assertEquals("", header(get(FETCH + "redirect-empty-location.py"), "Location"));
  }

  @Test
  void redirect_answers_preflights_itself_by_default() {
    String url = FETCH + "redirect.py?location=/&allow_headers=x-a";
    Reply preflight = send("OPTIONS", url, "", "Origin", "https://a.test");
    assertEquals(200, preflight.status());
    assertEquals("x-a", header(preflight, "Access-Control-Allow-Headers"));
    assertEquals("https://a.test", header(preflight, "Access-Control-Allow-Origin"));

    assertEquals(302, send("OPTIONS", url + "&redirect_preflight", "").status());
  }

  @Test
  void stash_value_is_put_once_and_taken_once_as_json() {
    String put = FETCH + "stash-put.py?key=" + ID + "&value=a%22b";
    assertEquals("done", text(get(put)));
    assertThrows(IllegalArgumentException.class, () -> get(put));

    assertEquals("\"a\\\"b\"", text(get(FETCH + "stash-take.py?key=" + ID)));
    assertEquals("null", text(get(FETCH + "stash-take.py?key=" + ID)));
  }

  @Test
  void stash_refuses_disallowed_origins() {
    String put = FETCH + "stash-put.py?key=" + ID + "&value=v&disallow_cross_origin&mode=cors";

    assertEquals("not stashing for cors request", text(get(put + "&frame_origin=https://a.test")));
    assertEquals("null", text(get(FETCH + "stash-take.py?key=" + ID)));
    assertEquals("done", text(get(put + "&frame_origin=https://web-platform.test:8443")));
    assertEquals("0", text(get(FETCH + "clean-stash.py?token=" + ID)), "it has its own path");
  }

  @Test
  void executor_page_loads_its_scripts_and_starts_the_executor_with_its_uuid() {
    Reply reply =
        get(
            "/html/browsers/browsing-the-web/remote-context-helper/resources/executor-window.py"
                + "?uuid=a%22%3C/script%3E&script=/x.js%3Fa%26b&startOn=load",
            "X-One", "</script>");

    String page = text(reply);
    assertEquals("text/html", header(reply, "Content-Type"));
    assertTrue(page.contains("<script src='/x.js?a&amp;b'></script>"), page);
    assertTrue(page.contains("append(\"x-one\", \"\\u003C/script>\");"), page);
    assertTrue(page.contains("requestExecutor(\"a\\\"\\u003C/script>\", \"load\");"), page);
    assertEquals(
        404,
        get("/html/browsers/browsing-the-web/remote-context-helper/resources/executor-window.py"
                + "?uuid=a&status=404")
            .status());
  }
}
