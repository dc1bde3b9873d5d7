package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvaluateTest {

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<String> errors = new ArrayList<>();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .errorListener(
              error -> errors.add(error.message() + " " + error.url() + ":" + error.line()))
          .build();
  private Window window;

  @BeforeEach
  void open() {
    window = userAgent.open("data:text/html,<script>var x = 1</script>");
    driver.runUntilIdle(10_000);
  }

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private CompletableFuture<EvaluatedValue> evaluate(String code, boolean await) {
    CompletableFuture<EvaluatedValue> outcome =
        window.evaluate(
            code, EvaluationOptions.newBuilder().name("prompt").await(await).keepAs("_").build());
    driver.runUntilIdle(10_000);
    return outcome;
  }

  private String text(String code) {
    return evaluate(code, false).join().text();
  }

  @Test
  void text_of_a_value_is_as_in_the_console_with_strings_quoted() {
    assertEquals("2", text("x + 1"));
    assertEquals("'it\\'s\\n\\u0000'", text("'it\\'s\\n\\0'"));
    assertEquals("{ a: [ 1, 'b' ] }", text("({a: [1, 'b']})"));
  }

  private String failure(String code, boolean await) {
    CompletableFuture<EvaluatedValue> outcome = evaluate(code, await);
    return assertInstanceOf(EvaluationException.class, outcome.exceptionNow()).getMessage();
  }

  @Test
  void primitive_value_is_a_java_object() {
    assertEquals(2, evaluate("x + 1", false).join().value());
    assertEquals(0.5, evaluate("x / 2", false).join().value());
    assertEquals(0x1p31, evaluate("2 ** 31", false).join().value());
    assertEquals(Double.class, evaluate("Date.now()", false).join().value().getClass());
    assertEquals(-0.0, evaluate("-0", false).join().value());
    assertEquals(Double.NaN, evaluate("NaN", false).join().value());
    assertEquals(BigInteger.ONE, evaluate("1n", false).join().value());
    assertEquals(BigInteger.TWO.pow(70), evaluate("2n ** 70n", false).join().value());
    assertEquals(true, evaluate("x === 1", false).join().value());
    assertEquals("\ud800", evaluate("'\\ud800'", false).join().value());
    assertNull(evaluate("[x]", false).join().value());
  }

  @Test
  void undefined_differs_from_null() {
    assertTrue(evaluate("var y = 1", false).join().isUndefined());
    assertFalse(evaluate("null", false).join().isUndefined());
  }

  @Test
  void last_value_is_stored_in_a_property_of_the_global_object() {
    text("[1, 2]");
    assertEquals("[ 1, 2, 3 ]", text("_.push(3); _"));
  }

  @Test
  void promise_is_awaited_if_the_caller_requests_it() {
    CompletableFuture<EvaluatedValue> outcome =
        evaluate("new Promise(r => setTimeout(r, 10, 'late'))", true);
    assertEquals(new EvaluatedValue("late", "'late'", false), outcome.join());
    assertEquals("'late'", text("_"));
    assertTrue(text("Promise.resolve(1)").startsWith("Promise"));
  }

  @Test
  void promise_is_awaited_although_the_page_has_changed_then() {
    text("Promise.prototype.then = () => 'changed'");
    assertEquals("'mine'", evaluate("Promise.resolve('mine')", true).join().text());
  }

  @Test
  void exception_rejection_or_syntax_error_only_fails_the_future() {
    text("onerror = onunhandledrejection = () => { x = 'reported' }");
    assertTrue(failure("null.x", false).startsWith("TypeError: "));
    assertTrue(failure("let let", false).startsWith("SyntaxError: "));
    assertEquals("1", failure("throw 1", false));
    assertEquals("Error: no", failure("Promise.reject(new Error('no'))", true));
    assertEquals("1", text("x"));
    assertEquals(List.of(), errors);
  }

  @Test
  void exception_has_the_position_and_stack_of_the_error() {
    for (String code : List.of("1;\n null.x", "1;\n throw 1", "1;\n let let")) {
      UncaughtError error =
          assertInstanceOf(EvaluationException.class, evaluate(code, false).exceptionNow()).error();
      assertEquals("prompt:2", error.url() + ":" + error.line());
      assertTrue(error.column() > 0);
      assertTrue(error.message().startsWith("Uncaught "), error::message);
      assertTrue(error.agent().startsWith("window-"));
    }
  }

  @Test
  void outcome_is_cancelled_when_the_document_ends() {
    CompletableFuture<EvaluatedValue> outcome = evaluate("new Promise(() => {})", true);
    assertFalse(outcome.isDone());
    window.close();
    driver.runUntilIdle(10_000);
    assertThrows(CancellationException.class, outcome::join);
  }

  @Test
  void is_closed_is_true_after_close_of_the_object_or_user_agent() {
    LockClient first = userAgent.openLockClient("https://one.test");
    LockClient second = userAgent.openLockClient("https://one.test");
    Window other = userAgent.open("data:text/html,");
    assertFalse(first.isClosed() || window.isClosed() || userAgent.isClosed());
    first.close();
    other.close();
    assertTrue(first.isClosed() && other.isClosed());
    userAgent.close();
    assertTrue(second.isClosed() && window.isClosed() && userAgent.isClosed());
  }

  @Test
  void window_without_a_document_evaluates_nothing() {
    Window early = userAgent.open("data:text/html,");
    assertInstanceOf(IllegalStateException.class, early.evaluate("1").exceptionNow());
  }
}
