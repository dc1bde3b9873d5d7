package dev.weblocks.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of values on the console. */
class InspectorTest {

  private static String shown(String script) {
    List<String> log = Scenario.logOf(script);
    assertEquals(1, log.size(), log.toString());
    return log.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'text' | text",
        "-0 | -0",
        "1e21 | 1e+21",
        "5n | 5n",
        "-12345678901234567890n | -12345678901234567890n",
        "Symbol() | Symbol()",
        "Symbol('abc') | Symbol(abc)",
        "Symbol.iterator | Symbol(Symbol.iterator)",
        "undefined | undefined",
        "null | null",
        "({}) | {}",
        "({a: 1, 'b-c': 'x', [Symbol('s')]: true}) | { a: 1, 'b-c': 'x', [Symbol(s)]: true }",
        "['it\\'s', 'a\\nb', '\\u0001\\ud800', '\\u{1f600}'] | [ 'it\\'s', 'a\\nb', '\\x01\\ud800', '\uD83D\uDE00' ]",
        "({get a() { throw 1 }, set a(v) {}, get b() { throw 1 }, set c(v) {}}) | { a: [Getter/Setter], b: [Getter], c: [Setter] }",
        "[1, , 2, , , ] | [ 1, <1 empty item>, 2, <2 empty items> ]",
        "Object.assign([1], {x: 2}) | [ 1, x: 2 ]",
        "[[[[[1]]]]] | [ [ [ [ [Array] ] ] ] ]",
        "({a: {b: {c: {d: {}}}}}) | { a: { b: { c: { d: [Object] } } } }",
        "new Uint8Array([1, 2]) | Uint8Array(2) [ 1, 2 ]",
        "new BigInt64Array(1) | BigInt64Array(1) [ 0n ]",
        "new Uint8Array([1, 255]).buffer | ArrayBuffer { bytes: <01 ff>, byteLength: 2 }",
        "(b => (b.transfer(), b))(new ArrayBuffer(2)) | ArrayBuffer { (detached), byteLength: 0 }",
        "new DataView(new ArrayBuffer(3), 1) | DataView { byteLength: 2, byteOffset: 1 }",
        "new Map([['k', {a: 1}]]) | Map(1) { 'k' => { a: 1 } }",
        "new Set([1, 'x']) | Set(2) { 1, 'x' }",
        "new WeakMap | WeakMap { <items unknown> }",
        "new WeakSet | WeakSet { <items unknown> }",
        "Promise.resolve(1) | Promise {}",
        "new Date(0) | 1970-01-01T00:00:00.000Z",
        "new Date(NaN) | Invalid Date",
        "/a\\/b/gi | /a\\/b/gi",
        "Object(1) | [Number: 1]",
        "Object('ab') | [String: 'ab']",
        "Object(false) | [Boolean: false]",
        "Object(1n) | [BigInt: 1n]",
        "Object(Symbol('q')) | [Symbol: Symbol(q)]",
        "function f() {} | [Function: f]",
        "() => 1 | [Function (anonymous)]",
        "Object.assign(function f() {}, {x: 1}) | [Function: f] { x: 1 }",
        "class A {} | [class A]",
        "class A extends Map {} | [class A extends Map]",
        "async () => 1 | [AsyncFunction (anonymous)]",
        "function* g() {} | [GeneratorFunction: g]",
        "AbortController | [Function: AbortController]",
        "Object.create(null) | [Object: null prototype] {}",
        "new (class Foo { x = 1; #y = 2 }) | Foo { x: 1 }",
        "new (class Bar extends Array {})(2) | Bar(2) [ <2 empty items> ]",
        "new (class M extends Map {})([[1, 2]]) | M(1) [Map] { 1 => 2 }",
        "({[Symbol.toStringTag]: 'T'}) | Object [T] { [Symbol(Symbol.toStringTag)]: 'T' }",
        "(function () { return arguments })(1, 'b') | [Arguments] [ 1, 'b' ]",
        "(function* () {})() | Object [Generator] {}",
        "Object.setPrototypeOf(new Map([[1, 2]]), null) | [Map: null prototype](1) { 1 => 2 }",
        "new AbortController | AbortController {}",
        "Object.assign(new EventTarget, {mine: 1}) | EventTarget { mine: 1 }",
        "new Event('x') | Event {}",
        "window | Window {}",
        "document.getElementsByTagName('title') | HTMLCollection { '0': HTMLTitleElement {} }",
        "new Proxy({}, {}) | [Proxy]",
        "[new Proxy([], {}), new Proxy(class {}, {})] | [ [Proxy], [Proxy of a function] ]",
        "(r => (r.revoke(), r.proxy))(Proxy.revocable({}, {})) | [Proxy]",
        "(o => (o.self = o, o.list = [o], o))({}) | { self: [Circular], list: [ [Circular] ] }",
        "(o => [o, o])({}) | [ {}, {} ]",
      })
  void value_has_the_expected_text(String expression, String text) {
    assertEquals(text, shown("console.log(" + expression + ")"));
  }

  @Test
  void object_too_long_for_a_line_takes_one_line_per_property() {
    assertEquals(
        """
        {
          first: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
          second: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
          third: { x: 1, y: [ 1, 2 ] }
        }\
        """,
        shown(
            "console.log({first: 'a'.repeat(30), second: 'b'.repeat(30), third: {x: 1, y: [1, 2]}})"));
  }

  @Test
  void array_of_short_values_has_several_values_per_line() {
    String text = shown("console.log(Array.from({length: 60}, (_, i) => i))");
    assertEquals(6, text.split("\n").length, text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 76), text);
  }

  @Test
  void error_shows_stack_own_properties_and_cause() {
    String text =
        shown(
            """
            const error = new TypeError('outer', { cause: new RangeError('inner') });
            error.code = 7;
            console.log(error);
            """);
    assertTrue(
        text.matches(
            """
            (?s)TypeError: outer
                at \\S+/window-0.html:\\d+:\\d+ \\{
              code: 7,
              \\[cause]: RangeError: inner
                  at \\S+/window-0.html:\\d+:\\d+
            }\
            """),
        text);
  }

  @Test
  void error_whose_name_is_a_getter_shows_class_and_stack() {
    String text =
        shown(
            """
            class Special extends Error { get name() { throw 'read' } get message() { throw 'read' } }
            console.log(new Special());
            """);
    assertTrue(
        text.matches("(?s)Special\n(    at [^\n]*\n)*    at https://one.test/window-0.html:2:\\d+"),
        text);
  }

  @Test
  void error_without_a_stack_shows_name_and_message_from_data_properties() {
    assertEquals(
        "[E: m] [E]",
        shown(
            """
            class E extends Error {}
            E.prototype.name = 'E';
            const one = new E('m'), two = new E();
            one.stack = two.stack = '';
            console.log(one, two);
            """));
  }

  @Test
  void dom_exceptions_are_shown_like_errors() {
    assertTrue(
        shown("console.log(new DOMException('m', 'AbortError'))").startsWith("AbortError: m\n"));
  }

  @Test
  void errors_deep_inside_objects_take_one_line() {
    assertEquals(
        "{ a: { b: { c: { d: [TypeError: x] } } } }",
        shown("console.log({a: {b: {c: {d: new TypeError('x')}}}})"));
  }

  @Test
  void large_values_show_how_much_is_omitted() {
    assertEquals(
        List.of("900", "900", "900", "1"),
        Scenario.logOf(
                """
                console.log(new Array(1000).fill('x'));
                console.log(new Uint8Array(1000));
                console.log(new Map(Array.from({length: 1000}, (_, i) => [i, i])));
                console.log('x'.repeat(100001));
                """)
            .stream()
            .map(text -> text.replaceAll("(?s).*\\.\\.\\. (\\d+) more.*", "$1"))
            .toList());
  }

  @Tag("full")
  @Test
  void texts_of_huge_values_are_bounded_and_the_agent_continues() {
    List<String> log =
        Scenario.logOf(
            """
            console.log(new Array(1000000).fill('x'));
            console.log('x'.repeat(1e8));
            console.log({ s: 'x'.repeat(1e8) });
            console.log('%o'.repeat(1e4), ...new Array(2000).fill({ a: new Array(100).fill('y'.repeat(5000)) }));
            let deep = {};
            const first = deep;
            for (let i = 0; i < 20000; i++) deep = deep.next = {};
            deep.next = first;
            console.log(first);
            const keys = {};
            for (let i = 0; i < 20000; i++) keys['k' + i] = i;
            console.log(keys);
            console.table(keys);
            let heir = {};
            for (let i = 0; i < 5000; i++) heir = Object.create(heir);
            console.log(heir);
            const sparse = [];
            sparse[4294967290] = 1;
            console.log(sparse);
            console.table(sparse);
            console.log(1n << 10000000n);
            const cell = () => Array.from({ length: 90 }, () => ({ a: 1 }));
            console.log(Array.from({ length: 90 }, () => Array.from({ length: 90 }, cell)));
            console.log('alive');
            """);
    assertEquals(13, log.size(), () -> log.stream().map(String::length).toList().toString());
    assertTrue(log.stream().allMatch(text -> text.length() < 400_000));
    assertEquals("{ next: { next: { next: { next: [Object] } } } }", log.get(4));
    assertEquals("[ <1000 empty items>, ... 4294966291 more items ]", log.get(8));
    assertEquals("[BigInt of more than 4096 bits]", log.get(10));
    assertEquals("alive", log.getLast());
  }

  @Test
  void logging_near_the_end_of_the_stack_throws_a_range_error() {
    assertEquals(
        "RangeError [Map] Map(1) { 1 => 2 }",
        shown(
            """
            const log = console.log;
            let caught;
            (function deeper() {
              try { deeper() } catch (e) {
                if (caught === undefined) {
                  try { (function again() { console.table(null === 1 ? 1 : undefined, again()) })() } catch (e) { caught = e.name }
                }
              }
            })();
            log(caught + ' [Map]', new Map([[1, 2]]));
            """));
  }

  @Test
  void inspecting_a_value_runs_no_page_code() {
    assertEquals("effects: ", Scenario.logOf(HOSTILE_PAGE).getLast());
  }

  /** Script in which every built-in property, and every proxy trap, records each access. */
  private static final String HOSTILE_PAGE =
      """
      const { log, dir, dirxml, table, trace, group, groupEnd, error, timeLog, time } = console;
      const assert = console.assert;
      const { defineProperty, hasOwn } = Object;
      const { apply, ownKeys, getOwnPropertyDescriptor } = Reflect;
      const reflect = Object.assign({ __proto__: null }, { apply });
      for (const key of ownKeys(Reflect)) reflect[key] = Reflect[key];
      const notes = Object.setPrototypeOf([], null);
      const note = (text) => { notes[notes.length] = text };
      const text = String;
      const ProxyOf = Proxy;
      const traps = new Proxy({}, { get: (_, key) => (...args) => { note('trap'); return reflect[key](...args) } });
      const withMessage = (message) => { const error = new TypeError(); error.message = message; return error };
      const spy = (target) => new ProxyOf(target, traps);
      const iterators = [new Map().entries(), new Set().values(), [].values()].map(Object.getPrototypeOf);
      const values = [
        1, 'a', Symbol('x'), { a: 1 }, [1, , 2], new (class X {}), [spy({}), spy([1]), spy(() => 1)],
        Object.create(spy({})), new (class Y extends Array {})(2), /a/g, function f() {}, class {},
        (function () { return arguments })(1), Object(1), Object('s'), new Date(0), new Map([[1, {}]]),
        new Set([[]]), new WeakMap, new WeakSet, new WeakRef({}), Promise.resolve(1), new ArrayBuffer(2),
        new Uint8Array(2), new DataView(new ArrayBuffer(2)), new Error('e', { cause: spy({}) }), Object.setPrototypeOf(new Error('f'), spy({})), withMessage({ toString() { note('message') } }),
        new DOMException('m', 'AbortError'), new Event('x'), navigator, document, window,
        document.getElementsByTagName('*'),
        { get a() { note('getter') } },
        { toString() { note('toString') }, valueOf() { note('valueOf') }, toJSON() { note('toJSON') },
          inspect() { note('inspect') }, [Symbol.toPrimitive]() { note('toPrimitive') } },
        { get [Symbol.toStringTag]() { note('tag') } },
        Object.create({ get constructor() { note('constructor') } }),
        Object.create({ constructor: defineProperty(() => 1, 'name', { get() { note('name') } }) }),
        Object.create({ constructor: spy(function () {}) }), { constructor: spy(Object) },
        Object.setPrototypeOf(() => 1, spy(function () {})), Object.create({ [Symbol.toStringTag]: spy({}) }),
      ];
      const poison = (object, key, value) => defineProperty(object, key, {
        __proto__: null, configurable: true, get() { note('get ' + text(key)); return value }, set() { note('set ' + text(key)) } });
      const prototypes = [
        Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Map, Set, WeakMap, WeakSet, WeakRef,
        Date, RegExp, Promise, Error, TypeError, DOMException, ArrayBuffer, DataView, Object.getPrototypeOf(Uint8Array),
      ].map(c => c.prototype);
      const added = ['0', 'get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'done', 'then', 'next',
        'name', 'message', 'stack', 'cause', 'length', 'path', 'head', 'rows', 'depth', 'generic', 'protos'];
      const globals = ['String', 'parseInt', 'parseFloat', 'Map', 'Uint8Array', 'Reflect', 'Proxy', 'Symbol', 'Object', 'Array'];
      defineProperty(Error, 'stackTraceLimit', { get() { note('stackTraceLimit') } });
      Error.prepareStackTrace = () => note('prepareStackTrace');
      for (let i = 0; i < added.length; i++) if (!(added[i] in Object.prototype)) poison(Object.prototype, added[i]);
      for (let i = 0; i < globals.length; i++) poison(globalThis, globals[i]);
      for (let i = 0; i < iterators.length; i++) poison(iterators[i], 'next');
      for (let i = 0; i < prototypes.length; i++) {
        const proto = prototypes[i];
        const keys = ownKeys(proto);
        for (let j = 0; j < keys.length; j++) {
          const descriptor = getOwnPropertyDescriptor(proto, keys[j]);
          if (descriptor.configurable && keys[j] !== 'constructor') {
            poison(proto, keys[j], hasOwn(descriptor, 'value') ? descriptor.value : undefined);
          }
        }
      }
      notes.length = 0;
      apply(log, undefined, values);
      dir(values); dirxml(values); table(values); trace(values); group(values); groupEnd();
      error('%o %O %c', values, values, values); assert(false, values); time(); timeLog('default', values);
      for (let i = 0; i < values.length; i++) { table(values[i]); dir(values[i]) }
      let all = '';
      for (let i = 0; i < notes.length && i < 20; i++) all += notes[i] + ' ';
      log('effects: ' + all);
      """;
}
