package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code structuredClone()} in a window.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
class StructuredCloneTest {

  /** Returns the value of an expression over the original {@code a} and the copy {@code v}. */
  private static String clone(String value, String expression) {
    List<String> log =
        Scenario.logOf(
            """
            const a = (() => { %s })();
            const v = structuredClone(a);
            console.log(String(%s));
            """
                .formatted(
                    value.startsWith("{{") ? value.substring(2) : "return (" + value + ")",
                    expression));
    assertEquals(1, log.size(), log.toString());
    return log.get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "undefined | v | undefined",
        "-0 | Object.is(v, -0) | true",
        "[-0, 0, 1.5, -1, 2 ** 31, -(2 ** 31), NaN] | v.map(x => Object.is(x, -0) ? '-0' : x) | -0,0,1.5,-1,2147483648,-2147483648,NaN",
        "[0n, -0n, -5n, 2n ** 200n, -(2n ** 64n)] | v.every((x, i) => x === a[i]) | true",
        "Object(-(2n ** 70n)) | typeof v + (v.valueOf() === a.valueOf()) | objecttrue",
        "Object(-0) | Object.is(v.valueOf(), -0) | true",
        "Object(true) | v.valueOf() | true",
        "Object('\\ud800') | v.valueOf() === '\\ud800' | true",
        "new Date(8.64e15) | v.getTime() | 8640000000000000",
        "new Date(-8.64e15) | v.getTime() | -8640000000000000",
        "new Date(NaN) | v instanceof Date && v.getTime() | NaN",
        "{{const r = /a/gy; r.lastIndex = 5; r.extra = 1; return r; | v.lastIndex + v.flags + v.extra | 0gyundefined",
        "/[a--b]/v | v.flags + v.source | v[a--b]",
        "new RegExp('/\\n') | v.source === a.source | true",
        "new RegExp('') | v.source | (?:)",
        "Object.setPrototypeOf(new Map([[1, 2]]), Object.prototype) | v instanceof Map && v.get(1) | 2",
        "Object.assign(Object.setPrototypeOf(new Set([3]), null), {x: 1}) | v instanceof Set && [...v] | 3",
        "Object.setPrototypeOf(new Date(5), Array.prototype) | v instanceof Date && v.getTime() | 5",
        "Object.setPrototypeOf(new Date(NaN), null) | v instanceof Date | true",
        "Object.setPrototypeOf(/x/i, null) | v instanceof RegExp && v.flags | i",
        "Object.setPrototypeOf(Object(1n), null) | v instanceof BigInt | true",
        "Object.setPrototypeOf(Object('s'), null) | v instanceof String | true",
        "Object.setPrototypeOf(new TypeError('m'), null) | v instanceof Error && v.message | m",
        "Object.setPrototypeOf([1, 2], null) | Array.isArray(v) && v instanceof Array && v.length | 2",
        "Object.setPrototypeOf(new Uint8Array([7]), null) | v instanceof Uint8Array && v[0] | 7",
        "Object.setPrototypeOf(new ArrayBuffer(3), null) | v instanceof ArrayBuffer && v.byteLength | 3",
        "({[Symbol.toStringTag]: 'Map', size: 2}) | v.size + Object.prototype.toString.call(v) | 2[object Object]",
        "Object.prototype | v !== a && Object.getPrototypeOf(v) === a && Object.getPrototypeOf(Object.setPrototypeOf(v, null)) | null",
        "'abc'.match(/(?<x>b)/).groups | v.x | b",
        "'abc'.match(/(?<x>b)/) | v.index + v.input + v.groups.x + v[0] | 1abcbb",
        "new (class { #p = 1; x = 2 }) | JSON.stringify(v) | {\"x\":2}",
        "Object.create({get inherited() { throw 1; }}) | Object.keys(v).length | 0",
        "(function () {}).prototype | Object.keys(v).length | 0",
        "[1, , 3] | 1 in v | false",
        "{{const x = []; x[4294967294] = 1; x.k = 2; return x; | v.length + ' ' + v[4294967294] + v.k + Object.keys(v) | 4294967295 124294967294,k",
        "{{const x = [1]; x['01'] = 2; x[4294967295] = 3; x['-1'] = 4; return x; | Object.keys(v) + v.length | 0,01,4294967295,-11",
        "{{const x = [1, 2]; x.a = [3]; return [x, x.a]; | v[0].a === v[1] && v[0].length + v[1][0] | 5",
        "Object.freeze([1, 2]) | v.push(3) | 3",
        "{{const x = [1, 2, 3]; Object.defineProperty(x, 1, {enumerable: false}); return x; | (1 in v) + ' ' + v.length | false 3",
        "{{const x = [1, 2, 3]; Object.defineProperty(x, 2, {get() { return 'got'; }}); return x; | v[2] + v.length | got3",
        "{{const x = [{get g() { x.length = 1; return 0; }}, 2, 3]; return x; | (1 in v) + ' ' + v.length | false 3",
        "({a: 1, b: 2, get first() { delete this.last; return 0; }, last: 9}) | Object.keys(v) | a,b,first",
        "({get first() { Object.defineProperty(this, 'last', {enumerable: false}); return 0; }, last: 9}) | Object.keys(v) | first,last",
        "({get first() { this.more = 1; return 0; }, last: 9}) | Object.keys(v) | first,last",
        "{{const m = new Map([[{get g() { m.clear(); m.set(1, 1); return 0; }}, 1], ['b', 2]]); return m; | v.size + v.get('b') | 4",
        "{{const s = new Set(); s.add({get g() { s.add(8); return 0; }}).add(7); return s; | v.size | 2",
        "{{const m = new Map(); m.set(m, new Set([m])); return m; | [...v.get(v)][0] === v | true",
        "new Map([[[1, [2]], [3, {a: [4]}]], [5, 6]]) | JSON.stringify([...v]) | [[[1,[2]],[3,{\"a\":[4]}]],[5,6]]",
        "[[], {}, new Map(), new Set(), [[]], [{}], {a: []}] | JSON.stringify(v) | [[],{},{},{},[[]],[{}],{\"a\":[]}]",
        "[new Map([[undefined, undefined], [null, NaN]]), undefined] | v[0].has(undefined) + ' ' + v[0].get(null) + v.length | true NaN2",
        "({['__proto__']: {x: 1}}) | Object.getPrototypeOf(v) === Object.prototype && Object.keys(v) | __proto__",
        "Object.assign(new Error('m'), {name: {toString() { throw 1; }}}) | v.name | Error",
        "Object.assign(new Error(), {message: {toString() { return 'said'; }}}) | v.message | said",
        "Object.defineProperty(new Error('m'), 'message', {get() { throw 1; }}) | Object.hasOwn(v, 'message') | false",
        "Object.setPrototypeOf(new Error('m'), {name: 'RangeError'}) | v instanceof RangeError && v.message | m",
        "new RangeError('m', {cause: 1}) | v.stack === a.stack && Object.hasOwn(v, 'cause') | false",
        "{{const e = new Error('m'); delete e.stack; return e; | Object.getOwnPropertyNames(v) | message",
        "new AggregateError([1], 'm') | v.constructor.name + v.message + Object.hasOwn(v, 'errors') | Errormfalse",
        "new DOMException('m', 'AbortError') | v instanceof DOMException && v !== a && v.name + v.code + v.message | AbortError20m",
        "new Float16Array([1.5, -0]) | v.constructor.name + v[0] + Object.is(v[1], -0) | Float16Array1.5true",
        "new (class X extends Uint8Array {})([3]) | v.constructor.name + v[0] | Uint8Array3",
        "new ArrayBuffer(2, {maxByteLength: 8}) | v.resizable + ' ' + v.byteLength + v.maxByteLength | true 28",
        "{{const b = new ArrayBuffer(8, {maxByteLength: 16}); new Uint8Array(b).fill(7); return new Uint16Array(b, 2); | v.buffer.resize(16) + ' ' + v.length + v[0] + ' ' + a.length | undefined 71799 3",
        "{{const b = new ArrayBuffer(8, {maxByteLength: 8}); new Uint8Array(b).fill(7); return new Uint16Array(b, 2); | v.buffer.resize(6) + ' ' + v.length + ' ' + a.length + a | undefined 2 31799,1799,1799",
        "{{const b = new ArrayBuffer(8, {maxByteLength: 9}); return new Uint32Array(b, 4); | v.buffer.resize(4) + ' ' + v.length + v.byteOffset | undefined 04",
        "{{const b = new ArrayBuffer(8, {maxByteLength: 16}); return new Uint16Array(b, 2, 3); | v.buffer.resize(16) + ' ' + v.length | undefined 3",
        "{{const b = new ArrayBuffer(8, {maxByteLength: 8}); return new Uint16Array(b, 2, 3); | v.buffer.resize(6) + ' ' + v.length + ' ' + a.length | undefined 0 3",
        "{{const b = new ArrayBuffer(0, {maxByteLength: 8}); return new Uint16Array(b); | v.buffer.resize(8) + ' ' + v.length | undefined 4",
        "{{const b = new ArrayBuffer(0, {maxByteLength: 8}); return new Uint16Array(b, 0, 0); | v.buffer.resize(8) + ' ' + v.length | undefined 0",
        "new DataView(new ArrayBuffer(8, {maxByteLength: 16}), 3) | v.buffer.resize(16) + ' ' + v.byteLength + v.byteOffset | undefined 133",
        "new DataView(new ArrayBuffer(8, {maxByteLength: 16}), 3, 5) | v.buffer.resize(16) + ' ' + v.byteLength | undefined 5",
        "{{const b = new ArrayBuffer(4); return [b, new Uint8Array(b), new DataView(b), b]; | v[1].buffer === v[0] && v[2].buffer === v[0] && v[3] === v[0] | true",
        "{{const b = new ArrayBuffer(4); return [new Uint8Array(b), b, {}, new Int8Array(b)]; | v[0].buffer === v[1] && v[3].buffer === v[1] && Object.keys(v[2]).length | 0",
        "{{const u = new Uint8Array(2); return [u, u, {u}]; | v[0] === v[1] && v[2].u === v[0] | true",
        "{{const b = new ArrayBuffer(2); b.constructor = {get [Symbol.species]() { throw 1; }}; return b; | v.byteLength | 2",
      })
  void copy_has_the_contents_that_the_standard_copies(
      String value, String expression, String expected) {
    assertEquals(expected, clone(value, expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "() => {} | () => {} could not be cloned.",
        "class Mine {} | class Mine {} could not be cloned.",
        "Symbol('s') | Symbol(s) could not be cloned.",
        "Object(Symbol('s')) | [object Symbol] could not be cloned.",
        "[1, {a: Promise.resolve()}] | #<Promise> could not be cloned.",
        "new WeakMap() | #<WeakMap> could not be cloned.",
        "Object.assign(Object.setPrototypeOf(new WeakMap(), Object.prototype), {x: 1}) | #<Object> could not be cloned.",
        "new WeakSet() | #<WeakSet> could not be cloned.",
        "new WeakRef({}) | #<WeakRef> could not be cloned.",
        "new FinalizationRegistry(() => {}) | #<FinalizationRegistry> could not be cloned.",
        "[].values() | [object Array Iterator] could not be cloned.",
        "new Map().keys() | [object Map Iterator] could not be cloned.",
        "new Set().values() | [object Set Iterator] could not be cloned.",
        "''[Symbol.iterator]() | [object String Iterator] could not be cloned.",
        "[].values().map(x => x) | [object Iterator Helper] could not be cloned.",
        "(function* () {})() | [object Generator] could not be cloned.",
        "(async function* () {})() | [object AsyncGenerator] could not be cloned.",
        "(function () { return arguments; })(1) | #<Object> could not be cloned.",
        "(function () { 'use strict'; return arguments; })(1) | #<Object> could not be cloned.",
        "new Intl.NumberFormat() | #<NumberFormat> could not be cloned.",
        "new Intl.Segmenter().segment('a') | #<Object> could not be cloned.",
        "JSON.rawJSON('1') | [object Object] could not be cloned.",
        "new Proxy({}, {}) | #<Object> could not be cloned.",
        "new Proxy([], {}) | #<Object> could not be cloned.",
        "new Proxy(new Map(), {}) | #<Object> could not be cloned.",
        "(() => { const {proxy, revoke} = Proxy.revocable({}, {}); revoke(); return proxy; })() | #<Object> could not be cloned.",
        "globalThis | #<Window> could not be cloned.",
        "document | #<Document> could not be cloned.",
        "new (class Mine extends EventTarget {}) | #<Mine> could not be cloned.",
        "new Event('x') | #<Event> could not be cloned.",
        "new SharedArrayBuffer(8) | SharedArrayBuffer transfer requires self.crossOriginIsolated.",
        "new Uint8Array(new SharedArrayBuffer(8)) | SharedArrayBuffer transfer requires self.crossOriginIsolated.",
        "(() => { const b = new ArrayBuffer(8); b.transfer(); return b; })() | An ArrayBuffer is detached and could not be cloned.",
        "(() => { const u = new Uint8Array(8); u.buffer.transfer(); return u; })() | An ArrayBuffer is detached and could not be cloned.",
        "(() => { const b = new ArrayBuffer(8, {maxByteLength: 9}); const u = new Uint8Array(b, 4); b.resize(2); return u; })() | [object Object] could not be cloned.",
        "(() => { const b = new ArrayBuffer(8, {maxByteLength: 9}); const u = new Uint8Array(b, 0, 8); b.resize(7); return u; })() | [object Object] could not be cloned.",
        "(() => { const b = new ArrayBuffer(8, {maxByteLength: 9}); const u = new DataView(b, 4); b.resize(2); return u; })() | #<DataView> could not be cloned.",
      })
  void uncloneable_value_is_a_data_clone_error(String value, String message) {
    assertEquals(
        List.of(
            "DataCloneError 25 true Failed to execute 'structuredClone' on 'Window': " + message),
        Scenario.logOf(
            """
            try {
              structuredClone((%s));
              console.log('cloned');
            } catch (e) {
              console.log(e.name, e.code, e instanceof DOMException, e.message);
            }
            """
                .formatted(value)));
  }

  @Test
  void traps_of_a_proxy_do_not_run() {
    assertEquals(
        List.of("DataCloneError", "DataCloneError", "a,b none"),
        Scenario.logOf(
            """
            let trapped = 'none';
            const noisy = new Proxy({}, {get(_, trap) { trapped = trap; return undefined; }});
            for (const value of [new Proxy({}, noisy), {deep: [new Proxy([1], noisy)]}]) {
              try { structuredClone(value); } catch (e) { console.log(e.name); }
            }
            const heir = Object.setPrototypeOf({a: 1, b: 2}, new Proxy({}, noisy));
            trapped = 'none';
            console.log(Object.keys(structuredClone(heir)).join(), trapped);
            """));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{get x() { throw thrown; }}",
        "[1, {get x() { throw thrown; }}]",
        "new Map([[1, {get x() { throw thrown; }}]])",
        "Object.defineProperty(new Error(), 'name', {get() { throw thrown; }})",
        "Object.assign(new Error(), {message: {toString() { throw thrown; }}})",
      })
  void exception_of_page_code_is_passed_on_unchanged(String value) {
    assertEquals(
        List.of("true"),
        Scenario.logOf(
            """
            const thrown = {};
            try { structuredClone(%s); } catch (e) { console.log(e === thrown); }
            """
                .formatted(value)));
  }

  @Test
  void getters_run_in_order_of_the_properties_and_depth_first() {
    assertEquals(
        List.of("a b b.c b.d e"),
        Scenario.logOf(
            """
            const ran = [];
            const say = (name, value) => ({get() { ran.push(name); return value; }, enumerable: true});
            const inner = Object.defineProperties({}, {c: say('b.c', 1), d: say('b.d', [2])});
            structuredClone(Object.defineProperties({}, {a: say('a', 1), b: say('b', inner), e: say('e')}));
            console.log(ran.join(' '));
            """));
  }

  @Test
  void clone_called_inside_a_getter_shares_no_references_with_outer_clone() {
    assertEquals(
        List.of("true false 1"),
        Scenario.logOf(
            """
            const shared = {n: 1};
            const v = structuredClone({shared, get inner() { return structuredClone([shared]); }, again: shared});
            console.log(v.shared === v.again, v.inner[0] === v.shared, v.inner[0].n);
            """));
  }

  @Test
  void replaced_builtins_are_never_called() {
    assertEquals(
        List.of("1 2 3 x 5 a r m 7 true DataCloneError"),
        Scenario.logOf(
            """
            const a = {one: 1, map: new Map([[2, 2]]), set: new Set([3]), s: 'x', date: new Date(5),
              list: ['a'], re: /r/g, error: new Error('m'), bytes: new Uint8Array([7, 8]), big: 5n};
            const {getPrototypeOf, defineProperty} = Object;
            const {ownKeys, apply} = Reflect;
            const {log} = console;
            const get = Map.prototype.get, values = Set.prototype.values, time = Date.prototype.getTime;
            const next = getPrototypeOf(new Set().values()).next;
            const source = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get;
            const protos = [Object, Array, Map, Set, Date, RegExp, Error, Uint8Array, ArrayBuffer, String, Number,
              BigInt, Boolean, Function, Symbol, Iterator].map(c => c.prototype);
            protos.push(getPrototypeOf(Uint8Array.prototype), getPrototypeOf([].values()), Object, Reflect, Array, Symbol);
            const doomed = protos.flatMap(proto => ownKeys(proto).map(key => [proto, key]))
              .filter(([proto, key]) => key !== '__proto__' && key !== 'prototype' && key !== 'name');
            for (const key of ['value', 'get', 'set', 'writable', 'enumerable', 'configurable', 'one', 'list', '0', 'a'])
              doomed.push([Object.prototype, key]);
            for (let i = 0; i < 10; i++) doomed.push([Array.prototype, String(i)]);
            const evil = () => { throw new RangeError('page code ran'); };
            const count = doomed.length;
            for (let i = 0; i < count; i++) {
              const one = doomed[i];
              try { defineProperty(one[0], one[1], {__proto__: null, get: evil, set: evil, configurable: true}); } catch {}
            }
            const v = structuredClone(a);
            let refused;
            try { structuredClone({f() {}}); } catch (e) { refused = e.name; }
            log(v.one, apply(get, v.map, [2]), apply(next, apply(values, v.set, []), []).value, v.s,
              apply(time, v.date, []), v.list[0], apply(source, v.re, []), v.error.message, v.bytes[0],
              getPrototypeOf(v.bytes) === getPrototypeOf(a.bytes), refused);
            """));
  }

  @Test
  void transferred_buffer_moves_and_is_detached() {
    assertEquals(
        List.of("1 7 true true", "true 4 16 7", "true 32 1"),
        Scenario.logOf(
            """
            const b = new Uint8Array([7]).buffer;
            const v = structuredClone({b, view: new Uint8Array(b)}, {transfer: [b]});
            console.log(v.b.byteLength, v.view[0], v.view.buffer === v.b, b.detached);
            const r = new ArrayBuffer(4, {maxByteLength: 16});
            new Uint8Array(r)[0] = 7;
            const moved = structuredClone(r, {transfer: [r]});
            console.log(moved.resizable, moved.byteLength, moved.maxByteLength, new Uint8Array(moved)[0]);
            const t = new ArrayBuffer(16, {maxByteLength: 32});
            const tracking = structuredClone(new DataView(t), {transfer: new Set([t])});
            tracking.buffer.resize(32);
            const other = new ArrayBuffer(1);
            const copy = structuredClone(other);
            console.log(t.detached, tracking.byteLength, other.byteLength);
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[b, b] | ArrayBuffer at index 1 is a duplicate of an earlier one. | false",
        "[{}] | Value at index 0 does not have a transferable type. | false",
        "[b, new Uint8Array(1)] | Value at index 1 does not have a transferable type. | false",
        "[new Event('x')] | Value at index 0 does not have a transferable type. | false",
        "[new Proxy(b, {})] | Value at index 0 does not have a transferable type. | false",
        "[new SharedArrayBuffer(1)] | Value at index 0 does not have a transferable type. | false",
        "[b, gone] | ArrayBuffer at index 1 is already detached. | true",
        "[gone, b] | ArrayBuffer at index 0 is already detached. | false",
      })
  void bad_transfer_list_is_a_data_clone_error(String list, String message, boolean detached) {
    assertEquals(
        List.of(
            "DataCloneError Failed to execute 'structuredClone' on 'Window': "
                + message
                + " "
                + detached),
        Scenario.logOf(
            """
            const b = new ArrayBuffer(1);
            const gone = new ArrayBuffer(1);
            gone.transfer();
            try { structuredClone(1, {transfer: %s}); } catch (e) { console.log(e.name, e.message, b.detached); }
            """
                .formatted(list)));
  }

  @Test
  void nothing_is_detached_when_serializing_fails() {
    assertEquals(
        List.of("mine false", "DataCloneError false", "DataCloneError ArrayBuffer at index 0 true"),
        Scenario.logOf(
            """
            const b = new ArrayBuffer(1);
            try { structuredClone({b, get x() { throw 'mine'; }}, {transfer: [b]}); } catch (e) { console.log(e, b.detached); }
            try { structuredClone([b, () => {}], {transfer: [b]}); } catch (e) { console.log(e.name, b.detached); }
            try { structuredClone({get x() { b.transfer(); }}, {transfer: [b]}); }
            catch (e) { console.log(e.name, e.message.match(/ArrayBuffer at index 0/)[0], b.detached); }
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "structuredClone() | TypeError Failed to execute 'structuredClone' on 'Window': 1 argument required, but only 0 present.",
        "structuredClone(1, 2) | TypeError Failed to execute 'structuredClone' on 'Window': parameter 2 ('options'): The provided value is not of type 'StructuredSerializeOptions'",
        "structuredClone(1, {transfer: 1}) | TypeError Failed to execute 'structuredClone' on 'Window': parameter 2 ('options'): Failed to read the 'transfer' property from 'StructuredSerializeOptions': The provided value cannot be converted to a sequence",
        "structuredClone(1, {transfer: [1]}) | TypeError Failed to execute 'structuredClone' on 'Window': parameter 2 ('options'): Failed to read the 'transfer' property from 'StructuredSerializeOptions': The provided value is not an object",
      })
  void bad_arguments_cause_type_errors(String call, String expected) {
    assertEquals(
        List.of(expected),
        Scenario.logOf(
            "try { %s; } catch (e) { console.log(e.constructor.name, e.message); }"
                .formatted(call)));
  }

  @Test
  void structured_clone_is_a_function_of_the_global() {
    assertEquals(
        List.of("structuredClone 1 true true true function structuredClone() { [native code] }"),
        Scenario.logOf(
            """
            const d = Object.getOwnPropertyDescriptor(window, 'structuredClone');
            console.log(d.value.name, d.value.length, d.writable, d.enumerable, d.configurable, String(d.value));
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{a: null} | a",
        "[null] | 0",
        "new Map([[1, null]]) | map",
      })
  void depth_is_bounded_by_memory_alone(String link, String how) {
    int depth = TestSize.of(20_000, 100_000);
    assertEquals(
        List.of(String.valueOf(depth)),
        Scenario.logOf(
            """
            const how = '%s';
            const make = () => (%s);
            const put = (to, value) => how === 'map' ? to.set(1, value) : to[how] = value;
            const get = (from) => how === 'map' ? from.get(1) : from[how];
            const root = make();
            let at = root;
            for (let i = 1; i < %d; i++) { const next = make(); put(at, next); at = next; }
            let depth = 0;
            for (let v = structuredClone(root); v !== null; v = get(v)) depth++;
            console.log(depth);
            """
                .formatted(how, link, depth)));
  }

  @Tag("full")
  @Test
  void large_values_are_cloned() {
    assertEquals(
        List.of("20000000 3", "20000000 z", "200000 199999", "100000 99999 k99999", "50000 true"),
        Scenario.logOf(
            """
            const bytes = new Uint8Array(20000000);
            bytes[19999999] = 3;
            const copy = structuredClone(bytes);
            console.log(copy.length, copy[19999999]);
            const text = structuredClone(['y'.repeat(19999999) + 'z'])[0];
            console.log(text.length, text[19999999]);
            const list = structuredClone(Array.from({length: 200000}, (_, i) => i));
            console.log(list.length, list[199999]);
            const wide = {};
            for (let i = 0; i < 100000; i++) wide['k' + i] = i;
            const keys = Object.keys(structuredClone(wide));
            console.log(keys.length, wide.k99999, keys[99999]);
            const set = structuredClone(new Set(Array.from({length: 50000}, (_, i) => 'e' + i)));
            console.log(set.size, set.has('e49999'));
            """));
  }
}
