package dev.weblocks.harness.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.harness.run.PromptCode.Reading;
import dev.weblocks.harness.run.PromptCode.Reading.Incomplete;
import dev.weblocks.harness.run.PromptCode.Reading.Ready;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PromptCodeTest {

  private static final PromptCode CODES = new PromptCode();

  @AfterAll
  static void close() {
    CODES.close();
  }

  private static void assertReady(String code, boolean await, String typed) {
    assertEquals(new Ready(code, await), CODES.read(typed));
  }

  @Test
  void incomplete_input_waits_for_more_lines() {
    for (String typed :
        List.of(
            "f(",
            "function f() {",
            "if (1)",
            "`text",
            "`a ${",
            "[1,",
            "1 +",
            "/* remark",
            "await f(",
            "const x = await f(",
            "for await (const x of y) {",
            "x = async () => {")) {
      assertEquals(new Incomplete(), CODES.read(typed), typed);
    }
  }

  @Test
  void input_that_cannot_be_completed_throws_its_syntax_error() {
    for (String typed : List.of("}", "let a b", "'text", "f(]", "await await)", "/regexp")) {
      assertReady(typed, false, typed);
    }
  }

  @Test
  void code_without_await_is_unchanged() {
    for (String typed :
        List.of(
            "1 + 1",
            "var x = 1",
            "'await'",
            "async function f() { await 1 }",
            "f(async () => { await 1 })",
            "let",
            "lettuce = 1",
            "{ let a = 1; a }")) {
      assertReady(typed, false, typed);
    }
  }

  @Test
  void declarations_may_be_repeated() {
    assertReady("var x = 1; x", false, "let x = 1; x");
    assertReady("var {a, b} = c", false, "const {a, b} = c");
    assertReady(" var\nx = 1", false, " let\nx = 1");
  }

  @Test
  void object_literal_is_not_parsed_as_a_block() {
    assertReady("({a: 1}\n)", false, "{a: 1}");
    assertReady("({a: 1}.a\n)", false, "{a: 1}.a;");
    assertReady("{}; 1", false, "{}; 1");
  }

  @Test
  void await_works_at_the_top_level() {
    assertReady("(async () => (await f()\n))()", true, "await f();");
    assertReady("(async () => (1 + await [1]\n))()", true, "1 + await [1]");
    assertReady("(async () => { void ( x = await f()\n) })()", true, "const x = await f()");
    assertReady(
        "(async () => {for await (const x of y) f(x)\n})()", true, "for await (const x of y) f(x)");
    Reading loop = CODES.read("if (await f()) { g() }");
    assertEquals(new Ready("(async () => {if (await f()) { g() }\n})()", true), loop);
  }
}
