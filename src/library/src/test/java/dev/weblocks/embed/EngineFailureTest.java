package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Futures complete and locks are released although the engine fails with an internal error. A
 * function for debugging the engine causes one: it accepts only objects.
 */
class EngineFailureTest {

  private static final String CRASH = "Debug.printObject(1)";
  private static final String PAGE = "https://app.test/";

  private static Environment environment;

  @RegisterExtension final EmbedderContexts contexts = new EmbedderContexts();

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<UncaughtError> errors = new CopyOnWriteArrayList<>();
  private final List<String> console = new CopyOnWriteArrayList<>();
  private final InMemoryResources resources = ResourceLoader.inMemory();
  private UserAgent userAgent;

  /** Makes an environment whose engine has the function for debugging, for which it has no API. */
  @BeforeAll
  static void makeEnvironment() {
    Engine engine =
        Engine.newBuilder("js")
            .allowExperimentalOptions(true)
            .option("engine.WarnInterpreterOnly", "false")
            .option("js.debug-builtin", "true")
            .build();
    environment = new Environment(engine, /* warmUp= */ true, /* webAssembly= */ false);
  }

  @AfterAll
  static void closeEnvironment() {
    environment.close();
  }

  @AfterEach
  void close() {
    if (userAgent != null) {
      userAgent.close();
    }
    driver.close();
  }

  private UserAgent userAgent() {
    if (userAgent == null) {
      userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .errorListener(errors::add)
              .consoleListener(message -> console.add(message.text()))
              .resourceLoader(resources.build())
              .build();
    }
    return userAgent;
  }

  private Window open(String html) {
    resources.put(PAGE, html);
    Window window = userAgent().open(PAGE);
    run();
    return window;
  }

  private void run() {
    driver.runUntilIdle(100_000);
  }

  private CompletableFuture<EvaluatedValue> evaluate(Window window, String code, boolean await) {
    CompletableFuture<EvaluatedValue> outcome =
        window.evaluate(code, EvaluationOptions.newBuilder().await(await).build());
    run();
    assertTrue(outcome.isDone(), code);
    return outcome;
  }

  private void assertDefects(int count) {
    assertEquals(count, errors.size(), errors::toString);
    errors.forEach(error -> assertEquals(UncaughtError.Kind.DEFECT, error.kind()));
  }

