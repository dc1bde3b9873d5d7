package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The processing of a request between script and resource loader. */
class FetchingTest {

  private static final String SHOW =
      """
      fetch(%s).then(
        async r => console.log([r.type, r.url, r.redirected, r.status, await r.text()].join(' ')),
        e => console.log(e.name));
      """;

  /** Creates a response to a URL: a status, headers as {@code name: value} and a body. */
  private static ResourceResponse answer(String url, int status, String body, String... headers) {
    List<Map.Entry<String, String>> list = new ArrayList<>();
    for (String each : headers) {
      String[] parts = each.split(": ", 2);
      list.add(Map.entry(parts[0], parts[1]));
    }
    return new ResourceResponse(url, status, "", list, body.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> methods(Scenario scenario) {
    return scenario.requests().stream()
        .skip(1)
        .map(each -> each.method() + " " + each.url())
        .toList();
  }

  private static String header(ResourceRequest request, String name) {
    return request.headers().stream()
        .filter(each -> each.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("none");
  }

  private static String fetched(String arguments, ResourceResponse... responses) {
    try (Scenario scenario = new Scenario(1)) {
      for (ResourceResponse each : responses) {
        scenario.response(each.url(), each);
      }
      return scenario.window(SHOW.formatted(arguments)).run().getFirst();
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'data:,a%20b' | basic data:,a%20b false 200 a b",
        "'data:,a#b' | basic data:,a false 200 a",
        "'data:,a', {mode: 'same-origin'} | basic data:,a false 200 a",
        "'data:' | TypeError",
        "'about:blank' | TypeError",
        "'about:blank', {mode: 'no-cors'} | opaque  false 0 ",
        "'about:nothing', {mode: 'no-cors'} | TypeError",
        "'file:///etc/passwd' | TypeError",
        "'blob:https://one.test/nothing' | TypeError",
        "'https://one.test:25/' | TypeError",
        "'/x', {cache: 'only-if-cached', mode: 'same-origin'} | TypeError",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void local_and_blocked_urls_never_reach_the_loader(String arguments, String expected) {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          expected, scenario.window(SHOW.formatted(arguments)).run().getFirst().stripTrailing());
      assertEquals(List.of(), methods(scenario));
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "{} | none | TypeError",
        "{} | * | cors https://two.test/x false 200 body",
        "{} | https://one.test | cors https://two.test/x false 200 body",
        "{} | https://three.test | TypeError",
        "{credentials: 'include'} | * | TypeError",
        "{credentials: 'include'} | https://one.test | TypeError",
        "{mode: 'same-origin'} | * | TypeError",
        "{mode: 'no-cors'} | none | opaque  false 0 ",
        "{mode: 'no-cors', redirect: 'manual'} | * | TypeError",
      },
      delimiter = '|')
  void response_of_another_origin_is_readable_if_it_allows_it(
      String init, String allowed, String expected) {
    assertEquals(
        expected,
        fetched(
                "'https://two.test/x', " + init,
                answer(
                    "https://two.test/x", 200, "body", "Access-Control-Allow-Origin: " + allowed))
            .stripTrailing());
  }

  @Test
  void credentialed_cors_response_needs_the_exact_origin_and_allow_credentials() {
    assertEquals(
        "cors https://two.test/x false 200 body",
        fetched(
            "'https://two.test/x', {credentials: 'include'}",
            answer(
                "https://two.test/x",
                200,
                "body",
                "Access-Control-Allow-Origin: https://one.test",
                "Access-Control-Allow-Credentials: true")));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "GET, {}, '', '', true",
        "GET, {'X-A': 1}, '', '', false",
        "GET, {'X-A': 1}, '', x-a, true",
        "GET, {'X-A': 1}, '', *, true",
        "GET, {'Authorization': 1}, '', *, false",
        "GET, {'Authorization': 1}, '', authorization, true",
        "GET, {'Content-Type': 'a/b'}, '', '', false",
        "POST, {'Content-Type': 'text/plain'}, '', '', true",
        "PUT, {}, '', '', false",
        "PUT, {}, 'GET, PUT', '', true",
        "PUT, {}, *, '', true",
      })
  void preflight_precedes_requests_that_no_form_could_send(
      String method, String headers, String methods, String names, boolean reaches) {
    try (Scenario scenario = new Scenario(1)) {
      String url = "https://two.test/x";
      scenario
          .server(request ->
              !request.url().equals(url)
                  ? Optional.empty()
                  : Optional.of(
                      answer(
                          url,
                          200,
                          request.method(),
                          "Access-Control-Allow-Origin: *",
                          "Access-Control-Allow-Methods: " + methods,
                          "Access-Control-Allow-Headers: " + names)))
          .window(
              SHOW.formatted(
                  "'" + url + "', {method: '" + method + "', headers: " + headers + "}"));
      assertEquals(
          List.of(reaches ? "cors " + url + " false 200 " + method : "TypeError"), scenario.run());
      boolean simple = methods.isEmpty() && names.isEmpty() && reaches;
      List<String> expected = new ArrayList<>();
      if (!simple) {
        expected.add("OPTIONS " + url);
      }
      if (reaches) {
        expected.add(method + " " + url);
      }
      assertEquals(expected, methods(scenario));
      if (!simple) {
        ResourceRequest preflight = scenario.requests().get(1);
        assertEquals(method, header(preflight, "Access-Control-Request-Method"));
        assertEquals("https://one.test", header(preflight, "Origin"));
        assertEquals("none", header(preflight, "X-A"));
      }
    }
  }

  @Test
  void redirects_are_followed_hop_by_hop() {
    assertEquals(
        "basic https://one.test/c true 200 end",
        fetched(
            "'/a#f'",
            answer("https://one.test/a", 302, "", "Location: b"),
            answer("https://one.test/b", 307, "", "Location: /c"),
            answer("https://one.test/c", 200, "end")));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "POST 301 GET '' none",
        "POST 302 GET '' none",
        "POST 303 GET '' none",
        "POST 307 POST b a/b",
        "PUT 301 PUT b a/b",
        "PUT 303 GET '' none",
      },
      delimiter = ' ')
  void redirect_may_turn_a_request_into_a_get(
      String method, int status, String then, String body, String type) {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response("https://one.test/a", answer("https://one.test/a", status, "", "Location: b"))
          .response("https://one.test/b", answer("https://one.test/b", 200, ""))
          .window(
              "fetch('/a', {method: '%s', body: 'b', headers: {'content-type': 'a/b'}});"
                  .formatted(method))
          .run();
      ResourceRequest last = scenario.requests().getLast();
      assertEquals(
          List.of(then, body, type),
          List.of(
              last.method(),
              new String(last.body(), StandardCharsets.UTF_8),
              header(last, "Content-Type")));
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "{redirect: 'error'} | TypeError",
        "{redirect: 'manual'} | opaqueredirect https://one.test/a false 0",
      },
      delimiter = '|')
  void redirect_mode_decides(String init, String expected) {
    assertEquals(
        expected,
        fetched("'/a', " + init, answer("https://one.test/a", 302, "secret", "Location: b"))
            .strip());
  }

