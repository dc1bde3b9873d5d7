package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormDataTest {

  /** Shows a form as {@code name=value}, files by {@code name(type):text}. */
  private static final String SHOW =
      """
      async function show(form) {
        const all = [];
        for (const [name, value] of form) {
          all.push(name + '=' + (value instanceof File ? `${value.name}(${value.type}):${await value.text()}` : value));
        }
        return all.join('&');
      }
      """;

  private static String returned(String body) {
    List<String> log =
        Scenario.logOf(
            SHOW
                + "(async () => {"
                + body
                + "})().then(v => console.log(String(v)), e => console.log(e.name + ': ' + e.message));");
    assertEquals(1, log.size(), log.toString());
    return log.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "f.append('a', 1); f.append('a', 2); f.append('b', 3) | a=1&a=2&b=3",
        "f.append('a', 1); f.append('b', 2); f.append('a', 3); f.set('a', 4) | a=4&b=2",
        "f.append('a', 1); f.delete('a'); f.set('c', 5) | c=5",
        "f.append('a', new Blob(['x'], {type: 't/u'})) | a=blob(t/u):x",
        "f.append('a', new Blob(['x']), 'n') | a=n():x",
        "f.append('a', new File(['x'], 'n')) | a=n():x",
        "f.append('a', new File(['x'], 'n'), 'm') | a=m():x",
        "f.append('\\ud800', '\\ud800') | \ufffd=\ufffd",
      },
      delimiterString = " | ",
      quoteCharacter = '`')
  void entries_keep_their_order(String steps, String expected) {
    assertEquals(expected, returned("const f = new FormData(); " + steps + "; return show(f)"));
  }

  @Test
  void get_get_all_and_has_find_entries_by_name() {
    assertEquals(
        "1 1,2 null true false",
        returned(
            "const f = new FormData(); f.append('a', 1); f.append('a', 2);"
                + "return [f.get('a'), f.getAll('a'), f.get('b'), f.has('a'), f.has('b')].map(String).join(' ')"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new FormData(null)",
        "new FormData('a')",
        "new FormData(document)",
        "new FormData().append('a')",
        "new FormData().append('a', 'b', 'c')",
        "new FormData().set('a', {}, 'c')",
        "FormData()",
      })
  void invalid_arguments_are_type_errors(String expression) {
    assertEquals("TypeError", returned(expression).replaceFirst(":.*", ""));
  }

  @Test
  void form_is_encoded_as_in_browsers() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window(
              "const f = new FormData(); f.append('a\\n\"', 'x\\ny\\r\\rz');"
                  + "f.append('é', new File(['bytes'], 'n\\r\\n\"', {type: 'x/y'}));"
                  + "f.append('b', new Blob(['B']));"
                  + "fetch('/x', {method: 'POST', body: f})")
          .run();
      var request = scenario.requests().getLast();
      String type =
          request.headers().stream()
              .filter(each -> each.getKey().equals("Content-Type"))
              .findFirst()
              .orElseThrow()
              .getValue();
      String boundary = type.replaceFirst("^multipart/form-data; boundary=", "");
      assertEquals(true, boundary.matches("----WeblocksFormBoundary[0-9a-f]{16}"), type);
      assertEquals(
          """
          --B
          Content-Disposition: form-data; name="a%0D%0A%22"

          x
          y

          z
          --B
          Content-Disposition: form-data; name="é"; filename="n%0D%0A%22"
          Content-Type: x/y

          bytes
          --B
          Content-Disposition: form-data; name="b"; filename="blob"
          Content-Type: application/octet-stream

          B
          --B--
          """
              .replace("\n", "\r\n"),
          new String(request.body(), StandardCharsets.UTF_8).replace(boundary, "B"));
    }
  }

  @Test
  void form_is_parsed_back_from_its_body() {
    assertEquals(
        "a\"\r\n=1&é=\ufeffx\r\n&f=n\"é(x/y):bytes&e=",
        returned(
            "const f = new FormData(); f.append('a\"\\n', 1); f.append('é', '\\ufeffx\\n');"
                + "f.append('f', new File(['bytes'], 'n\"é', {type: 'x/y'})); f.append('e', '');"
                + "return show(await new Response(f).formData())"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "application/x-www-form-urlencoded | a=1&b=%C3%A9+c | a=1&b=é c",
        "application/x-www-form-urlencoded |  | ''",
        "multipart/form-data; boundary=B | --B--\\r\\n | ''",
        "multipart/form-data; boundary=B | --B\\r\\nContent-Disposition: form-data; name=a\\r\\n\\r\\n1\\r\\n--B-- | a=1",
        "multipart/form-data; boundary=B | --B\\r\\ncontent-disposition: FORM-DATA; filename=\"f\" ; name=\"a\"\\r\\nX: y\\r\\n\\r\\n-x\\r\\n--B--\\r\\n | a=f(text/plain):-x",
      },
      delimiterString = " | ",
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false)
  void form_data_is_read_from_urlencoded_and_multipart_bodies(
      String type, String body, String expected) {
    assertEquals(
        expected.equals("''") ? "" : expected,
        returned(
            "return show(await new Response('"
                + (body == null ? "" : body)
                + "', {headers: {'Content-Type': '"
                + type
                + "'}}).formData())"));
  }

  @Test
  void boundary_may_be_quoted_and_body_lines_may_resemble_the_boundary() {
    assertEquals(
        "a=--B",
        returned(
            "return show(await new Response('--B C\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\n--B\\r\\n--B C--',"
                + " {headers: {'Content-Type': 'multipart/form-data; boundary=\"B C\"'}}).formData())"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "text/plain | a=1",
        "multipart/form-data | --B--",
        "multipart/form-data; boundary=B | ",
        "multipart/form-data; boundary=B | --B",
        "multipart/form-data; boundary=B | --C--",
        "multipart/form-data; boundary=B | --B\\r\\n\\r\\n1\\r\\n--B--",
        "multipart/form-data; boundary=B | --B\\r\\nContent-Disposition: form-data; name=\"a\\r\\n\\r\\n1\\r\\n--B--",
        "multipart/form-data; boundary=B | --B\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\n1",
        "multipart/form-data; boundary=B | --B\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n",
        "multipart/form-data; boundary=B | --B\\r\\n : x\\r\\n\\r\\n\\r\\n--B--",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void malformed_or_non_form_body_is_a_type_error(String type, String body) {
    assertEquals(
        "TypeError: Failed to execute 'formData' on 'Request': The body of type '"
            + type.replace("; ", ";")
            + "' cannot be parsed as form data.",
        returned(
            "return show(await new Request('/', {method: 'POST', body: '"
                + (body == null ? "" : body)
                + "', headers: {'Content-Type': '"
                + type
                + "'}}).formData())"));
  }
}
