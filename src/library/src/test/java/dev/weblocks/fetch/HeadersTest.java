package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {

  /** Returns the result of a function body, or the exception that it throws. */
  private static String returned(String body) {
    return Scenario.logOf(
            "try { console.log(String((() => {"
                + body
                + "})())); } catch (e) { console.log(e.name + ': ' + e.message); }")
        .getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[['B', '1'], ['a', '2'], ['b', '3']]",
        "{B: '1, 3', a: '2'}",
        "new Headers([['b', '1'], ['a', '2'], ['B', '3']])",
        "new Map([['A', 2], ['b', '1, 3']])",
        "[new Set(['b', '1']), ['a', '2'], ['B', '3']]",
      })
  void headers_of_all_inits_are_sorted_and_combined(String init) {
    assertEquals(
        "a=2; b=1, 3",
        returned("return [...new Headers(%s)].map(h => h.join('=')).join('; ');".formatted(init)));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "null",
        "1",
        "'text'",
        "[['only']]",
        "[['a', 'b', 'c']]",
        "['ab']",
        "{'a b': 'c'}",
        "{'': 'c'}",
        "{a: 'b\\u0000'}",
        "{a: 'b\\nc'}",
        "{a: '\\u0100'}",
        "{'\\u0100': 'a'}",
        "{'\\u00e9': 'a'}",
        "{[Symbol('s')]: 'a'}",
      },
      delimiter = '|',
      quoteCharacter = '`')
  void invalid_init_is_a_type_error(String init) {
    assertEquals(
        "TypeError",
        returned("try { new Headers(%s); } catch (e) { return e.name; }".formatted(init)));
  }

  @Test
  void missing_init_makes_empty_headers() {
    assertEquals("0", returned("return [...new Headers(), ...new Headers(undefined)].length;"));
  }

  @Test
  void names_are_compared_without_case_and_values_are_trimmed() {
    assertEquals(
        "1, two|true|null|false|3|false",
        returned(
            """
            const h = new Headers({'X-A': ' 1\\r\\n'});
            h.append('x-a', '\\ttwo ');
            const both = h.get('X-a');
            const had = h.has('X-A');
            h.delete('x-A');
            const gone = h.get('x-a');
            const has = h.has('x-a');
            h.append('b', '1');
            h.append('B', '2');
            h.set('b', '3');
            h.delete('nothing');
            return [both, had, gone === null ? 'null' : gone, has, h.get('b'), h.has('x')].join('|');
            """));
  }

  @Test
  void set_replaces_the_first_header_of_a_name_and_removes_the_others() {
    assertEquals(
        "a 4,b 2",
        returned(
            """
            const h = new Headers([['a', '1'], ['b', '2'], ['A', '3']]);
            h.set('a', '4');
            return [...h].map(pair => pair.join(' ')).join();
            """));
  }

  @Test
  void name_added_again_after_its_deletion_has_the_new_case() {
    HeaderList list = new HeaderList();
    list.append("A", "1");
    list.append("a", "2");
    list.set("a", "3");
    assertEquals(List.of(new HeaderList.Header("A", "3")), list.headers());
    list.delete("A");
    list.set("a", "4");
    list.append("A", "5");
    assertEquals(
        List.of(new HeaderList.Header("a", "4"), new HeaderList.Header("a", "5")), list.headers());
  }

  @Test
  void set_cookie_headers_are_not_combined() {
    assertEquals(
        "x=1, y=2|x=1;y=2|a 1;set-cookie x=1;set-cookie y=2;z 3|0",
        returned(
            """
            const h = new Headers([['Set-Cookie', 'x=1'], ['z', '3'], ['set-cookie', 'y=2'], ['a', '1']]);
            return [h.get('set-cookie'), h.getSetCookie().join(';'),
              [...h].map(pair => pair.join(' ')).join(';'), new Headers().getSetCookie().length].join('|');
            """));
  }

  @Test
  void iterators_reflect_changes_during_the_iteration() {
    assertEquals(
        "a,b,c,d|a,b|true",
        returned(
            """
            const h = new Headers({a: 1, b: 2});
            const seen = [];
            for (const [name] of h) {
              seen.push(name);
              if (name === 'b') { h.append('d', 4); h.append('c', 3); }
            }
            const other = new Headers({a: 1, b: 2, c: 3});
            const keys = [];
            other.forEach((value, name, self) => { keys.push(name); self.delete('c'); });
            return [seen, keys, Headers.prototype[Symbol.iterator] === Headers.prototype.entries].join('|');
            """));
  }

  @Test
  void headers_of_a_response_ignore_set_cookie() {
    assertEquals(
        "a 1",
        returned(
            """
            const {headers} = new Response(null, {headers: {'Set-Cookie': 'x', a: '1'}});
            headers.append('set-cookie2', 'y');
            headers.set('SET-COOKIE', 'y');
            return [...headers].map(pair => pair.join(' ')).join();
            """));
  }

  @ParameterizedTest
  @CsvSource({"append, \"('a'; 'b')\"", "set, \"('a'; 'b')\"", "delete, \"('a')\""})
  void immutable_headers_refuse_changes(String operation, String arguments) {
    assertEquals(
        "TypeError: Failed to execute '" + operation + "' on 'Headers': Headers are immutable",
        returned(
            "Response.error().headers."
                + operation
                + arguments.replace("\"", "").replace(';', ',')
                + ";"));
  }

  @Test
  void names_are_validated_even_on_immutable_headers() {
    assertEquals(
        List.of(
            "TypeError: Failed to execute 'get' on 'Headers': 'a b' is not a valid header name."),
        List.of(returned("Response.error().headers.get('a b');")));
    assertEquals("false", returned("return Response.error().headers.has('a');"));
  }
}
