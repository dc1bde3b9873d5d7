package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.EngineWarmUp;
import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions of Java, as script sees them. */
@ParameterizedClass
@MethodSource("dev.weblocks.binding.RealmBed#accesses")
class FailureTest {

  @Parameter RealmBed.Access access;
  private RealmBed bed;

  @BeforeEach
  void install() {
    bed = new RealmBed(access, Constructs.module());
    bed.eval(
        """
        var failing = new Failing();
        function caught(f) {
          try { return 'no: ' + f(); } catch (e) { return e; }
        }
        function shown(f) {
          const e = caught(f);
          return e.constructor.name + ' ' + e.message;
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
  void script_exceptions_become_errors_of_their_kind() {
    assertEval("TypeError wrong type", "shown(() => failing.fail('type'))");
    assertEval("RangeError out of range", "shown(() => failing.fail('range'))");
    assertEval("DOMException not here", "shown(() => failing.fail('dom'))");
    assertEval("RangeError broken", "shown(() => failing.broken)");
    assertEval("TypeError not settable to 5", "shown(() => { failing.settable = 5 })");
    assertEval("DOMException not here", "shown(() => new Failing('dom'))");
    assertEquals("[]", bed.defects.toString());
  }

  @Test
  void any_value_can_be_thrown_and_keeps_its_identity() {
    assertEval("true", "const o = {}; caught(() => failing.fail('value', o)) === o");
    assertEval("undefined", "caught(() => failing.fail('value'))");
    assertEval("5", "caught(() => failing.fail('value', 5))");
    assertEval("true", "const s = Symbol(); caught(() => failing.fail('value', s)) === s");
  }

  @Test
  void exception_of_a_java_function_reaches_script_as_a_script_error() {
    ProxyExecutable overflowing =
        values -> {
          throw new StackOverflowError("of Java");
        };
    bed.onLoop(() -> {
      Realm realm = bed.realm(0);
      Value guarded = RealmBinding.of(realm).values().guarded(overflowing);
      realm.global().putMember("guarded", guarded);
    });
    assertEval("RangeError Maximum call stack size exceeded", "shown(guarded)");
    assertEval("true", "caught(guarded) instanceof RangeError");
  }

  @Test
  void errors_belong_to_the_realm_of_the_function_that_was_called() {
    int other = bed.addRealm(java.util.Set.of("Window"), true);
    bed.hand(other, "globalThis", 0, "other");
    for (String each :
        new String[] {
          "'type') instanceof other.TypeError",
          "'range') instanceof other.RangeError",
          "'dom') instanceof other.DOMException",
          "'defect') instanceof other.TypeError"
        }) {
      assertEval(
          "true",
          "((...a) => caught(() => other.Failing.prototype.fail.apply(failing, a)))(" + each);
    }
  }

  @Test
  void internal_error_is_opaque_to_script_and_its_details_reach_the_host() {
    assertEval(
        "TypeError Internal error in Failing.call fail/0", "shown(() => failing.fail('defect'))");
    assertEval(
        "TypeError Internal error in Failing.call fail/0", "shown(() => failing.fail('null'))");
    assertEval(
        "TypeError Internal error in Failing.call fail/0",
        "shown(() => failing.fail('unconvertible'))");
    assertEval(
        "TypeError Internal error in Failing.constructor/0", "shown(() => new Failing('defect'))");
    assertEval("false", "/java|weblocks|secret/i.test(caught(() => failing.fail('defect')).stack)");
    assertEval("true", "caught(() => failing.fail('null')) instanceof Error");
    assertEquals(6, bed.defects.size());
    assertTrue(
        bed.defects
            .getFirst()
            .contains(
                "Failing.call fail/0: java.lang.IllegalStateException: secret of dev.weblocks"),
        bed.defects.getFirst());
  }

  @Test
  void stack_of_an_error_begins_with_a_script_frame() {
    assertEval(
        "true",
        "/^TypeError: wrong type\\n    at [^\\n]*<eval>/.test(caught(() => failing.fail('type')).stack) || caught(() => failing.fail('type')).stack");
    assertEval(
        "true",
        "/^NotSupportedError: not here\\n    at [^\\n]*<eval>/.test(caught(() => failing.fail('dom')).stack) || caught(() => failing.fail('dom')).stack");
    assertEval(
        "false", "/prelude|agent-kit|weblocks:/.test(caught(() => failing.fail('dom')).stack)");
    assertEval(
        "false", "/prelude|agent-kit|weblocks:/.test(caught(() => failing.fail('type')).stack)");
    assertEval("false", "/prelude|agent-kit|weblocks:/.test(caught(() => failing.fail()).stack)");
  }

  @Test
  void stack_overflow_in_java_becomes_a_range_error() {
    assertEval(
        "RangeError Maximum call stack size exceeded", "shown(() => failing.fail('overflow'))");
    assertEquals("[]", bed.defects.toString());
  }

  @Test
  void out_of_memory_error_in_java_becomes_a_range_error() {
    assertEval("RangeError Out of memory", "shown(() => failing.fail('memory'))");
    assertEval("RangeError Out of memory", "shown(() => new Failing('memory'))");
    assertEquals("[]", bed.defects.toString());
  }

  @Tag("overflow")
  @Test
  void endless_recursion_through_java_throws_a_range_error_and_the_agent_continues() {
    EngineWarmUp.run(); // this may be the first test of its JVM
    assertEval(
        "true",
        "const f = () => failing.recurse(f); caught(f) instanceof RangeError || String(caught(f))");
    assertEval("TypeError wrong type", "shown(() => failing.fail('type'))");
    assertEval("nobody", "new Animal().name");
    assertEquals("[]", bed.defects.toString());
  }

  @Test
  void exceptions_of_script_pass_through_java_unchanged() {
    assertEval("true", "const o = {}; caught(() => failing.recurse(() => { throw o })) === o");
    assertEval("null", "caught(() => failing.recurse(() => { throw null }))");
    assertEval("undefined", "String(caught(() => failing.recurse(() => { throw undefined })))");
    assertEval("text", "caught(() => failing.recurse(() => { throw 'text' }))");
    assertEval(
        "RangeError out of range", "shown(() => failing.recurse(() => failing.fail('range')))");
    assertEval(
        "TypeError wrong type",
        "shown(() => failing.recurse(() => failing.recurse(() => failing.fail('type'))))");
    assertEquals("[]", bed.defects.toString());
  }

  @Test
  void failure_of_host_code_called_by_script_becomes_an_opaque_error() {
    bed.onLoop(() ->
        bed.realm(0)
            .global()
            .putMember(
                "host",
                (org.graalvm.polyglot.proxy.ProxyExecutable)
                    none -> {
                      throw new IllegalStateException("secret of dev.weblocks");
                    }));
    String shown = bed.eval("shown(() => failing.recurse(() => host()))");
    assertEquals("TypeError Internal error in Failing.call recurse/0", shown);
    assertFalse(bed.defects.isEmpty());
    assertEval("TypeError wrong type", "shown(() => failing.fail('type'))");
  }

  @Test
  void failure_in_one_call_does_not_affect_the_next() {
    assertEval(
        "RangeError out of range|nobody|DOMException not here",
        "[shown(() => failing.fail('range')), new Animal().name, shown(() => failing.fail('dom'))].join('|')");
  }
}
