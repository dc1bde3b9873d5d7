package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls from script into Java: arguments, overloads, brands, constructors, callbacks, promises. */
@ParameterizedClass
@MethodSource("dev.weblocks.binding.RealmBed#accesses")
class CallTest {

  @Parameter RealmBed.Access access;
  private RealmBed bed;

  @BeforeEach
  void install() {
    bed = new RealmBed(access, Constructs.module());
    bed.eval(
        """
        var calls = new Calls();
        var log = [];
        var text = (name, s = name) => ({ toString() { log.push(name); return s } });
        var number = (name, n = 0) => ({ valueOf() { log.push(name); return n } });
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
  void arguments_are_converted_left_to_right_and_extra_arguments_ignored() {
    assertEval(
        "a1trueb a,b,d",
        "calls.order(text('a'), number('b', 1), { valueOf() { log.push('c') } }, text('d', 'b'), text('e')) + ' ' + log.join()");
  }

  @Test
  void conversion_stops_at_the_first_failure() {
    assertEval(
        "stop a",
        "try { calls.order(text('a'), { valueOf() { throw 'stop' } }, true, text('d')) } catch (e) { e + ' ' + log.join() }");
  }

  @Test
  void receiver_and_then_argument_count_are_checked_before_any_conversion() {
    assertEval(
        "Failed to execute 'order' on 'Calls': 'this' is not an object that implements Calls",
        "fails(() => calls.order.call({}))");
    assertEval(
        "Failed to execute 'order' on 'Calls': 4 arguments required, but only 3 present.|",
        "fails(() => calls.order(text('a'), 1, 2)) + '|' + log.join()");
    assertEval(
        "Failed to execute 'color' on 'Calls': 1 argument required, but only 0 present.",
        "fails(() => calls.color())");
  }

  @Test
  void undefined_counts_as_missing_and_missing_arguments_get_their_defaults() {
    assertEval("a default absent null", "calls.optionals('a')");
    assertEval("a default absent null", "calls.optionals('a', undefined, undefined, undefined)");
    assertEval("a null 0 null", "calls.optionals('a', null, null, null)");
    assertEval("a  5 d", "calls.optionals('a', '', 5, 'd')");
    assertEval("a default 5 null", "calls.optionals('a', undefined, 5)");
  }

  @Test
  void variadic_arguments_may_be_absent() {
    assertEval("1-2-3", "calls.variadic('-', 1, '2', 3.9)");
    assertEval("", "calls.variadic('-')");
    assertEval("0-1", "calls.variadic('-', undefined, 1)");
  }

  @Test
  void errors_of_brand_checks_name_the_interface_and_member() {
    assertEval(
        "Failed to read the 'name' property from 'Animal': 'this' is not an object that implements Animal",
        "fails(() => Object.create(Animal.prototype).name)");
    assertEval(
        "Failed to read the 'name' property from 'Animal': 'this' is not an object that implements Animal",
        "fails(() => Animal.prototype.name)");
    assertEval(
        "Failed to set the 'nick' property on 'Animal': 'this' is not an object that implements Animal",
        "fails(() => { Reflect.set(Animal.prototype, 'nick', 'x', calls) })");
    assertEval(
        "Failed to execute 'bark' on 'Dog': 'this' is not an object that implements Dog",
        "fails(() => Dog.prototype.bark.call(new Animal()))");
    assertEval("fails", "const { act } = Animal.prototype; try { act() } catch (e) { 'fails' }");
    assertEval(
        "true",
        "try { Animal.prototype.act.call(new Proxy(new Animal(), {})) } catch (e) { e instanceof TypeError }");
    assertEval(
        "dog", "Object.getOwnPropertyDescriptor(Animal.prototype, 'name').get.call(new Dog())");
  }

  @Test
  void errors_for_interface_arguments_name_the_parameter() {
    String beginning = "Failed to execute 'animal' on 'Calls': parameter 1 ('animal'): ";
    assertEval(
        beginning + "The provided value is not of type 'Animal'", "fails(() => calls.animal({}))");
    assertEval(
        beginning + "The provided value is not of type 'Animal'",
        "fails(() => calls.animal(null))");
    assertEval(
        beginning + "The provided value is not of type 'Animal'",
        "fails(() => calls.animal(calls))");
    assertEval(
        "dog none none",
        "[calls.animal(new Dog()), calls.animalOrNull(null), calls.animalOrNull(undefined)].join(' ')");
  }

  @Test
  void constructor_creates_the_object_with_defaults_for_missing_arguments() {
    assertEval(
        "nobody ada a4",
        "[new Animal().name, new Animal('ada').name, new Animal('a', 4).name].join(' ')");
  }

  @Test
  void constructor_requires_new() {
    String message =
        "Failed to construct 'Animal': Please use the 'new' operator, this DOM object constructor cannot be called as a function.";
    assertEval(message, "fails(() => Animal())");
    assertEval(message, "fails(() => Animal.call(new Animal()))");
    assertEval(message, "fails(() => Reflect.apply(Animal, undefined, [text('a')]))");
    assertEval("", "log.join()");
  }

  @Test
  void constructing_an_interface_without_a_constructor_throws() {
    assertEval("Failed to construct 'Empty': Illegal constructor", "fails(() => new Empty())");
    assertEval("Failed to construct 'Empty': Illegal constructor", "fails(() => Empty())");
    assertEval(
        "Failed to construct 'Empty': Illegal constructor",
        "fails(() => new (class extends Empty {})())");
  }

  @Test
  void object_of_a_subclass_has_the_brand_and_the_subclass_prototype() {
    assertEval(
        "own ada true true",
        "class Cat extends Animal { constructor() { super('ada') } get own() { return 'own' } }"
            + "const cat = new Cat(); [cat.own, cat.name, cat instanceof Animal, cat.constructor === Cat].join(' ')");
    assertEval(
        "ada",
        "class Cat extends Animal { constructor() { super('ada') } }; calls.animal(new Cat())");
    assertEval(
        "true",
        "function Old() {}; Old.prototype = { x: 1 }; Reflect.construct(Animal, [], Old).x === 1");
    assertEval(
        "true",
        "function Odd() {}; Odd.prototype = 5; Object.getPrototypeOf(Reflect.construct(Animal, [], Odd)) === Animal.prototype");
  }

  @Test
  void constructor_converts_its_arguments_before_it_reads_the_prototype() {
    assertEval(
        "convert,prototype",
        "const target = new Proxy(function () {}, { get(t, k) { if (k === 'prototype') log.push('prototype'); return t[k] } });"
            + "Reflect.construct(Animal, [text('convert')], target); log.join()");
  }

  @Test
  void overloads_are_chosen_by_number_and_kind_of_arguments() {
    assertEval("0 string x", "calls.overloaded('x')");
    assertEval("0 string 5", "calls.overloaded(5)");
    assertEval("0 string null", "calls.overloaded(null)");
    assertEval("1 Animal", "calls.overloaded(new Animal())");
    assertEval("2 [1, 2]", "calls.overloaded([1, 2])");
    assertEval("0 string [object Object]", "calls.overloaded({})");
    assertEval("3 string x", "calls.overloaded('x', () => {})");
    assertEval("2 [1]", "calls.overloaded([1], true)");
    assertEval("2 [1]", "calls.overloaded([1], undefined)");
    assertEval(
        "Failed to execute 'overloaded' on 'Calls': 1 argument required, but only 0 present.",
        "fails(() => calls.overloaded())");
  }

  @Test
  void overload_resolution_reads_the_iterator_method_once() {
    assertEval(
        "2 [7] 1",
        "let n = 0; const r = calls.overloaded({ get [Symbol.iterator]() { n++; return Array.prototype.values.bind([7]) } }); r + ' ' + n");
  }

  @Test
  void variadic_overload_takes_more_arguments_than_any_other_declares() {
    assertEval(
        "1 1 0 1",
        "[calls.many(), calls.many(1), calls.many('a', 'b'), calls.many('1', '2', '3')].join(' ')");
  }

  @Test
  void callback_gets_its_arguments_and_its_exceptions_are_reported() {
    assertEval(
        "undefined 5 1",
        "(function () { 'use strict'; calls.visit(function (...a) { log.push(this, ...a, a.length) }, 5) })(); log.map(String).join(' ')");
    assertEval("undefined", "calls.visit(() => { throw new RangeError('mine') }, 1)");
    assertEquals("[RangeError: mine]", bed.reported.toString());
    assertEval(
        "Failed to execute 'visit' on 'Calls': parameter 1 ('visitor'): The provided value is not a function",
        "fails(() => calls.visit({}, 1))");
  }

  @Test
  void method_of_a_callback_object_is_looked_up_at_each_call() {
    assertEval(
        "true 7", "calls.listen(function (v) { log.push(this === calls, v) }, 7); log.join(' ')");
    assertEval(
        "true 8",
        "log.length = 0; const o = { hear(v) { log.push(this === o, v) } }; calls.listen(o, 8); log.join(' ')");
    assertEval("undefined", "calls.listen({}, 1)");
    assertEval("undefined", "calls.listen({ get hear() { throw 'getter' } }, 1)");
    assertEquals("[TypeError: The object has no callable 'hear', getter]", bed.reported.toString());
    assertEval(
        "Failed to execute 'listen' on 'Calls': parameter 1 ('listener'): The provided value is not an object",
        "fails(() => calls.listen(1, 1))");
  }

  @Test
  void promise_operations_never_throw() {
    bed.eval(
        "var out = []; const p = new Promising(); const keep = (name, promise) => { if (!(promise instanceof Promise)) out.push(name + ' no promise'); promise.then(v => out.push(name + ' ' + v), e => out.push(name + ' ' + e.constructor.name + ' ' + e.message)) };"
            + "keep('value', p.later('x'));"
            + "keep('attribute', p.soon);"
            + "keep('count', p.later());"
            + "keep('this', p.later.call({}, 'x'));"
            + "keep('getter', Object.getOwnPropertyDescriptor(Promising.prototype, 'soon').get.call({}));"
            + "keep('java', p.failing('type'));"
            + "keep('dom', p.failing('dom'));"
            + "keep('rejected', p.failing(''));");
    assertEval(
        """
        attribute soon
        count TypeError Failed to execute 'later' on 'Promising': 1 argument required, but only 0 present.
        dom DOMException not here
        getter TypeError Failed to read the 'soon' property from 'Promising': 'this' is not an object that implements Promising
        java TypeError wrong type
        rejected DOMException gone
        this TypeError Failed to execute 'later' on 'Promising': 'this' is not an object that implements Promising
        value later x\
        """,
        "out.sort().join('\\n')");
  }
}
