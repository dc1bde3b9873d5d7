package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code URL} and {@code URLSearchParams} as script sees them. */
class UrlInterfaceTest {

  private static void assertLog(List<String> expected, String script) {
    assertEquals(expected, Scenario.logOf(script));
  }

  @Test
  void unparsable_url_causes_a_type_error_or_null() {
    assertLog(
        List.of(
            "TypeError: Failed to construct 'URL': Invalid URL",
            "TypeError: Failed to construct 'URL': Invalid base URL",
            "TypeError: Failed to set the 'href' property on 'URL': Invalid URL",
            "[null,null,false,false,true]"),
        """
        const attempt = f => { try { f(); } catch (e) { console.log(String(e)); } };
        const url = new URL('https://lib.example');
        attempt(() => new URL('/x'));
        attempt(() => new URL('/x', 'y'));
        attempt(() => { url.href = 'z'; });
        console.log(JSON.stringify([URL.parse('x'), URL.parse('/x', 'y'), URL.canParse('x'),
            URL.canParse('x', 'y'), URL.canParse('x', url)]));
        """);
  }

  @Test
  void url_and_search_params_stay_in_sync() {
    assertLog(
        List.of(
            "true",
            "https://lib.example/?a=1&b=2+3",
            "9",
            "https://lib.example/?c=9",
            "0 https://lib.example/",
            "x=y",
            "https://lib.example/"),
        """
        const url = new URL('https://lib.example/?a=1');
        const params = url.searchParams;
        console.log(String(url.searchParams === params));
        params.append('b', '2 3');
        console.log(url.href);
        url.search = '?c=9';
        console.log(params.get('c'));
        console.log(url.href);
        params.delete('c');
        console.log(params.size + ' ' + url.href);
        url.href = 'https://lib.example/?x=y';
        console.log(String(params));
        url.search = '';
        console.log(url.href);
        """);
  }

  @Test
  void query_is_reserialized_only_when_search_params_change() {
    assertLog(
        List.of("?a=~&b", "?a=%7E&b="),
        """
        const url = new URL('https://lib.example/?a=~&b');
        url.searchParams.get('a');
        console.log(url.search);
        url.searchParams.sort();
        console.log(url.search);
        """);
  }

  @Test
  void search_params_accept_pairs_or_a_record_or_string_or_search_params() {
    assertLog(
        List.of(
            "a=1&a=2",
            "a=1&b=2",
            "b=2&a=1",
            "%EF%BF%BD=2",
            "a=1&a=2",
            "",
            "null=",
            "[object+Object]=".replace("[", "%5B").replace("]", "%5D")),
        """
        console.log(String(new URLSearchParams('?a=1&a=2')));
        console.log(String(new URLSearchParams([['a', 1], new Set(['b', 2])])));
        console.log(String(new URLSearchParams({b: 2, a: 1})));
        console.log(String(new URLSearchParams({'\\uD800': 1, '\\uDC00': 2})));
        console.log(String(new URLSearchParams(new URLSearchParams('a=1&a=2'))));
        console.log(String(new URLSearchParams()));
        console.log(String(new URLSearchParams(null)));
        console.log(String(new URLSearchParams(String({}))));
        """);
  }

  @Test
  void pair_without_exactly_two_strings_throws_a_type_error() {
    assertLog(
        List.of("true TypeError", "true TypeError"),
        """
        for (const init of [[['a']], [['a', 'b'], ['a', 'b', 'c']]]) {
          try { new URLSearchParams(init); } catch (e) {
            console.log((e instanceof TypeError) + ' ' + e.name);
          }
        }
        """);
  }

  @Test
  void value_argument_selects_among_parameters_of_the_same_name() {
    assertLog(
        List.of("1,3", "true false", "a=1&b=2", "a=9&b=2", "null 2"),
        """
        const params = new URLSearchParams('a=1&b=2&a=3');
        console.log(String(params.getAll('a')));
        console.log(params.has('a', '3') + ' ' + params.has('a', '4'));
        params.delete('a', '3');
        console.log(String(params));
        params.set('a', '9');
        console.log(String(params));
        console.log(params.get('c') + ' ' + params.size);
        """);
  }

  @Test
  void sort_is_by_code_units_and_stable() {
    assertLog(
        List.of("b,1 b,0 \uD83D\uDE00,x \uFB03,y"),
        """
        const params = new URLSearchParams('\\uFB03=y&b=1&\\u{1F600}=x&b=0');
        params.sort();
        console.log([...params].map(pair => pair.join()).join(' '));
        """);
  }

  @Test
  void iteration_reflects_concurrent_changes() {
    assertLog(
        List.of("a c"),
        """
        const params = new URLSearchParams('a=1&b=2&c=3');
        const seen = [];
        for (const [name] of params) {
          seen.push(name);
          if (name === 'a') params.delete('b');
        }
        console.log(seen.join(' '));
        """);
  }

  @Test
  void url_objects_cannot_be_cloned() {
    assertLog(
        List.of("DataCloneError"),
        """
        const worker = new Worker('/none.js');
        worker.onerror = () => {};
        try { worker.postMessage(new URL('a:b')); } catch (e) { console.log(e.name); }
        """);
  }

  @Test
  void legacy_name_webkit_url_exists_only_in_windows() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/names.js", "postMessage(typeof webkitURL + ' ' + typeof URL);");
      assertEquals(
          List.of("true", "undefined function"),
          scenario
              .window(
                  """
                  console.log(String(webkitURL === URL));
                  new Worker('/names.js').onmessage = e => console.log(e.data);
                  """)
              .run());
    }
  }

  @Test
  void replaced_builtins_have_no_effect() {
    assertLog(
        List.of("https://lib.example/?a=1&b=2"),
        """
        const url = new URL('https://lib.example/');
        for (const name of Object.getOwnPropertyNames(Array.prototype)) {
          if (name !== 'length' && name !== 'constructor') delete Array.prototype[name];
        }
        String.prototype.toString = () => 'broken';
        Object.prototype.get = 1;
        const pairs = {a: 1, b: 2};
        url.search = new URLSearchParams(pairs);
        console.log(url.href);
        """);
  }
}
