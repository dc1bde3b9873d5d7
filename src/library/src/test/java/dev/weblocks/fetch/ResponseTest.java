package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseTest {

  /** Returns the result of an async function body, or the exception that it throws. */
  private static String returned(String body) {
    List<String> log =
        Scenario.logOf(
            "(async () => {"
                + body
                + "})().then(v => console.log(String(v)), e => console.log(e.name + ': ' + e.message));");
    assertEquals(1, log.size(), log.toString());
    return log.getFirst();
  }

  @Test
  void response_without_body_is_empty_and_ok() {
    assertEquals(
        "default||false|200|true||0|false||{}|0|false",
        returned(
            """
            const r = new Response();
            const blob = await r.blob();
            return [r.type, r.url, r.redirected, r.status, r.ok, r.statusText, [...r.headers].length,
              r.bodyUsed, await r.text(), JSON.stringify(await r.bytes()),
              (await r.arrayBuffer()).byteLength + blob.size, r.bodyUsed].join('|');
            """));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'t\u00e9xt' | t\u00e9xt | text/plain;charset=UTF-8",
        "'' | '' | text/plain;charset=UTF-8",
        "/x/ | /x/ | text/plain;charset=UTF-8",
        "new Uint8Array([97, 98]).subarray(1) | b | null",
        "new Uint8Array([97, 98]).buffer | ab | null",
        "new Blob(['abc'], {type: 'A/b'}) | abc | a/b",
        "new Blob(['abc']) | abc | null",
        "new URLSearchParams({a: 'b c', 'é': '&'})"
            + " | a=b+c&%C3%A9=%26 | application/x-www-form-urlencoded;charset=UTF-8",
        "new URL('https://a.test/?x=%20').searchParams"
            + " | x=+ | application/x-www-form-urlencoded;charset=UTF-8",
        "new File(['abc'], 'n', {type: 'not a type'}) | abc | not a type",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void body_determines_the_content_type(String body, String text, String type) {
    assertEquals(
        (text.equals("''") ? "" : text) + " " + type,
        returned(
            "const r = new Response(%s); return await r.text() + ' ' + r.headers.get('content-type');"
                .formatted(body)));
  }

  @Test
  void explicit_content_type_is_kept() {
    assertEquals(
        "x/y",
        returned(
            "return new Response('t', {headers: {'content-TYPE': 'x/y'}}).headers.get('Content-Type');"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "{status: 199} | RangeError",
        "{status: 600} | RangeError",
        "{status: 0} | RangeError",
        "{status: 204} | TypeError",
        "{status: 304} | TypeError",
        "{statusText: '\\n'} | TypeError",
        "{statusText: '\\u0100'} | TypeError",
        "{headers: [['a']]} | TypeError",
        "1 | TypeError",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void bad_init_is_refused(String init, String error) {
    assertEquals(
        error,
        returned("try { new Response('', %s); } catch (e) { return e.name; }".formatted(init)));
  }

  @Test
  void response_has_the_members_of_init() {
    assertEquals(
        "599 false fine \u00e9|204 true|65736",
        returned(
            """
            const r = new Response('', {status: 599, statusText: 'fine \\u00e9'});
            const n = new Response(undefined, {status: 204});
            let wrapped;
            try { wrapped = new Response(null, {status: 65536 + 200}).status + 65536; } catch (e) { wrapped = e; }
            return [`${r.status} ${r.ok} ${r.statusText}`, `${n.status} ${n.ok}`, wrapped].join('|');
            """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"arrayBuffer", "blob", "bytes", "json", "text"})
  void body_is_read_once(String operation) {
    assertEquals(
        "false true true TypeError TypeError",
        returned(
            """
            const r = new Response('1');
            const before = r.bodyUsed;
            const promise = r.%1$s();
            const during = r.bodyUsed;
            await promise;
            const again = await r.%1$s().catch(e => e.name);
            let clone;
            try { r.clone(); } catch (e) { clone = e.name; }
            return [before, during, r.bodyUsed, again, clone].join(' ');
            """
                .formatted(operation)));
  }

  @Test
  void body_used_is_true_after_reading_an_empty_but_not_null_body() {
    assertEquals(
        "true false",
        returned(
            """
            const empty = new Response('');
            const none = new Response(null);
            await empty.text();
            await none.text();
            return empty.bodyUsed + ' ' + none.bodyUsed;
            """));
  }

  @Test
  void byte_order_mark_is_not_part_of_the_text() {
    assertEquals(
        "x|1|65279 6",
        returned(
            """
            const r = () => new Response('\\ufeff1');
            const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]);
            const twice = await new Response(bytes).text();
            return [await new Response('\\ufeffx').text(), await r().json(),
              twice.charCodeAt(0) + ' ' + (await new Response(bytes).blob()).size].join('|');
            """));
  }

  @Test
  void blob_has_the_mime_type_of_the_headers() {
    assertEquals(
        "text/plain;charset=UTF-8||a/b;c=d|",
        returned(
            """
            const type = async (body, headers) => (await new Response(body, {headers}).blob()).type;
            return [await type('x'), await type(new Uint8Array(1)),
              await type('x', {'content-type': 'nonsense, A/B; C=d'}), await type(null)].join('|');
            """));
  }

  @Test
  void reading_invalid_json_rejects_with_a_syntax_error() {
    assertEquals(
        "SyntaxError SyntaxError",
        returned(
            """
            const name = response => response.json().then(() => 'no error', e => e.name);
            return await name(new Response('{')) + ' ' + await name(new Response());
            """));
  }

  @Test
  void clones_have_separate_bodies_and_headers() {
    assertEquals(
        "text text false|201 made|1 null x|TypeError",
        returned(
            """
            const one = new Response('text', {status: 201, statusText: 'made', headers: {a: '1'}});
            const two = one.clone();
            const texts = await one.text() + ' ';
            two.headers.append('b', 'x');
            const used = two.bodyUsed;
            const error = Response.error().clone();
            let immutable;
            try { error.headers.set('a', 'b'); } catch (e) { immutable = e.name; }
            return [texts + await two.text() + ' ' + used, two.status + ' ' + two.statusText,
              `${two.headers.get('a')} ${one.headers.get('b')} ${two.headers.get('b')}`, immutable].join('|');
            """));
  }

  @Test
  void static_error_returns_a_network_error() {
    assertEquals(
        "error 0 false  0",
        returned(
            """
            const e = Response.error();
            return [e.type, e.status, e.ok, e.statusText, (await e.text()).length].join(' ');
            """));
  }

  @Test
  void static_redirect_sets_status_and_location() {
    assertEquals(
        "302 https://one.test/x?y|308 https://two.test/|default 0|RangeError|TypeError",
        returned(
            """
            const show = r => r.status + ' ' + r.headers.get('location');
            const name = steps => { try { steps(); } catch (e) { return e.name; } };
            const r = Response.redirect('/x?y');
            return [show(r), show(Response.redirect('https://two.test/', 308)),
              r.type + ' ' + (await r.text()).length,
              name(() => Response.redirect('/', 200)), name(() => Response.redirect('http://'))].join('|');
            """));
  }

  @Test
  void static_json_makes_a_response() {
    assertEquals(
        "{\"a\":[1,null]} application/json 201|x/y|\"\\ud800\"",
        returned(
            """
            const r = Response.json({a: [1, undefined]}, {status: 201});
            const other = Response.json(1, {headers: {'Content-Type': 'x/y'}});
            return [await r.text() + ' ' + r.headers.get('content-type') + ' ' + r.status,
              other.headers.get('content-type'), await Response.json('\\ud800').text()].join('|');
            """));
  }

  @Test
  void static_json_rethrows_exceptions_of_script() {
    assertEquals(
        "true TypeError TypeError TypeError",
        returned(
            """
            const thrown = {};
            const caught = (data, init) => { try { Response.json(data, init); } catch (e) { return e; } };
            const self = {};
            self.self = self;
            return [caught({toJSON() { throw thrown; }}) === thrown, caught(undefined).name,
              caught(self).name, caught(1, {status: 204}).name].join(' ');
            """));
  }

  @Test
  void headers_are_the_same_object_each_time() {
    assertEquals("true", returned("const r = new Response(); return r.headers === r.headers;"));
  }

  @Test
  void method_called_on_a_wrong_receiver_rejects() {
    assertEquals(
        "TypeError",
        returned("return Response.prototype.text.call(new Blob()).catch(e => e.name);"));
  }
}
