package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversion of JavaScript values to IDL values, as Java receives them. */
@ParameterizedClass
@MethodSource("dev.weblocks.binding.RealmBed#accesses")
class ConversionTest {

  @Parameter RealmBed.Access access;
  private RealmBed bed;

  static final class Integers extends PlatformObject {
    Integers(dev.weblocks.agent.Realm realm) {
      super(realm);
    }
  }

  private static void define(Implementations implementations) {
    Implementations.Interface<Integers> integers =
        implementations
            .implement("Integers", Integers.class)
            .constructor((realm, args) -> new Integers(realm));
    for (String mode : new String[] {"as", "enforce", "clamp"}) {
      for (String type :
          new String[] {
            "Byte",
            "Octet",
            "Short",
            "UnsignedShort",
            "Long",
            "UnsignedLong",
            "LongLong",
            "UnsignedLongLong"
          }) {
        integers.operation(mode + type, (self, args) -> args.number(0));
      }
    }
  }

  @BeforeEach
  void install() {
    bed =
        new RealmBed(
            access, Constructs.module(), RealmBed.module("integers.idl", ConversionTest::define));
    bed.eval(
        """
        var integers = new Integers();
        var calls = new Calls();
        // the result of each value; a TypeError is T, minus zero is -0
        function all(member, ...values) {
          return values.map(v => {
            try {
              const x = integers[member](v);
              return Object.is(x, -0) ? '-0' : String(x);
            } catch (e) {
              return e instanceof TypeError ? 'T' : e;
            }
          }).join(' ');
        }
        function fails(f) {
          try { return 'no: ' + f(); } catch (e) { return e instanceof TypeError ? e.message : e; }
        }
        """);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void assertEval(String expected, String script) {
    assertEquals(expected, bed.eval(script), script);
  }

  @Test
  void small_integers_wrap_around() {
    assertEval("0 1 -1 127 -128 -1 0 0", "all('asByte', 0, 1, -1, 127, 128, 255, 256, -256)");
    assertEval("255 255 0 128 44", "all('asOctet', 255, -1, 256, -128, 300)");
    assertEval("32767 -32768 -1 0", "all('asShort', 32767, 32768, 65535, 65536)");
    assertEval("65535 0 65535 32768", "all('asUnsignedShort', 65535, 65536, -1, -32768)");
    assertEval(
        "2147483647 -2147483648 -1 0",
        "all('asLong', 2147483647, 2147483648, 4294967295, 4294967296)");
    assertEval(
        "4294967295 0 4294967295 2147483648",
        "all('asUnsignedLong', 4294967295, 4294967296, -1, -2147483648)");
  }

  @Test
  void fractions_are_truncated_and_never_become_minus_zero() {
    assertEval("1 -1 0 0 0", "all('asLong', 1.9, -1.9, -0.9, -0, 0.5)");
    assertEval("0 0 0", "all('asUnsignedLongLong', -0.9, -0, 0)");
    assertEval("0 0 3", "all('enforceLong', -0.9, -0, 3.99)");
    assertEval("0 0 0", "all('clampLong', -0.3, -0, -0.5)");
  }

  @Test
  void non_finite_numbers_become_zero() {
    for (String member :
        new String[] {"asByte", "asUnsignedLong", "asLongLong", "asUnsignedLongLong"}) {
      assertEval(
          "0 0 0 0 0 0 1 0 12",
          "all('"
              + member
              + "', NaN, Infinity, -Infinity, undefined, null, 'x', true, {}, ' 12 ')");
    }
  }

  @Test
  void converting_symbols_and_big_ints_to_numbers_throws() {
    assertEval("T T T", "[all('asLong', Symbol(), 1n), all('clampByte', 1n)].join(' ')");
  }

  @Test
  void long_long_wraps_with_exact_arithmetic() {
    assertEval(
        "9007199254740992 9007199254740992 -9007199254740992",
        "all('asLongLong', 2 ** 53, 2 ** 53 + 1, -(2 ** 53))");
    assertEval(
        "-9223372036854776000 0 4096 -4096 -9223372036854776000",
        "all('asLongLong', 2 ** 63, 2 ** 64, 2 ** 64 + 4096, -(2 ** 64) - 4096, -(2 ** 63))");
    assertEval(
        "9223372036854776000 0 4096 18446744073709552000",
        "all('asUnsignedLongLong', 2 ** 63, 2 ** 64, 2 ** 64 + 4096, -1)");
    assertEval("0", "all('asLong', 2 ** 64)");
    assertEval(
        "0 0 4096",
        "all('asUnsignedLong', 1e300, 2 ** 84 + 2 ** 33 + 2 ** 32 * 5 + 2 ** 32, 2 ** 52 + 4096)");
  }

  @Test
  void enforce_range_rejects_values_out_of_range() {
    assertEval("-128 127 T T 127", "all('enforceByte', -128, 127, -129, 128, 127.9)");
    assertEval("0 255 T T 0", "all('enforceOctet', 0, 255, 256, -1, -0.99)");
    assertEval("-32768 32767 T T", "all('enforceShort', -32768, 32767, -32769, 32768)");
    assertEval("65535 T T", "all('enforceUnsignedShort', 65535, 65536, -1)");
    assertEval(
        "-2147483648 2147483647 T T",
        "all('enforceLong', -2147483648, 2147483647, -2147483649, 2147483648)");
    assertEval("4294967295 T T", "all('enforceUnsignedLong', 4294967295, 4294967296, -1)");
    assertEval(
        "9007199254740991 -9007199254740991 T T",
        "all('enforceLongLong', 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 53, -(2 ** 53))");
    assertEval("9007199254740991 T T", "all('enforceUnsignedLongLong', 2 ** 53 - 1, 2 ** 53, -1)");
    assertEval("T T T T T 0", "all('enforceLong', NaN, Infinity, -Infinity, undefined, 'x', null)");
  }

  @Test
  void clamp_rounds_to_the_nearest_integer_and_ties_to_even() {
    assertEval("-128 127 0 -128 127", "all('clampByte', -1000, 1000, NaN, -Infinity, Infinity)");
    assertEval("0 2 2 4 -2 -2 0 1", "all('clampLong', 0.5, 1.5, 2.5, 3.5, -1.5, -2.5, -0.5, 0.51)");
    assertEval("0 255 254 255", "all('clampOctet', -1, 256, 254.5, 254.6)");
    assertEval("65535 0", "all('clampUnsignedShort', 70000, -5)");
    assertEval("-32768 32767", "all('clampShort', -70000, 70000)");
    assertEval("4294967295", "all('clampUnsignedLong', 1e20)");
    assertEval("9007199254740991 -9007199254740991", "all('clampLongLong', 2 ** 64, -(2 ** 64))");
    assertEval("9007199254740991 0", "all('clampUnsignedLongLong', 2 ** 64, -(2 ** 64))");
  }

  @Test
  void restricted_floats_are_finite_and_float_is_rounded_to_single_precision() {
    assertEval("0.1", "calls.finite(0.1)");
    assertEval(
        "T", "try { calls.finite(Infinity) } catch (e) { e instanceof TypeError ? 'T' : e }");
    assertEval("T", "try { calls.finite(NaN) } catch (e) { e instanceof TypeError ? 'T' : e }");
    assertEval("0.10000000149011612", "calls.single(0.1)");
    assertEval("T", "try { calls.single(1e39) } catch (e) { e instanceof TypeError ? 'T' : e }");
  }

  @Test
  void strings_are_converted_as_the_idl_type_requires() {
    assertEval(
        "null undefined 1 a,b",
        "[null, undefined, 1, ['a', 'b']].map(v => calls.animal(new Animal(v === undefined ? 'undefined' : v))).join(' ')");
    assertEval("\uFFFDx", "calls.wellFormed('\\ud800x')");
    assertEval("\u00e9", "calls.bytes('\\u00e9')");
    assertEval(
        "Failed to execute 'bytes' on 'Calls': parameter 1 ('text'): The character at index 1 has value 8364, above 255",
        "fails(() => calls.bytes('x\\u20ac'))");
    assertEval(
        "[] [null] [undefined]",
        "[null, 'null', undefined].map(v => calls.emptyForNull(v)).join(' ')");
    assertEval("true", "try { calls.wellFormed(Symbol()) } catch (e) { e instanceof TypeError }");
  }

  @Test
  void enumeration_type_accepts_only_its_values() {
    assertEval("light blue", "calls.color({ toString() { return 'light blue' } })");
    assertEval(
        "Failed to execute 'color' on 'Calls': parameter 1 ('color'): The provided value 'toString' is not a valid enum value of type Color",
        "fails(() => calls.color('toString'))");
    assertEval(
        "Failed to execute 'color' on 'Calls': parameter 1 ('color'): The provided value '__proto__' is not a valid enum value of type Color",
        "fails(() => calls.color('__proto__'))");
  }

  @Test
  void enumeration_attribute_ignores_unknown_values() {
    assertEval(
        "green red",
        "const a = new Animal(); a.color = 'green'; const b = a.color; a.color = 'red'; a.color = 'Green'; b + ' ' + a.color");
    assertEval(
        "true",
        "const a = new Animal(); try { a.color = Symbol() } catch (e) { e instanceof TypeError }");
    assertEval(
        "true",
        "const a = new Animal(); try { a.shade = 'none' } catch (e) { e instanceof TypeError }");
    assertEval(
        "null green",
        "const a = new Animal(); const n = a.shade; a.shade = 'green'; n + ' ' + a.shade");
  }

  @Test
  void sequences_come_from_any_iterable() {
    assertEval("1,2,3", "calls.numbers([1, '2', 3.7])");
    assertEval("1,2", "calls.numbers(new Set([1, 2]))");
    assertEval("0,1", "calls.numbers((function* () { yield 0; yield 1 })())");
    assertEval("[a, b];[c]", "calls.nested([['a', 'b'], new Set(['c'])])");
    assertEval("0,1", "calls.numbers([, 1])");
    assertEval(
        "4",
        "calls.numbers({ [Symbol.iterator]() { let n = 0; return { next() { return n++ ? { done: 1 } : { value: 4 } } } } })");
    assertEval("", "calls.numbers([])");
  }

  @Test
  void non_iterable_values_are_not_sequences() {
    String beginning = "Failed to execute 'numbers' on 'Calls': parameter 1 ('list'): ";
    assertEval(
        beginning + "The provided value cannot be converted to a sequence",
        "fails(() => calls.numbers('12'))");
    assertEval(
        beginning + "The provided value cannot be converted to a sequence",
        "fails(() => calls.numbers(undefined))");
    assertEval(
        beginning + "The object must have a callable @@iterator property",
        "fails(() => calls.numbers({}))");
    assertEval(
        beginning + "The object must have a callable @@iterator property",
        "fails(() => calls.numbers({ [Symbol.iterator]: 1 }))");
    assertEval(
        beginning + "Result of the Symbol.iterator method is not an object",
        "fails(() => calls.numbers({ [Symbol.iterator]() {} }))");
    assertEval(
        beginning + "Iterator result is not an object",
        "fails(() => calls.numbers({ [Symbol.iterator]() { return { next() {} } } }))");
    assertEval(
        "true",
        "try { calls.numbers({ [Symbol.iterator]() { return {} } }) } catch (e) { e instanceof TypeError }");
  }

  @Test
  void exceptions_of_iterators_pass_through_without_closing_the_iterator() {
    assertEval(
        "mine", "try { calls.numbers({ [Symbol.iterator]() { throw 'mine' } }) } catch (e) { e }");
    assertEval(
        "mine",
        "try { calls.numbers({ [Symbol.iterator]() { return { next() { throw 'mine' } } } }) } catch (e) { e }");
    assertEval(
        "item false",
        "let closed = false; const iter = { [Symbol.iterator]() { return this }, next() { return { value: { valueOf() { throw 'item' } } } }, return() { closed = true; return {} } };"
            + "try { calls.numbers(iter) } catch (e) { e + ' ' + closed }");
  }

  @Test
  void iterator_next_is_read_once_and_done_is_read_before_value() {
    assertEval(
        "iterator,next,done,value,done",
        "const log = []; let n = 0;"
            + "calls.numbers({ get [Symbol.iterator]() { log.push('iterator'); return () => ({ get next() { log.push('next'); return () => ({ get done() { log.push('done'); return n++ > 0 }, get value() { log.push('value'); return 1 } }) } }) } });"
            + "log.join()");
  }

  @Test
  void records_take_own_enumerable_keys_in_order() {
    assertEval("1,10,b,2,a,3", "calls.entries({ b: 2, a: '3', 1: 10 })");
    assertEval(
        "own,1",
        "const o = Object.create({ inherited: 1 }, { hidden: { value: 2 }, own: { value: 1, enumerable: true } }); calls.entries(o)");
    assertEval(
        "true", "try { calls.entries({ [Symbol()]: 1 }) } catch (e) { e instanceof TypeError }");
    assertEval("a,1", "calls.entries(Object.defineProperty({ a: 1 }, Symbol(), { value: 1 }))");
    assertEval(
        "ownKeys,gopd a,get a,gopd b",
        "const log = []; calls.entries(new Proxy({ a: 1, b: 2 }, {"
            + "ownKeys(t) { log.push('ownKeys'); return Reflect.ownKeys(t) },"
            + "getOwnPropertyDescriptor(t, k) { log.push('gopd ' + k); return k === 'b' ? undefined : Reflect.getOwnPropertyDescriptor(t, k) },"
            + "get(t, k) { log.push('get ' + k); return t[k] } })); log.join()");
    assertEval(
        "Failed to execute 'entries' on 'Calls': parameter 1 ('map'): The provided value is not an object",
        "fails(() => calls.entries(1))");
  }

  @Test
  void union_member_type_is_chosen_by_the_kind_of_value() {
    assertEval("string 1", "calls.union('1')");
    assertEval("number 1", "calls.union(1.7)");
    assertEval("boolean true", "calls.union(true)");
    assertEval("Dog", "calls.union(new Dog())");
    assertEval(
        "[string a, string b]",
        "calls.union(['a', 'b']).replace('[a, b]', '[string a, string b]')");
    assertEval("[4]", "calls.union({ depth: 4 })");
    assertEval("[3]", "calls.union()");
    assertEval("[3]", "calls.union(null)");
    assertEval("function", "calls.union(() => {})");
    assertEval("string [object Object]", "calls.stringOrNumber({})");
    assertEval("number 5", "calls.stringOrNumber(5)");
    assertEval("string null", "calls.stringOrNumber(null)");
    assertEval(
        "null null string x Animal",
        "[calls.nullableUnion(null), calls.nullableUnion(undefined), calls.nullableUnion('x'), calls.nullableUnion(new Animal())].join(' ')");
  }

  @Test
  void union_reads_the_iterator_method_once() {
    assertEval(
        "1",
        "let n = 0; calls.union({ get [Symbol.iterator]() { n++; return Array.prototype.values.bind(['x']) } }); n");
  }

  @Test
  void dictionary_members_are_read_once_in_order_inherited_members_first() {
    assertEval(
        "beta,zeta,absent,color,list,must",
        "const log = []; calls.settings(new Proxy({ must: 'm' }, { get(t, k) { log.push(k); return t[k] } }), ''); log.join()");
    assertEval(
        "beta zeta color list must",
        "const log = []; const of = (k, v) => ({ get [k]() { log.push(k); return v } });"
            + "const o = {}; for (const [k, v] of [['must', 'm'], ['list', []], ['zeta', 1], ['color', 'red'], ['beta', '']])"
            + "Object.defineProperty(o, k, { get() { log.push(k); return v } });"
            + "calls.settings(o, ''); log.join(' ')");
  }

  @Test
  void each_dictionary_member_is_converted_before_the_next_is_read() {
    assertEval(
        "get beta,convert beta,get zeta,convert zeta,get must",
        "const log = [];"
            + "const o = { get zeta() { log.push('get zeta'); return { valueOf() { log.push('convert zeta'); return 1 } } },"
            + "get beta() { log.push('get beta'); return { toString() { log.push('convert beta'); return '' } } },"
            + "get must() { log.push('get must'); return 'm' } };"
            + "calls.settings(o, ''); log.join()");
  }

  @Test
  void dictionary_members_have_defaults_or_are_absent() {
    assertEval("b 1 red [] m false x", "calls.settings({ must: 'm' }, 'x')");
    assertEval(
        "B 7 green [1, 2] m true x",
        "calls.settings({ must: 'm', beta: 'B', zeta: 7, color: 'green', list: [1, 2], absent: '' }, 'x')");
    assertEval("[3] false", "calls.plan()");
    assertEval("[3] false", "calls.plan(null)");
    assertEval("[9] true", "calls.plan({ inner: { depth: 9 }, name: 'n' })");
    assertEval("[3] false", "calls.plan([])");
    assertEval(
        "inherited", "calls.settings(Object.create({ must: 'inherited' }), '').split(' ')[4]");
  }

  @Test
  void dictionary_errors_name_the_member() {
    String beginning = "Failed to execute 'settings' on 'Calls': parameter 1 ('settings'): ";
    assertEval(
        beginning
            + "Failed to read the 'must' property from 'Settings': Required member is undefined",
        "fails(() => calls.settings({}, ''))");
    assertEval(
        beginning
            + "Failed to read the 'must' property from 'Settings': Required member is undefined",
        "fails(() => calls.settings(undefined, ''))");
    assertEval(
        beginning + "The provided value is not of type 'Settings'",
        "fails(() => calls.settings(1, ''))");
    assertEval(
        beginning
            + "Failed to read the 'color' property from 'Settings': The provided value 'x' is not a valid enum value of type Color",
        "fails(() => calls.settings({ must: '', color: 'x' }, ''))");
  }

  @Test
  void big_integers_and_objects_accept_only_their_own_kind() {
    assertEval("12345678901234567890", "calls.big(12345678901234567890n)");
    assertEval("true", "try { calls.big(1) } catch (e) { e instanceof TypeError }");
    assertEval("object object", "calls.anObject({}) + ' ' + calls.anObject(() => {})");
    assertEval(
        "Failed to execute 'anObject' on 'Calls': parameter 1 ('o'): The provided value is not an object",
        "fails(() => calls.anObject('s'))");
  }
}
