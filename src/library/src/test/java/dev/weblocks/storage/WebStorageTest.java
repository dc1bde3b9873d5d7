package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code localStorage} and {@code sessionStorage} of one window. */
class WebStorageTest {

  private static List<String> log(String script) {
    return Scenario.logOf(script);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localStorage", "sessionStorage"})
  void storage_is_a_map_that_keeps_its_order(String name) {
    assertEquals(
        List.of("0 null", "3 b,a,c", "2 b,c", "null undefined", "0"),
        log(
            """
            const s = NAME;
            console.log(s.length + ' ' + s.key(0));
            s.setItem('b', 1); s.a = 2; s['c'] = null; s.b = 'again';
            console.log(s.length + ' ' + [s.key(0), s.key(1), s.key(2)]);
            delete s.a;
            console.log(s.length + ' ' + Object.keys(s));
            console.log(s.getItem('a') + ' ' + s.a);
            s.clear();
            console.log(String(s.length));
            """
                .replace("NAME", name)));
  }

  @Test
  void each_storage_is_the_same_object_at_each_read() {
    assertEquals(
        List.of("true true false", "[object Storage]", "null", "Illegal constructor"),
        log(
            """
            console.log([localStorage === localStorage, sessionStorage === sessionStorage,
                localStorage === sessionStorage].join(' '));
            console.log(String(localStorage));
            localStorage.a = 1;
            console.log(String(sessionStorage.getItem('a')));
            try { new Storage(); } catch (e) { console.log(e.message.match(/Illegal constructor/)[0]); }
            """));
  }

  @Test
  void items_named_like_built_in_members_do_not_hide_those_members() {
    assertEquals(
        List.of(
            "setItem x",
            "length 4",
            "4 function function true",
            "x,x,x,x",
            "true",
            "__proto__,getItem,length,toString",
            "",
            "undefined null"),
        log(
            """
            const s = localStorage;
            for (const name of ['__proto__', 'length', 'getItem', 'toString']) {
              s.setItem(name, 'x');
            }
            console.log('setItem ' + s.getItem('length'));
            console.log('length ' + s.length);
            console.log([s.length, typeof s.getItem, typeof s.toString,
                s.__proto__ === Storage.prototype].join(' '));
            console.log(['__proto__', 'length', 'getItem', 'toString'].map(n => s.getItem(n)).join());
            s.clear();
            s.__proto__ = 'y'; s.length = 'y'; s.getItem = 'y'; s.toString = 'y';
            console.log(String(Object.getPrototypeOf(s) === Storage.prototype));
            console.log([...Array(4).keys()].map(i => s.key(i)).sort().join());
            console.log(Object.keys(s).join());
            delete s.__proto__; delete s.length;
            s.removeItem('length'); s.clear();
            console.log(s.constructor.nothing + ' ' + s.getItem('length'));
            """));
  }

  @Test
  void symbol_keys_are_ordinary_properties() {
    assertEquals(
        List.of("0 7", "true", "true undefined", "0"),
        log(
            """
            const symbol = Symbol('s');
            localStorage[symbol] = 7;
            console.log(localStorage.length + ' ' + localStorage[symbol]);
            console.log(String(symbol in localStorage));
            console.log(delete localStorage[symbol], localStorage[symbol]);
            console.log(String(Object.getOwnPropertySymbols(localStorage).length));
            """));
  }

  @Test
  void item_is_an_enumerable_configurable_writable_data_property() {
    assertEquals(
        List.of(
            "{\"value\":\"1\",\"writable\":true,\"enumerable\":true,\"configurable\":true}",
            "2",
            "TypeError",
            "2",
            "true false",
            "a,0",
            "a=2 0=zero"),
        log(
            """
            const s = localStorage;
            s.a = 1;
            console.log(JSON.stringify(Object.getOwnPropertyDescriptor(s, 'a')));
            Object.defineProperty(s, 'a', {value: 2});
            console.log(s.getItem('a'));
            try { Object.defineProperty(s, 'a', {get() { return 3; }}); } catch (e) { console.log(e.name); }
            console.log(s.a);
            console.log('a' in s, 'b' in s);
            s[0] = 'zero';
            const seen = [];
            for (const name in s) { if (Object.hasOwn(s, name)) seen.push(name); }
            console.log(seen.join());
            console.log(Object.entries(s).map(e => e.join('=')).join(' '));
            """));
  }

  @Test
  void strings_are_stored_unchanged_including_lone_surrogates() {
    assertEquals(
        List.of("55296", "56832,55357", "true", "4", "undefined null [object Object]"),
        log(
            """
            const s = localStorage;
            s.setItem('lone', '\\ud800');
            console.log(String(s.getItem('lone').charCodeAt(0)));
            s.setItem('\\ude00\\ud83d', '\\ude00\\ud83d');
            const key = [...Array(s.length).keys()].map(i => s.key(i)).find(k => k.length === 2);
            console.log([key.charCodeAt(0), s[key].charCodeAt(1)].join());
            s.setItem('', 'empty');
            console.log(String(s.getItem('') === 'empty' && s[''] === 'empty'));
            s.setItem('\\0nul', '\\0');
            console.log(String(s.length));
            s.clear();
            s.a = undefined; s.b = null; s.c = {};
            console.log([s.a, s.b, s.c].join(' '));
            """));
  }

  @Test
  void exceeding_the_quota_throws_and_changes_nothing() {
    assertEquals(
        List.of("QuotaExceededError 22 true 0", "2621439", "QuotaExceededError", "old", "ok"),
        log(
            """
            const s = localStorage;
            const units = 5 * 1024 * 1024 / 2;
            try { s.setItem('a', 'x'.repeat(units)); }
            catch (e) { console.log(e.name + ' ' + e.code + ' ' + (e instanceof DOMException) + ' ' + s.length); }
            s.setItem('a', 'x'.repeat(units - 1));
            console.log(String(s.a.length));
            s.a = 'old';
            try { s.b = 'y'.repeat(units); } catch (e) { console.log(e.name); }
            console.log(s.a);
            sessionStorage.a = 'x'.repeat(units - 1); // that of another area
            console.log('ok');
            """));
  }

  @Test
  void missing_arguments_throw_and_given_arguments_are_converted() {
    assertEquals(
        List.of("TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "null", "one"),
        log(
            """
            const s = localStorage;
            for (const f of [() => s.getItem(), () => s.setItem('a'), () => s.removeItem(), () => s.key(),
                () => Storage.prototype.getItem.call({}, 'a')]) {
              try { f(); } catch (e) { console.log(e.name); }
            }
            s.setItem('one', 'one');
            console.log(String(s.key(-1)));
            console.log(s.key(4294967296));
            """));
  }

  @Test
  void thousands_of_items_are_accessed_in_linear_time() {
    // if each access listed all names, or searched all of them, this would take minutes
    assertEquals(
        List.of("20000 20000 19999"),
        log(
            """
            for (let i = 0; i < 20000; i++) { localStorage.setItem('k' + i, i); }
            let last;
            for (let i = 0; i < localStorage.length; i++) { last = localStorage.getItem(localStorage.key(i)); }
            console.log(localStorage.length + ' ' + Object.keys(localStorage).length + ' ' + last);
            """));
  }

  @Test
  void replaced_builtins_are_not_called() {
    assertEquals(
        List.of("1 2 a"),
        log(
            """
            const say = console.log;
            const s = localStorage;
            const own = Object.getOwnPropertyNames;
            const names = ['map', 'push', 'forEach', 'supports', 'names', 'indexed', 'named', 'delete', 'size'];
            const prototypes = [Array.prototype, Object.prototype, String.prototype, Function.prototype];
            const saved = prototypes.map(p => names.map(n => Object.getOwnPropertyDescriptor(p, n)));
            for (const p of prototypes) {
              for (const n of names) {
                Object.defineProperty(p, n, {configurable: true,
                    get() { throw new Error('read ' + n); }, set() { throw new Error('wrote ' + n); }});
              }
            }
            s.setItem('a', 1);
            const first = s.getItem('a');
            s.a = 2;
            const second = s.a;
            const all = own(s);
            s.removeItem('a'); s.clear(); s.key(0);
            for (let i = 0; i < prototypes.length; i++) {
              for (let j = 0; j < names.length; j++) {
                if (saved[i][j] === undefined) { delete prototypes[i][names[j]]; }
                else { Object.defineProperty(prototypes[i], names[j], saved[i][j]); }
              }
            }
            const {join} = Array.prototype;
            say(first + ' ' + second + ' ' + join.call(all));
            """));
  }

  @Tag("overflow")
  @Test
  void storage_works_after_a_stack_overflow() {
    assertEquals(
        List.of("true 1 after"),
        log(
            """
            let deepest = 0;
            function dive(n) { try { localStorage.setItem('k', 'v' + n); dive(n + 1); } catch (e) {
              deepest ||= e instanceof RangeError ? n : 0; throw e; } }
            try { dive(0); } catch {}
            localStorage.setItem('k', 'after');
            console.log((deepest > 0) + ' ' + localStorage.length + ' ' + localStorage.k);
            """));
  }

  @Test
  void workers_have_no_web_storage() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("undefined undefined undefined undefined"),
          scenario
              .resource(
                  "/w.js",
                  """
                  console.log([typeof localStorage, typeof sessionStorage, typeof Storage,
                      typeof StorageEvent].join(' '));
                  """)
              .window("new Worker('/w.js')")
              .run());
    }
  }

  @Test
  void opaque_origin_gets_a_security_error() {
    try (Scenario scenario = new Scenario(1)) {
      String script =
          "for (const name of ['localStorage', 'sessionStorage']) { try { self[name]; } catch (e) {"
              + " console.log([e.name, e.code, e instanceof DOMException].join(' ')); } }";
      // the script is available by the URL itself and from the loader
      List<String> log =
          scenario.windowAt("data:text/html,<script>" + script + "</script>", script).run();
      assertEquals(List.of("SecurityError 18 true", "SecurityError 18 true"), log);
    }
  }

  @Test
  void storage_outlives_its_window_but_not_its_user_agent() {
    for (int i = 0; i < 2; i++) {
      try (Scenario scenario = new Scenario(i)) {
        String script =
            """
            console.log(localStorage.a + ' ' + sessionStorage.a);
            localStorage.a = 1; sessionStorage.a = 1;
            """;
        scenario.window(script).run();
        scenario.closeWindow(0).window(script);
        assertEquals(List.of("undefined undefined", "1 undefined"), scenario.run());
      }
    }
  }

  @Test
  void storage_event_can_be_constructed_and_initialized() {
    List<String> log =
        log(
            """
            const show = e => console.log([e.type, e.bubbles, e.cancelable, e.key, e.oldValue, e.newValue,
                e.url, e.storageArea === localStorage].join(' '));
            show(new StorageEvent('storage'));
            show(new StorageEvent('x', {bubbles: true, key: 'k', oldValue: 'o', newValue: null, url: 'u',
                storageArea: localStorage}));
            const event = document.createEvent('StorageEvent');
            event.initStorageEvent('y', false, true, 'k', undefined, null, 'u2', localStorage);
            show(event);
            event.initStorageEvent('z');
            show(event);
            try { new StorageEvent(); } catch (e) { console.log(e.name); }
            try { new StorageEvent('x', {storageArea: {}}); } catch (e) { console.log(e.name); }
            """);
    assertEquals(
        List.of(
            "storage false false     false",
            "x true false k o  u true",
            "y false true k   u2 true",
            "z false false     false",
            "TypeError",
            "TypeError"),
        log);
  }
}
