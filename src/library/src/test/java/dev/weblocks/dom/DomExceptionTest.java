package dev.weblocks.dom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DOMException: an error like others, with names and codes. */
class DomExceptionTest {

  private static void assertLog(String expected, String script) {
    String prefix = "const out = []; const say = x => out.push(String(x));";
    assertEquals(
        List.of(expected), Scenario.logOf(prefix + script + ";console.log(out.join(' '))"));
  }

  @Test
  void defaults_are_an_empty_message_and_the_name_error() {
    assertLog(
        "[] Error 0 Error",
        "const e = new DOMException(); say('[' + e.message + ']'); say(e.name); say(e.code); say(e)");
  }

  @Test
  void old_names_have_legacy_codes_and_new_names_have_code_zero() {
    assertLog(
        "1 3 8 11 20 23 25 0 0 0",
        "for (const n of ['IndexSizeError', 'HierarchyRequestError', 'NotFoundError', 'InvalidStateError', 'AbortError', 'TimeoutError', 'DataCloneError', 'EncodingError', 'NotAllowedError', 'toString']) say(new DOMException('', n).code)");
  }

  @Test
  void constants_are_on_interface_object_and_prototype() {
    assertLog("25 20", "say(DOMException.DATA_CLONE_ERR); say(new DOMException().ABORT_ERR)");
  }

  @Test
  void dom_exception_is_a_real_error() {
    assertLog(
        "true true [object DOMException] AbortError: gone",
        "const e = new DOMException('gone', 'AbortError'); say(Error.isError(e)); say(e instanceof Error); say(Object.prototype.toString.call(e)); say(e)");
  }

  @Test
  void name_and_message_are_accessors_of_the_prototype() {
    assertLog(
        "false function true",
        "const e = new DOMException('m'); say(Object.hasOwn(e, 'message') || Object.hasOwn(e, 'name')); say(typeof Object.getOwnPropertyDescriptor(DOMException.prototype, 'name').get);"
            + "try { DOMException.prototype.name } catch (x) { say(x instanceof TypeError) }");
  }

  @Test
  void stack_begins_with_name_and_message_and_leads_into_the_page() {
    assertLog(
        "AbortError:gone true",
        "const e = new DOMException('gone', 'AbortError'); say(e.stack.split('\\n')[0].replace(' ', '')); say(/window-0\\.html:\\d+:\\d+/.test(e.stack.split('\\n')[1]))");
  }

  @Test
  void dom_exception_can_be_subclassed() {
    assertLog(
        "true true QuotaExceededError 22 own",
        "class Mine extends DOMException { constructor() { super('m', 'QuotaExceededError'); } get own() { return 'own'; } };"
            + "const e = new Mine(); say(e instanceof Mine); say(Error.isError(e)); say(e.name); say(e.code); say(e.own)");
  }
}
