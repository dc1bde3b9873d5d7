package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Iterable, maplike and setlike interfaces, legacy platform objects, legacy extended attributes.
 */
@ParameterizedClass
@MethodSource("dev.weblocks.binding.RealmBed#accesses")
class CollectionsTest {

  @Parameter RealmBed.Access access;
  private RealmBed bed;

  @BeforeEach
  void install() {
    bed = new RealmBed(access, Collections.module());
    bed.eval(
        """
        globalThis.attempt = (f) => { try { return String(f()); } catch (e) { return e.name + ': ' + e.message; } };
        globalThis.flags = (object, key) => {
          const d = Object.getOwnPropertyDescriptor(object, key);
          return d === undefined ? 'none'
            : ('value' in d ? 'value ' : 'accessor ') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '') + (d.writable ? 'w' : '');
        };
        globalThis.pairs = new PairList();
        pairs.append('a', 1); pairs.append('b', 2);
        """);
  }

  @AfterEach
  void close() {
    bed.close();
    assertEquals("[]", bed.defects.toString());
  }

  private void assertEval(String expected, String script) {
    assertEquals(expected, bed.eval(script), script);
  }

  @Test
  void pair_iterable_iterates_entries_keys_and_values() {
    assertEval("a,1,b,2", "[...pairs].join()");
    assertEval("a,1|b,2", "[...pairs.entries()].join('|')");
    assertEval("a,b", "[...pairs.keys()].join()");
    assertEval("1,2", "[...pairs.values()].join()");
    assertEval("true", "PairList.prototype[Symbol.iterator] === PairList.prototype.entries");
    assertEval("entries", "PairList.prototype[Symbol.iterator].name");
  }

  @Test
  void pair_iterator_sees_changes_during_the_iteration() {
    assertEval(
        "a,b,c",
        "const seen = []; for (const [k] of pairs) { seen.push(k); if (k === 'a') pairs.append('c', 3); } seen.join()");
    assertEval(
        "a,c",
        "const two = []; for (const [k] of pairs) { two.push(k); pairs.drop('b'); } two.join()");
  }

  @Test
  void pair_for_each_passes_value_key_object_and_the_given_this() {
    assertEval(
        "1 a true x,2 b true x",
        "const out = []; pairs.forEach(function (v, k, o) { out.push(v + ' ' + k + ' ' + (o === pairs) + ' ' + this); }, 'x'); out.join()");
    assertEval(
        "TypeError: Failed to execute 'forEach' on 'PairList': parameter 1 ('callback'): The provided value is not a function",
        "attempt(() => pairs.forEach(1))");
    assertEval(
        "TypeError: Failed to execute 'forEach' on 'PairList': 1 argument required, but only 0 present.",
        "attempt(() => pairs.forEach())");
    assertEval("1", "PairList.prototype.forEach.length");
  }

  @Test
  void default_iterator_object_has_the_properties_that_web_idl_specifies() {
    assertEval("[object PairList Iterator]", "Object.prototype.toString.call(pairs.keys())");
    assertEval(
        "next,Symbol(Symbol.toStringTag)",
        "Reflect.ownKeys(Object.getPrototypeOf(pairs.keys())).map(String).join()");
    assertEval("value ecw", "flags(Object.getPrototypeOf(pairs.keys()), 'next')");
    assertEval("value c", "flags(Object.getPrototypeOf(pairs.keys()), Symbol.toStringTag)");
    assertEval(
        "true",
        "Object.getPrototypeOf(Object.getPrototypeOf(pairs.keys())) === Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))");
    assertEval(
        "true true",
        "const it = pairs.keys(); [...it]; const r = it.next(); r.done + ' ' + (r.value === undefined)");
    assertEval(
        "TypeError: Failed to execute 'next' on 'PairList Iterator': 'this' is not of type"
            + " 'PairList Iterator'",
        "attempt(() => pairs.keys().next.call([].values()))");
  }

  @Test
  void iterator_works_in_another_realm_of_the_agent() {
    int other = bed.addRealm(java.util.Set.of("Window"), true);
    bed.hand(0, "pairs.keys()", other, "foreign");
    assertEquals(
        "a",
        bed.evalIn(other, "Object.getPrototypeOf(new PairList().keys()).next.call(foreign).value"));
  }

  @Test
  void iteration_methods_are_enumerable_except_symbol_iterator() {
    for (String name : new String[] {"entries", "keys", "values", "forEach"}) {
      assertEval("value ecw", "flags(PairList.prototype, '" + name + "')");
      assertEval("value ecw", "flags(ValueList.prototype, '" + name + "')");
      assertEval("value ecw", "flags(NameMap.prototype, '" + name + "')");
      assertEval("value ecw", "flags(NameSet.prototype, '" + name + "')");
    }
    for (String name : new String[] {"PairList", "ValueList", "NameMap", "NameSet"}) {
      assertEval("value cw", "flags(" + name + ".prototype, Symbol.iterator)");
    }
    assertEval("accessor ec", "flags(NameMap.prototype, 'size')");
  }

