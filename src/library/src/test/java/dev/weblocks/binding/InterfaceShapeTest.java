package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The shape of interfaces: objects, prototypes, property descriptors, function objects. */
@ParameterizedClass
@MethodSource("dev.weblocks.binding.RealmBed#accesses")
class InterfaceShapeTest {

  @Parameter RealmBed.Access access;
  private RealmBed bed;

  @BeforeEach
  void install() {
    bed = new RealmBed(access, Constructs.module());
    bed.eval(
        """
        function shape(object, key) {
          const d = Object.getOwnPropertyDescriptor(object, key);
          if (d === undefined) return 'none';
          const flags = (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '') + (d.writable ? 'w' : '');
          return d.get || d.set
            ? (d.get ? 'get ' : '') + (d.set ? 'set ' : '') + flags
            : 'value ' + flags;
        }
        function fn(f) { return [f.name, f.length, Function.prototype.toString.call(f)].join('/'); }
        function accessor(object, key) {
          const d = Object.getOwnPropertyDescriptor(object, key);
          return fn(d.get) + (d.set ? ' ' + fn(d.set) : '');
        }
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
  void interface_object_is_a_native_function_and_non_enumerable_on_the_global() {
    assertEval("value cw", "shape(globalThis, 'Animal')");
    assertEval("Animal/0/function Animal() { [native code] }", "fn(Animal)");
    assertEval("true", "Object.getPrototypeOf(Animal) === Function.prototype");
    assertEval("true", "Object.getPrototypeOf(Dog) === Animal");
  }

  @Test
  void interface_object_has_length_name_prototype_constants_and_static_members_only() {
    assertEval(
        "ALIVE,LEGS,count,length,motto,name,prototype,sum",
        "Reflect.ownKeys(Animal).sort().join()");
    assertEval("length,name,prototype", "Reflect.ownKeys(Empty).sort().join()");
    assertEval("value ", "shape(Animal, 'prototype')");
    assertEval("value c", "shape(Animal, 'length')");
    assertEval("value c", "shape(Animal, 'name')");
  }

  @Test
  void length_of_functions_is_the_smallest_number_of_required_arguments() {
    assertEval("0", "Animal.length");
    assertEval("1", "Row.length");
    assertEval("2", "Animal.sum.length");
    assertEval("1", "Calls.prototype.variadic.length");
    assertEval("1", "Calls.prototype.optionals.length");
    assertEval("0", "Calls.prototype.plan.length");
    assertEval("1", "Calls.prototype.overloaded.length");
    assertEval("0", "Calls.prototype.many.length");
  }

  @Test
  void prototype_has_the_members_and_class_name_and_inherits_from_the_parent() {
    assertEval(
        "ALIVE,LEGS,act,color,constructor,name,nick,shade,speak,Symbol(Symbol.toStringTag)",
        "const keys = Reflect.ownKeys(Animal.prototype);"
            + "keys.filter(k => typeof k === 'string').sort()"
            + ".concat(keys.filter(k => typeof k === 'symbol').map(String)).join()");
    assertEval("value cw", "shape(Animal.prototype, 'constructor')");
    assertEval("true", "Animal.prototype.constructor === Animal");
    assertEval("value c", "shape(Animal.prototype, Symbol.toStringTag)");
    assertEval("[object Dog]", "Object.prototype.toString.call(new Dog())");
    assertEval("true", "Object.getPrototypeOf(Dog.prototype) === Animal.prototype");
    assertEval("true", "Object.getPrototypeOf(Animal.prototype) === Object.prototype");
    assertEval("true", "new Dog() instanceof Animal");
    assertEval("", "Reflect.ownKeys(new Dog()).join()");
  }

  @Test
  void prototype_has_its_properties_in_the_order_of_the_standard() {
    assertEval(
        "name,nick,color,shade,act,speak,LEGS,ALIVE,constructor",
        "Object.getOwnPropertyNames(Animal.prototype).join()");
  }

  @Test
  void interface_without_an_interface_object_has_no_constructor_property() {
    bed.onLoop(() ->
        bed.realm(0).global().putMember("secret", new Constructs.Hidden(bed.realm(0)).object()));
    assertEval(
        "[object Hidden] Symbol(Symbol.toStringTag) true",
        "const hidden = Object.getPrototypeOf(secret);"
            + "secret + ' ' + Reflect.ownKeys(hidden).map(String) + ' ' + (secret.constructor === Object)");
  }

  @Test
  void constants_are_read_only_on_interface_object_and_prototype() {
    assertEval("value e", "shape(Animal, 'LEGS')");
    assertEval("value e", "shape(Animal.prototype, 'ALIVE')");
    assertEval("4 true", "Animal.LEGS + ' ' + new Dog().ALIVE");
  }

  @Test
  void attributes_are_accessors_with_native_functions() {
    assertEval("get ec", "shape(Animal.prototype, 'name')");
    assertEval("get set ec", "shape(Animal.prototype, 'nick')");
    assertEval(
        "get name/0/function get name() { [native code] }", "accessor(Animal.prototype, 'name')");
    assertEval(
        "get nick/0/function get nick() { [native code] } set nick/1/function set nick() { [native code] }",
        "accessor(Animal.prototype, 'nick')");
    assertEval(
        "false", "'prototype' in Object.getOwnPropertyDescriptor(Animal.prototype, 'nick').set");
  }

  @Test
  void operations_are_native_methods_that_cannot_be_called_with_new() {
    assertEval("value ecw", "shape(Animal.prototype, 'speak')");
    assertEval("speak/1/function speak() { [native code] }", "fn(Animal.prototype.speak)");
    assertEval("length,name", "Reflect.ownKeys(Animal.prototype.speak).sort().join()");
    assertEval(
        "true", "try { new Animal.prototype.speak('x'); } catch (e) { e instanceof TypeError }");
  }

  @Test
  void static_members_are_on_the_interface_object_and_inherited_through_it() {
    assertEval("value ecw", "shape(Animal, 'sum')");
    assertEval("get ec", "shape(Animal, 'count')");
    assertEval("get set ec", "shape(Animal, 'motto')");
    assertEval("5 2", "Animal.sum(2, 3) + ' ' + Animal.count");
    assertEval("woof", "Animal.motto = 'woof'; Dog.motto");
    assertEval("7", "const { sum } = Animal; sum(3, 4)");
  }

  @Test
  void function_to_string_is_native_and_shows_source_of_script_functions() {
    assertEval("function toString() { [native code] }", "Function.prototype.toString.toString()");
    assertEval("value cw", "shape(Function.prototype, 'toString')");
    assertEval("function f(a) { return a }", "function f(a) { return a }; f.toString()");
    assertEval("true", "/native code/.test(Array.prototype.map.toString())");
    assertEval(
        "true",
        "try { Function.prototype.toString.call({}) } catch (e) { e instanceof TypeError }");
  }

  @Test
  void unforgeable_members_are_unconfigurable_own_properties_with_shared_functions() {
    assertEval("get e", "shape(new Special(), 'fixed')");
    assertEval("value e", "shape(new Special(), 'fixedCall')");
    assertEval(
        "none none",
        "shape(Special.prototype, 'fixed') + ' ' + shape(Special.prototype, 'fixedCall')");
    assertEval(
        "true",
        "const get = o => Object.getOwnPropertyDescriptor(o, 'fixed').get; get(new Special()) === get(new Special())");
    assertEval("true", "new Special().fixedCall === new Special().fixedCall");
    assertEval("5 fixed", "const s = new Special(); s.fixed + ' ' + s.fixedCall()");
    assertEval("fixed,fixedCall", "Object.keys(new (class extends Special {})()).sort().join()");
  }

  @Test
  void replaceable_attribute_becomes_an_own_data_property() {
    assertEval("1", "new Special().replaceable");
    assertEval("get set ec", "shape(Special.prototype, 'replaceable')");
    assertEval(
        "value ecw any",
        "const s = new Special(); s.replaceable = 'any'; shape(s, 'replaceable') + ' ' + s.replaceable");
    assertEval(
        "true",
        "const set = Object.getOwnPropertyDescriptor(Special.prototype, 'replaceable').set;"
            + "try { set.call({}, 1) } catch (e) { e instanceof TypeError }");
  }

  @Test
  void put_forwards_sets_the_attribute_of_the_other_object() {
    assertEval("Rex", "const s = new Special(); s.pet = 'Rex'; s.pet.nick");
    assertEval("true", "const s2 = new Special(); const p = s2.pet; s2.pet = 'Rex'; s2.pet === p");
  }

  @Test
  void assignment_through_put_forwards_to_a_read_only_attribute_is_ignored() {
    assertEval("pet", "'use strict'; const s = new Special(); s.wild = 'Rex'; s.wild.name");
  }

  @Test
  void stringifier_attribute_defines_to_string() {
    assertEval("value ecw", "shape(Special.prototype, 'toString')");
    assertEval(
        "toString/0/function toString() { [native code] }", "fn(Special.prototype.toString)");
    assertEval("hello", "const s = new Special(); s.text = 'hello'; `${s}`");
  }

  @Test
  void same_object_attribute_returns_the_same_object_each_time() {
    assertEval("true", "const s = new Special(); s.same === s.same && s.same === s.pet");
  }

  @Test
  void indexed_getter_makes_array_like_objects() {
    assertEval(
        "item 0,item 1,undefined", "const r = new Row(2); [r[0], r[1], r[2]].map(String).join()");
    assertEval("0,1", "Object.keys(new Row(2)).join()");
    assertEval("0,1,x", "const r = new Row(2); r.x = 1; Reflect.ownKeys(r).join()");
    assertEval("value ec", "shape(new Row(2), '1')");
    assertEval("none", "shape(new Row(2), '2')");
    assertEval(
        "true false true", "const r = new Row(2); [1 in r, 2 in r, 'length' in r].join(' ')");
    assertEval("item 0|item 1", "[...new Row(2)].join('|')");
    assertEval("true", "Row.prototype[Symbol.iterator] === Array.prototype[Symbol.iterator]");
    assertEval("value cw", "shape(Row.prototype, Symbol.iterator)");
    assertEval("item 1", "new Row(2).item(1)");
    assertEval("null", "new Row(2).item(2)");
    assertEval("undefined undefined", "const r = new Row(2); r['01'] + ' ' + r['-1']");
  }

  @Test
  void indexed_properties_cannot_be_set_defined_or_deleted() {
    assertEval(
        "true true",
        "'use strict'; const r = new Row(1);"
            + "const fails = i => { try { r[i] = 1; return false } catch (e) { return e instanceof TypeError } };"
            + "fails(0) + ' ' + fails(1)");
    assertEval("item 0", "const r = new Row(1); r[0] = 'x'; r[0]");
    assertEval("false", "Reflect.defineProperty(new Row(1), '0', {value: 1})");
    assertEval(
        "false true",
        "const r = new Row(1); Reflect.deleteProperty(r, '0') + ' ' + Reflect.deleteProperty(r, '1')");
    assertEval(
        "true",
        "try { Object.preventExtensions(new Row(1)) } catch (e) { e instanceof TypeError }");
    assertEval("false", "Object.isFrozen(new Row(0)) || Object.isSealed(new Row(0))");
  }

  @Test
  void missing_indexes_are_looked_up_along_the_prototype_chain() {
    assertEval(
        "inherited true",
        "Row.prototype[7] = 'inherited'; const r = new Row(1); const s = r[7] + ' ' + (7 in r); delete Row.prototype[7]; s");
    assertEval(
        "own|item 0",
        "const child = Object.create(new Row(1)); child[3] = 'own'; child[3] + '|' + child[0]");
  }

  @Test
  void mixin_members_are_members_of_the_interface() {
    assertEval("walks stiff", "const r = new Robot(); r.walk() + ' ' + r.gait");
    assertEval("value ecw", "shape(Robot.prototype, 'walk')");
    assertEval("undefined", "typeof Walks");
  }

  @Test
  void namespace_is_a_plain_object_with_functions() {
    assertEval("value cw", "shape(globalThis, 'Tools')");
    assertEval("[object Tools]", "String(Tools)");
    assertEval("true", "Object.getPrototypeOf(Tools) === Object.prototype");
    assertEval("value ecw", "shape(Tools, 'join')");
    assertEval("join/1/function join() { [native code] }", "fn(Tools.join)");
    assertEval("a- ab", "const { join } = Tools; join('a') + ' ' + Tools.join.call(5, 'a', 'b')");
  }

  @Test
  void only_exposed_interfaces_are_defined() {
    assertEval(
        "undefined function undefined",
        "[typeof WorkersOnly, typeof SecureOnly, typeof Hidden].join(' ')");
    int worker = bed.addRealm(Set.of("Worker"), false);
    assertEquals(
        "function undefined undefined",
        bed.evalIn(worker, "[typeof WorkersOnly, typeof SecureOnly, typeof Animal].join(' ')"));
  }

  @Test
  void extra_globals_of_the_engine_are_removed() {
    assertEval(
        "",
        "['print','printErr','load','loadWithNewGlobal','Graal','arguments','Polyglot','Java','Packages','quit','exit','readline']"
            + ".filter(name => name in globalThis).join()");
  }

  @Test
  void each_realm_has_its_own_interfaces_that_accept_objects_of_other_realms() {
    int other = bed.addRealm(Set.of("Window"), true);
    bed.hand(other, "globalThis", 0, "other");
    assertEval("false", "other.Animal === Animal");
    assertEval(
        "from other",
        "Object.getOwnPropertyDescriptor(Animal.prototype, 'name').get.call(new other.Animal('from other'))");
    assertEval("x", "new Calls().animal(new other.Animal('x'))");
    assertEval("true", "Object.getPrototypeOf(new other.Animal()) === other.Animal.prototype");
    assertEval(
        "true",
        "try { other.Animal.prototype.act.call({}) } catch (e) { e instanceof other.TypeError }");
    assertEval(
        "true",
        "try { other.Failing.prototype.fail.call(new Failing(), 'dom') } catch (e) { e instanceof other.DOMException }");
    assertEval("true", "other.Promising.prototype.later.call({}, '') instanceof other.Promise");
    assertEval("true", "Reflect.construct(Animal, [], other.Animal) instanceof other.Animal");
  }

  @Test
  void constructor_falls_back_to_the_prototype_of_new_targets_realm() {
    int other = bed.addRealm(Set.of("Window"), true);
    bed.hand(other, "globalThis", 0, "other");
    assertEval(
        "true",
        "const target = new other.Function(); target.prototype = null;"
            + "Object.getPrototypeOf(Reflect.construct(Animal, [], target)) === other.Animal.prototype");
  }

  @Test
  void constructor_reads_the_prototype_of_new_target_once() {
    int other = bed.addRealm(Set.of("Window"), true);
    bed.hand(other, "globalThis", 0, "other");
    bed.eval(
        "var reads = 0, made = target => Object.getPrototypeOf(Reflect.construct(Animal, [], target));");
    assertEval(
        "true 1",
        "(made(new Proxy(other.Function(), { get() { reads++; } })) === other.Animal.prototype) + ' ' + reads");
    assertEval(
        "true 2",
        "const bound = other.Function().bind(); Object.defineProperty(bound, 'prototype', { get() { reads++; return 1; } });"
            + "(made(bound) === other.Animal.prototype) + ' ' + reads");
    assertEval(
        "true",
        "const fixed = other.Function(); fixed.prototype = 1; Object.freeze(fixed); made(fixed) === other.Animal.prototype");
    assertEval(
        "TypeError",
        "const r = Proxy.revocable(function () {}, { get() { r.revoke(); } });"
            + "try { made(r.proxy) } catch (e) { e.constructor.name }");
  }

  @Test
  void no_realm_can_change_the_prototype_of_another_realms_global() {
    int other = bed.addRealm(Set.of("Window"), true);
    bed.hand(other, "globalThis", 0, "other");
    assertEval("false", "other.Reflect.setPrototypeOf(globalThis, {})");
    assertEval("false", "Reflect.setPrototypeOf(other, {})");
    assertEval(
        "true",
        "try { other.Object.setPrototypeOf(globalThis, {}) } catch (e) { e instanceof other.TypeError }");
  }
}