  @ParameterizedTest
  @CsvSource({
    "'data:,x', TypeError",
    "http://[, TypeError",
    "https://user@one.test/b, basic https://user@one.test/b true 404",
    "https://user@two.test/b, TypeError",
  })
  void redirect_follows_allowed_urls_only(String location, String expected) {
    assertEquals(
        expected,
        fetched("'/a'", answer("https://one.test/a", 302, "", "Location: " + location)).strip());
  }

  @Test
  void redirect_without_a_location_header_is_returned_as_the_response() {
    assertEquals(
        "basic https://one.test/a false 302 body",
        fetched("'/a'", answer("https://one.test/a", 302, "body")));
  }

  @Test
  void redirect_loop_is_a_network_error() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response("https://one.test/a", answer("https://one.test/a", 302, "", "Location: a"))
          .window(SHOW.formatted("'/a'"));
      assertEquals(List.of("TypeError"), scenario.run());
      assertEquals(21, methods(scenario).size());
    }
  }

  @Test
  void redirect_to_another_origin_drops_the_authorization_header() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response(
              "https://one.test/a",
              answer("https://one.test/a", 302, "", "Location: https://two.test/b"))
          .response(
              "https://two.test/b",
              answer(
                  "https://two.test/b",
                  302,
                  "",
                  "Location: https://one.test/c",
                  "Access-Control-Allow-Origin: https://one.test"))
          .response(
              "https://one.test/c",
              answer("https://one.test/c", 200, "end", "Access-Control-Allow-Origin: null"))
          .window(SHOW.formatted("'/a', {headers: {Authorization: 'x'}}"));
      assertEquals(List.of("cors https://one.test/c true 200 end"), scenario.run());
      List<ResourceRequest> sent = scenario.requests();
      assertEquals("x", header(sent.get(1), "Authorization"));
      assertEquals("none", header(sent.get(2), "Authorization"));
      // after a redirect to another origin and back, the origin is opaque
      assertEquals("null", header(sent.get(3), "Origin"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0= | basic",
        "sha256-AAAA | TypeError",
      },
      delimiter = '|')
  void integrity_is_checked_at_fetch(String integrity, String expected) {
    assertEquals(
        expected,
        fetched("'/a', {integrity: '" + integrity + "'}", answer("https://one.test/a", 200, "abc"))
            .split(" ")[0]);
  }

  @ParameterizedTest
  @CsvSource({
    "text/javascript, nosniff, ran",
    "text/plain, nosniff, failed",
    "text/plain, none, ran",
    "image/png, none, failed",
    "text/csv, none, failed",
  })
  void script_of_a_wrong_type_is_blocked(String type, String options, String expected) {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .response(
              "https://one.test/a",
              answer(
                  "https://one.test/a",
                  200,
                  "console.log('ran')",
                  "Content-Type: " + type,
                  "X-Content-Type-Options: " + options))
          .window("</script><script src=/a onerror='console.log(\"failed\")'>");
      assertEquals(expected, scenario.run().getFirst().replaceFirst("^script failed.*", "failed"));
    }
  }

  @Test
  void navigation_follows_redirects_to_other_origins() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .server(request ->
              request.url().equals("https://one.test/window-0.html")
                  ? Optional.of(answer(request.url(), 302, "", "Location: https://two.test/page"))
                  : Optional.empty())
          .resourceAt("https://two.test/page", "<script>console.log(location.href)</script>")
          .window("");
      assertEquals(List.of("https://two.test/page"), scenario.run());
    }
  }

  @Test
  void document_may_be_loaded_from_a_data_url_or_about_blank() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.windowAtUrl("data:text/html,<script>console.log(origin)</script>");
      scenario.windowAtUrl("about:blank");
      assertEquals(List.of("null"), scenario.run());
      assertEquals(List.of(), scenario.requests());
    }
  }
}