  @Test
  void value_iterable_has_the_methods_of_arrays() {
    assertEval("true", "ValueList.prototype[Symbol.iterator] === Array.prototype.values");
    assertEval("true", "ValueList.prototype.values === Array.prototype.values");
    assertEval("true", "ValueList.prototype.forEach === Array.prototype.forEach");
    assertEval("x,y", "[...new ValueList('x', 'y')].join()");
    assertEval("0,1", "[...new ValueList('x', 'y').keys()].join()");
  }

  @Test
  void indexed_setter_is_used_by_assignment_and_define_property() {
    assertEval(
        "z,y,,w 4",
        "const l = new ValueList('x', 'y'); l[0] = 'z'; Object.defineProperty(l, 3, {value: 'w'}); [...l].join() + ' ' + l.length");
    assertEval("value ecw", "flags(new ValueList('x'), 0)");
    assertEval("none", "flags(new ValueList('x'), 1)");
    assertEval(
        "TypeError",
        "attempt(() => { 'use strict'; Object.defineProperty(new ValueList(), 0, {get() {}}); }).slice(0, 9)");
    assertEval(
        "false true",
        "const q = new ValueList('x'); Reflect.deleteProperty(q, 0) + ' ' + Reflect.deleteProperty(q, 5)");
    assertEval(
        "0,1,own", "const k = new ValueList('x', 'y'); k.own = 1; Reflect.ownKeys(k).join()");
    assertEval("false", "Reflect.preventExtensions(new ValueList())");
  }

  @Test
  void maplike_converts_keys_and_values_and_keeps_order() {
    assertEval(
        "1:7,b:0 2 7 undefined true",
        "const m = new NameMap(); m.set(1, '7').set('b', 'x');"
            + " [...m].map(e => e.join(':')).join() + ' ' + m.size + ' ' + m.get('1') + ' ' + m.get('?') + ' ' + m.has('b')");
    assertEval(
        "true false",
        "const d = new NameMap(); d.set('a', 1); d.delete('a') + ' ' + d.delete('a')");
    assertEval("5", "const p = new NameMap(); p.put('k', 5); p.get('k')");
    assertEval("[object Map Iterator]", "Object.prototype.toString.call(new NameMap().keys())");
    assertEval("true", "NameMap.prototype[Symbol.iterator] === NameMap.prototype.entries");
    assertEval(
        "2 1 1 0",
        "[NameMap.prototype.set, NameMap.prototype.get, NameMap.prototype.delete, NameMap.prototype.clear].map(f => f.length).join(' ')");
    assertEval(
        "TypeError: Failed to execute 'set' on 'NameMap': 2 arguments required, but only 1 present.",
        "attempt(() => new NameMap().set('a'))");
    assertEval(
        "TypeError: Failed to read the 'size' property from 'NameMap': 'this' is not an object that implements NameMap",
        "attempt(() => Object.getOwnPropertyDescriptor(NameMap.prototype, 'size').get.call(new Map()))");
  }

  @Test
  void read_only_maplike_has_no_members_that_change_it() {
    assertEval(
        "entries,forEach,get,has,keys,size,values",
        "Object.keys(FixedMap.prototype).sort().join()");
  }

  @Test
  void setlike_interface_may_declare_one_of_the_setlike_members_itself() {
    assertEval(
        "a,b 2 cleared 0",
        "const s = new NameSet(); s.add('a').add('b').add('a'); [...s].join() + ' ' + s.size + ' ' + s.clear() + ' ' + s.size");
    assertEval(
        "true true",
        "(NameSet.prototype.keys === NameSet.prototype.values) + ' ' + (NameSet.prototype[Symbol.iterator] === NameSet.prototype.values)");
    assertEval("a,a", "const e = new NameSet(); e.add('a'); [...e.entries()][0].join()");
  }

  @Test
  void named_properties_can_be_read_set_deleted_and_enumerated() {
    assertEval(
        "1 1 k true value ecw k,fixed",
        "const s = new Store(); s.k = 1;"
            + "[s.k, s.getItem('k'), Object.keys(s)[0], 'k' in s, flags(s, 'k'), Reflect.ownKeys(s).join()].join(' ')");
    assertEval("true undefined", "const t = new Store(); t.k = 1; (delete t.k) + ' ' + t.k");
    assertEval(
        "the store 2",
        "const u = new Store(); u.setItem('title', '2'); u.title + ' ' + u.getItem('title')");
    assertEval(
        "fixed", "const v = new Store(); Reflect.defineProperty(v, 'fixed', {value: 1}); v.fixed");
    assertEval("false", "Reflect.defineProperty(new Store(), 'x', {get() {}})");
  }

