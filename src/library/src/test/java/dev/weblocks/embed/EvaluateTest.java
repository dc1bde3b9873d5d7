package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void value_has_its_console_text_with_strings_in_quotes() {
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
  void value_is_kept_in_a_property_of_the_global_object() {
    text("[1, 2]");
    assertEquals("[ 1, 2, 3 ]", text("_.push(3); _"));
  }

  @Test
  void promise_is_awaited_on_request() {
    CompletableFuture<EvaluatedValue> outcome =
        evaluate("new Promise(r => setTimeout(r, 10, 'late'))", true);
    assertEquals(new EvaluatedValue("late", "'late'", false), outcome.join());
    assertEquals("'late'", text("_"));
    assertTrue(text("Promise.resolve(1)").startsWith("Promise"));
  }

  @Test
  void exception_rejection_and_syntax_error_are_reported_like_page_errors() {
    assertTrue(failure("null.x", false).startsWith("TypeError: "));
    assertTrue(failure("let let", false).startsWith("SyntaxError: "));
    assertEquals("Error: no", failure("Promise.reject(new Error('no'))", true));
    assertEquals(3, errors.size(), errors::toString);
    assertTrue(errors.get(0).startsWith("Uncaught TypeError: "), errors::toString);
    assertTrue(errors.get(0).endsWith(" prompt:1"), errors::toString);
    assertTrue(errors.get(1).startsWith("Uncaught SyntaxError: "), errors::toString);
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
  void window_without_a_document_evaluates_nothing() {
    Window early = userAgent.open("data:text/html,");
    assertThrows(IllegalStateException.class, () -> early.evaluate("1"));
  }
}