  private void assertEndedWithoutLocks(Window window) {
    assertTrue(window.ended().isDone());
    assertEquals(List.of(), userAgent.locks());
    assertDefects(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void evaluation_fails_and_the_window_continues_when_the_engine_fails(boolean await) {
    Window window = open("<p>");
    CompletableFuture<EvaluatedValue> outcome =
        evaluate(window, "Promise.resolve().then(() => console.log('job')); " + CRASH, await);
    EvaluationException thrown =
        assertInstanceOf(EvaluationException.class, outcome.exceptionNow());
    assertEquals(UncaughtError.Kind.DEFECT, thrown.error().kind());
    assertInstanceOf(PolyglotException.class, thrown.getCause());
    assertDefects(1);
    assertEquals(List.of("job"), console);
    assertEquals("3", evaluate(window, "1 + 2", await).join().text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(async () => { await null; " + CRASH + " })()",
        "Promise.resolve().then(() => " + CRASH + "); new Promise(() => {})",
        "Promise.resolve().then(() => " + CRASH + "); 1",
      })
  void evaluation_fails_when_the_engine_fails_in_a_promise_job(String code) {
    Window window = open("<p>");
    CompletableFuture<EvaluatedValue> outcome = evaluate(window, code, true);
    assertInstanceOf(EvaluationException.class, outcome.exceptionNow());
    assertEndedWithoutLocks(window);
  }

  @Test
  void evaluation_is_cancelled_when_the_engine_fails_in_a_later_task() {
    Window window = open("<p>");
    CompletableFuture<EvaluatedValue> outcome =
        evaluate(window, "setTimeout(() => " + CRASH + "); new Promise(() => {})", true);
    assertTrue(outcome.isCancelled());
    assertEndedWithoutLocks(window);
  }

  @Test
  void lock_is_released_when_the_engine_drops_the_job_that_releases_it() {
    Window window =
        open(
            "<script>navigator.locks.request('a', () => new Promise(r => { done = r; }))</script>");
    assertEquals(1, userAgent.locks().size());
    Window other = userAgent.open("data:text/html,<p>");
    CompletableFuture<EvaluatedValue> outcome =
        evaluate(window, "Promise.resolve().then(() => " + CRASH + "); done()", false);
    assertTrue(outcome.isDone());
    assertEndedWithoutLocks(window);
    assertFalse(other.ended().isDone());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>" + CRASH + "</script><script>console.log('next')</script>",
        "<script defer src=crash.js></script><script async src=crash.js></script>",
        "<script>Promise.resolve().then(() => " + CRASH + ")</script>",
        "<script type=module>" + CRASH + "</script>",
        "<script type=module>await null; " + CRASH + "</script>",
        "<script>addEventListener('DOMContentLoaded', () => " + CRASH + ")</script>",
        "<script>onload = () => " + CRASH + "</script>",
        "<iframe srcdoc='<script>" + CRASH + "</script>'></iframe>",
        "<script>new Worker('crash.js')</script>",
      })
  void window_loads_or_ends_when_the_engine_fails(String html) {
    resources.put(PAGE + "crash.js", CRASH);
    Window window = open(html);
    assertTrue(window.loaded().isDone());
    assertFalse(errors.isEmpty());
    errors.forEach(error -> assertEquals(UncaughtError.Kind.DEFECT, error.kind()));
    window.close();
    run();
    assertTrue(window.ended().isDone());
  }

  @Test
  void scripts_after_a_script_whose_engine_failed_run() {
    Window window = open("<script>" + CRASH + "</script><script>console.log('next')</script>");
    assertFalse(window.loaded().isCompletedExceptionally());
    assertEquals(List.of("next"), console);
  }

  @Test
  void freezing_completes_when_the_engine_fails_in_an_event() {
    Window window = open("<script>document.onfreeze = () => " + CRASH + "</script>");
    CompletableFuture<Boolean> frozen = window.freeze();
    CompletableFuture<Void> resumed = window.resume();
    run();
    assertTrue(frozen.isDone());
    assertTrue(resumed.isDone());
  }

  private Context context() {
    return contexts.open(
        builder -> builder.allowExperimentalOptions(true).option("js.debug-builtin", "true"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "() => " + CRASH,
        "async () => " + CRASH,
        "async () => { await null; " + CRASH + " }",
        "() => { Promise.resolve().then(() => " + CRASH + "); return new Promise(() => {}); }",
        "() => { setTimeout(() => " + CRASH + "); return new Promise(() => {}); }",
      })
  void calls_of_an_installation_complete_when_the_engine_fails(String function) {
    Context context = context();
    Installation installation = userAgent().installInto(context).install();
    context.eval("js", "navigator.locks.request('a', () => new Promise(() => {})); 0");
    CompletableFuture<String> other =
        installation.call(context.eval("js", "() => new Promise(() => {})"), Object::toString);
    CompletableFuture<String> promise =
        installation.future(context.eval("js", "new Promise(() => {})"), Object::toString);
    run();
    assertEquals(1, userAgent.locks().size());
    CompletableFuture<String> call =
        installation.call(context.eval("js", function), Object::toString);
    run();
    assertTrue(call.isCompletedExceptionally());
    assertTrue(other.isCompletedExceptionally());
    assertTrue(promise.isCompletedExceptionally());
    assertTrue(installation.ended().isDone());
    assertEquals(List.of(), userAgent.locks());
    assertDefects(1);
    assertEquals(3, context.eval("js", "1 + 2").asInt());
  }

  @Test
  void submitted_code_gets_the_exception_of_the_engine() {
    Context context = context();
    Installation installation = userAgent().installInto(context).install();
    CompletableFuture<?> submitted = installation.submit(() -> context.eval("js", CRASH).isNull());
    run();
    assertInstanceOf(PolyglotException.class, submitted.exceptionNow());
  }

  @Test
  void evaluation_fails_when_its_value_cannot_be_kept() {
    Window window =
        open("<script>Object.defineProperty(self, 'kept', {set() { throw 1 }})</script>");
    for (boolean await : new boolean[] {false, true}) {
      CompletableFuture<EvaluatedValue> outcome =
          window.evaluate("1", EvaluationOptions.newBuilder().await(await).keepAs("kept").build());
      run();
      assertTrue(outcome.isDone(), () -> "await: " + await);
      assertInstanceOf(EvaluationException.class, outcome.exceptionNow());
    }
  }
}