  @Test
  void overriding_names_shadow_the_prototype_and_are_not_enumerable() {
    assertEval("named title", "new Overriding().title");
    assertEval("named toString", "new Overriding().toString");
    assertEval("", "Object.keys(new Overriding()).join()");
    assertEval("value c", "flags(new Overriding(), 'plain')");
    assertEval("title,toString,plain", "Reflect.ownKeys(new Overriding()).join()");
    assertEval("false", "Reflect.set(new Overriding(), 'plain', 1)");
    assertEval("false", "Reflect.deleteProperty(new Overriding(), 'plain')");
  }

  @Test
  void legacy_factory_function_makes_objects_of_the_interface() {
    assertEval(
        "Portrait 1 ann 1 true true",
        "const p = new Portrait('ann'); [Portrait.name, Portrait.length, p.who, p.width, p instanceof Picture, Portrait.prototype === Picture.prototype].join(' ')");
    assertEval("value ", "flags(Portrait, 'prototype')");
    assertEval("value cw", "flags(globalThis, 'Portrait')");
    assertEval(
        "function Portrait() { [native code] }", "Function.prototype.toString.call(Portrait)");
    assertEval("TypeError", "attempt(() => Portrait('x')).slice(0, 9)");
    assertEval(
        "true bob",
        "class P extends Portrait {} const sub = new P('bob'); (sub instanceof P) + ' ' + sub.who");
    assertEval(
        "TypeError: Failed to construct 'Picture': Illegal constructor",
        "attempt(() => new Picture())");
  }

  @Test
  void unscopable_members_are_hidden_in_with_statements() {
    assertEval("hang,width", "Object.keys(Picture.prototype[Symbol.unscopables]).join()");
    assertEval("null", "Object.getPrototypeOf(Picture.prototype[Symbol.unscopables])");
    assertEval("value c", "flags(Picture.prototype, Symbol.unscopables)");
    assertEval("undefined", "with (new Portrait('x')) { typeof hang }");
  }

  @Test
  void lenient_this_and_lenient_setter_do_not_throw() {
    assertEval("3 undefined", "new Portrait('x').lenient + ' ' + Picture.prototype.lenient");
    assertEval("true", "Reflect.set(Picture.prototype, 'lenient', 1)");
    assertEval("4", "'use strict'; const soft = new Portrait('x'); soft.soft = 9; soft.soft");
  }

  @Test
  void default_to_json_collects_json_attributes_ancestors_first() {
    assertEval(
        "{\"who\":\"mini\",\"width\":2,\"lenient\":3,\"soft\":4,\"tiny\":true}",
        "JSON.stringify(new Miniature())");
    assertEval(
        "{\"who\":\"x\",\"width\":1,\"lenient\":3,\"soft\":4}",
        "JSON.stringify(new Portrait('x'))");
  }

  @Test
  void interface_object_of_a_callback_interface_cannot_be_called() {
    assertEval("2 value e", "Chooser.REJECT + ' ' + flags(Chooser, 'ACCEPT')");
    assertEval(
        "Chooser 0 false", "[Chooser.name, Chooser.length, 'prototype' in Chooser].join(' ')");
    assertEval("TypeError: Illegal constructor", "attempt(() => Chooser())");
    assertEval("TypeError", "attempt(() => new Chooser()).slice(0, 9)");
  }

  @Test
  void namespace_has_constants_attributes_and_operations() {
    assertEval("7 metre 1", "[Limits.MOST, Limits.unit, Limits.least()].join(' ')");
    assertEval(
        "value e accessor ec value ecw",
        "[flags(Limits, 'MOST'), flags(Limits, 'unit'), flags(Limits, 'least')].join(' ')");
    assertEval("[object Limits]", "String(Limits)");
  }

