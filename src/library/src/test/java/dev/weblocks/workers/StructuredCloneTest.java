package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Structured serialization from a window to a worker, which sends the value back.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
class StructuredCloneTest {

  /** Sends a value there and back; returns the value of an expression over the copy {@code v}. */
  private static String roundTrip(String value, String expression) {
    try (Scenario scenario = new Scenario(1)) {
      List<String> log =
          scenario
              .resource("/echo.js", "onmessage = e => postMessage(e.data);")
              .window(
                  """
                  const worker = new Worker('/echo.js');
                  const sent = (() => { %s })();
                  worker.onmessage = ({data: v}) => console.log(String(%s));
                  worker.postMessage(sent);
                  """
                      .formatted(
                          value.startsWith("{{") ? value.substring(2) : "return (" + value + ")",
                          expression))
              .run();
      assertEquals(1, log.size(), log.toString());
      return log.get(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "undefined | v | undefined",
        "null | v | null",
        "true | v | true",
        "'text \\ud800 end' | v === sent | true",
        "-0 | Object.is(v, -0) | true",
        "NaN | Object.is(v, NaN) | true",
        "-Infinity | v | -Infinity",
        "2 ** 53 | v === 2 ** 53 | true",
        "1.5e300 | v === 1.5e300 | true",
        "12345678901234567890n | v === 12345678901234567890n | true",
        "Object(-7n) | typeof v + ' ' + v.valueOf() | object -7",
        "new Boolean(false) | typeof v + ' ' + v.valueOf() | object false",
        "new Number(-0) | typeof v + ' ' + Object.is(v.valueOf(), -0) | object true",
        "new String('x') | typeof v + ' ' + v.length + v | object 1x",
        "new Date(86400000) | v instanceof Date && v.toISOString() | 1970-01-02T00:00:00.000Z",
        "new Date(NaN) | Number.isNaN(v.getTime()) | true",
        "/a(b)\\/c/giu | v instanceof RegExp && v.source + ' ' + v.flags + v.lastIndex | a(b)\\/c giu0",
        "new Map([[1, {a: 2}], ['k', new Map()]]) | v.size + ' ' + v.get(1).a + (v.get('k') instanceof Map) | 2 2true",
        "new Set([3, 1, 3, 'x']) | v instanceof Set && [...v].join() | 3,1,x",
        "[1, , 3] | v.length + ' ' + (1 in v) + v[2] | 3 false3",
        "Object.assign([1], {extra: 2}) | v.extra + ' ' + Array.isArray(v) | 2 true",
        "new Array(1000000) | v.length + ' ' + Object.keys(v).length | 1000000 0",
        "({a: 1, b: {c: [2]}}) | JSON.stringify(v) | {\"a\":1,\"b\":{\"c\":[2]}}",
        "({b: 1, a: 2, 1: 3}) | Object.keys(v).join() | 1,b,a",
        "({['__proto__']: 5}) | Object.hasOwn(v, '__proto__') && v['__proto__'] | 5",
        "new (class Mine { x = 1 }) | Object.getPrototypeOf(v) === Object.prototype && v.x | 1",
        "Object.create({inherited: 1}) | 'inherited' in v | false",
        "({get x() { return 'got'; }}) | Object.getOwnPropertyDescriptor(v, 'x').value | got",
        "({[Symbol('s')]: 1, x: 2}) | Reflect.ownKeys(v).length | 1",
        "Object.defineProperty({}, 'hidden', {value: 1}) | 'hidden' in v | false",
        "Object.freeze({x: 1}) | Object.isFrozen(v) | false",
        "{{const a = {}; a.self = a; return a; | v.self === v && v !== sent | true",
        "{{const a = []; a.push(a, [a]); return a; | v[0] === v && v[1][0] === v | true",
        "{{const a = {}; return [a, a, {a}]; | v[0] === v[1] && v[2].a === v[0] | true",
        "{{const m = new Map(); m.set(m, m); return m; | v.get(v) === v | true",
        "{{const s = new Set(); s.add(s); return [s, s]; | v[0].has(v[0]) && v[0] === v[1] | true",
        "new Uint8Array([1, 2, 255]) | v instanceof Uint8Array && v.join() | 1,2,255",
        "new Float64Array([-0, NaN, 0.1]) | Object.is(v[0], -0) && v.join() | 0,NaN,0.1",
        "new BigInt64Array([-1n, 2n]) | v.constructor.name + v.join() | BigInt64Array-1,2",
        "new Uint8ClampedArray(2) | v.constructor.name + v.length | Uint8ClampedArray2",
        "new Uint16Array(new ArrayBuffer(8), 2, 2) | v.byteOffset + ' ' + v.length + ' ' + v.buffer.byteLength | 2 2 8",
        "new DataView(new ArrayBuffer(4), 1, 2) | v instanceof DataView && v.byteOffset + ' ' + v.byteLength | 1 2",
        "new ArrayBuffer(5) | v instanceof ArrayBuffer && v.byteLength | 5",
        "{{const b = new ArrayBuffer(2); return [new Uint8Array(b), new Uint8Array(b)]; | v[0].buffer === v[1].buffer | true",
        "new Error('mine') | v instanceof Error && v.message + Object.keys(v).length | mine0",
        "new RangeError('mine') | v.constructor === RangeError && v.name + ': ' + v.message | RangeError: mine",
        "Object.assign(new Error('m'), {name: 'Other'}) | v.name + ' ' + v.message | Error m",
        "new Error() | Object.hasOwn(v, 'message') + v.message | false",
        "Object.assign(new TypeError('m'), {stack: 'my stack'}) | v.stack | my stack",
        "new Error('m', {cause: 1}) | v.message | m",
      })
  void value_comes_back_the_same(String value, String expression, String expected) {
    assertEquals(expected, roundTrip(value, expression));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "() => {}",
        "function () {}",
        "class {}",
        "{f() {}}",
        "Symbol('s')",
        "Object(Symbol('s'))",
        "[Symbol()]",
        "new Map([[1, () => {}]])",
        "new Set([Symbol()])",
        "new WeakMap()",
        "new WeakSet()",
        "new WeakRef({})",
        "Promise.resolve()",
        "{nested: {promise: new Promise(() => {})}}",
        "globalThis",
        "document",
        "navigator.locks",
        "new EventTarget()",
        "new AbortController().signal",
        "new Event('x')",
        "[new Worker('/echo.js')]",
        "new Proxy(() => {}, {})",
        "new SharedArrayBuffer(8)",
        "new FinalizationRegistry(() => {})",
      })
  void value_that_cannot_be_cloned_is_a_data_clone_error(String value) {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("DataCloneError 25 true"),
          scenario
              .resource("/echo.js", "onmessage = () => console.log('never');")
              .window(
                  """
                  const worker = new Worker('/echo.js');
                  try {
                    worker.postMessage((%s));
                    console.log('sent');
                  } catch (e) {
                    console.log(e.name, e.code, e instanceof DOMException);
                  }
                  """
                      .formatted(value))
              .run());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{get x() { throw thrown; }}",
        "[{get x() { throw thrown; }}]",
        "new Map([[1, {get x() { throw thrown; }}]])",
      })
  void exception_of_a_getter_is_passed_on_unchanged(String value) {
    assertEquals(
        List.of("true"),
        Scenario.logOf(
            """
            const thrown = {};
            try { new Worker('/x.js').postMessage(%s); } catch (e) { console.log(e === thrown); }
            """
                .formatted(value)));
  }
}