  @Test
  void buffer_source_types_accept_only_their_kinds_of_buffers() {
    assertEval("0102", "new Buffers().bytes(new Uint8Array([1, 2]))");
    assertEval("0203", "new Buffers().bytes(new Uint8Array([1, 2, 3]).subarray(1))");
    assertEval("03", "new Buffers().bytes(new DataView(new Uint8Array([1, 2, 3]).buffer, 2))");
    assertEval("", "const b = new ArrayBuffer(4); b.transfer(); new Buffers().bytes(b)");
    assertEval("0000", "new Buffers().shared(new SharedArrayBuffer(2))");
    assertEval("0000803f", "new Buffers().floats(new Float32Array([1]))");
    assertEval(
        "TypeError", "attempt(() => new Buffers().bytes(new SharedArrayBuffer(2))).slice(0, 9)");
    assertEval(
        "TypeError: Failed to execute 'bytes' on 'Buffers': parameter 1 ('source'): The provided value must not be shared",
        "attempt(() => new Buffers().bytes(new Uint8Array(new SharedArrayBuffer(2))))");
    assertEval(
        "TypeError: Failed to execute 'bytes' on 'Buffers': parameter 1 ('source'): The provided value must not be resizable",
        "attempt(() => new Buffers().bytes(new ArrayBuffer(2, {maxByteLength: 4})))");
    assertEval("0000", "new Buffers().resizable(new ArrayBuffer(2, {maxByteLength: 4}))");
    assertEval("TypeError", "attempt(() => new Buffers().floats(new Float64Array(1))).slice(0, 9)");
  }

  @Test
  void java_can_fill_and_create_byte_buffers() {
    assertEval(
        "0,48,49,50,51,52,53,54,55,56,57,0",
        "const t = new Uint8Array(20).subarray(4, 16); new Buffers().fill(t, 1); Array.from(t).join()");
    assertEval(
        "0,1,2,3,4,5,6,7,8,9,10 true",
        "const m = new Buffers().make(11); Array.from(m).join() + ' ' + (m instanceof Uint8Array)");
  }

  @Test
  void frozen_array_attribute_returns_the_same_frozen_array_each_time() {
    assertEval(
        "a,b true true true",
        "const f = new Buffers(); [f.frozen, Object.isFrozen(f.frozen), f.frozen === f.frozen, Array.isArray(f.frozen)].join(' ')");
  }

  @Test
  void unions_and_overloads_distinguish_numbers_from_big_integers() {
    assertEval("int 7", "new Kinds().numeric(7)");
    assertEval("int 7", "new Kinds().numeric('7')");
    assertEval("big 100000000000000000000", "new Kinds().numeric(10n ** 20n)");
    assertEval("big 100000000000000000000", "new Kinds().numeric({valueOf: () => 10n ** 20n})");
    assertEval("0 big", "new Kinds().pick(10n ** 20n)");
    assertEval("1 string", "new Kinds().pick(1)");
  }

  @Test
  void union_with_undefined_accepts_undefined() {
    assertEval("string", "new Kinds().perhaps()");
    assertEval("string", "new Kinds().perhaps('x')");
    assertEval("string", "new Kinds().perhaps(null)");
  }

  @Test
  void record_keys_equal_after_conversion_become_one_entry() {
    assertEval("\uFFFD,2,b,3", "new Kinds().entries({'\\ud800': 1, '\\udc00': 2, b: 3})");
    assertEval("TypeError", "attempt(() => new Kinds().entries({[Symbol()]: 1})).slice(0, 9)");
  }

  @Test
  void named_properties_work_on_an_object_without_a_prototype() {
    assertEval(
        "true false 1 a,fixed true false",
        "const s = new Store(); s.a = 1; Object.setPrototypeOf(s, null);"
            + "['a' in s, 'b' in s, s.a, Object.keys(s), delete s.a, 'a' in s].join(' ')");
  }

  @Test
  void defining_unforgeable_members_ignores_descriptor_keys_on_object_prototype() {
    assertEval(
        "",
        """
        const hits = [], { defineProperty } = Object, keys = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];
        for (const key of keys) {
          defineProperty(Object.prototype, key, { __proto__: null, configurable: true, get() { hits.push('get ' + key) }, set() { hits.push('set ' + key) } });
          try {
            if (new Store().fixed !== 'fixed') hits.push('lost ' + key);
          } catch (e) {
            hits.push(key + e);
          }
          delete Object.prototype[key];
        }
        hits.join()
        """);
  }

  @Test
  void overloads_accept_null_in_a_union_and_reject_undeclared_argument_counts() {
    assertEval(
        "0 1 0",
        "const k = new Kinds(); [k.nullish(null), k.nullish('a'), k.nullish([1])].map(text => text[0]).join(' ')");
    assertEval("0 1", "[new Kinds().arity(1), new Kinds().arity(1, 2, 3)].join(' ')");
    assertEval(
        "TypeError: Failed to execute 'arity' on 'Kinds': Overload resolution failed.",
        "try { new Kinds().arity(1, 2) } catch (e) { String(e) }");
  }

  @Test
  void overload_resolution_reads_iterator_method_of_union_or_nullable_once() {
    assertEval(
        "0 1",
        "var n = 0, it = { get [Symbol.iterator]() { n++; return [].values } };"
            + "new Kinds().nullish(it)[0] + ' ' + n");
    assertEval("0 1", "n = 0; new Kinds().perhapsList(it)[0] + ' ' + n");
  }
}
