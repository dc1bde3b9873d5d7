package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises of script for Java code, and completion stages of Java code for script. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PromisesAndStagesTest {

  @RegisterExtension private final EmbedderContexts contexts = new EmbedderContexts();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .environment(SharedEnvironment.ENVIRONMENT)
          .errorListener(error -> errors.add(error.message()))
          .build();

  @AfterEach
  void close() {
    userAgent.close();
  }

  private Context context() {
    return context(HostAccess.NONE);
  }

  private Context context(HostAccess access) {
    Context context = contexts.open(builder -> builder.allowHostAccess(access));
    context
        .getBindings("js")
        .putMember(
            "log",
            (ProxyExecutable)
                values -> {
                  Value value = values[0]; // toString() of a string depends on the host access
                  return log.add(value.isString() ? value.asString() : value.toString());
                });
    return context;
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(CompletionException.class, future::join).getCause();
  }

  @Test
  void call_returns_the_settled_result_of_an_async_function() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Context context = context();
      Installation installation = userAgent.installInto(context).install(threads);
      Value function =
          installation
              .submit(() ->
                  context.eval(
                      "js",
                      "(async (a, b) => {"
                          + " await new Promise(done => setTimeout(done, 1)); return a + b; })"))
              .get();
      assertEquals("ab", installation.call(function, Value::asString, "a", "b").get());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void call_awaits_a_stage_that_a_function_returns_or_gets() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> both =
        installation.call(
            context.eval("js", "(async promise => 'got ' + await promise)"),
            Value::asString,
            stage);
    CompletableFuture<String> same =
        installation.call(
            context.eval("js", "(host => host())"),
            Value::asString,
            (ProxyExecutable) none -> stage);
    CompletableFuture<String> async =
        installation.call(
            context.eval("js", "(async host => host())"),
            Value::asString,
            (ProxyExecutable) none -> stage);
    installation.runUntilIdle();
    assertFalse(both.isDone() || same.isDone() || async.isDone());
    stage.complete("it");
    installation.runUntilIdle();
    assertEquals(List.of("got it", "it", "it"), List.of(both.join(), same.join(), async.join()));
  }

  @Test
  void call_passes_its_arguments_although_script_has_changed_the_built_ins() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    Value function = context.eval("js", "(async (...values) => values.length + values[0])");
    context.eval(
        "js",
        """
        Array.prototype[Symbol.iterator] = function* () { yield 'changed'; };
        Function.prototype.apply = Function.prototype.call = () => 'changed';
        Promise.prototype.then = () => 'changed';
        Reflect.apply = () => 'changed';
        """);
    assertEquals(
        "3a", installation.runUntil(installation.call(function, Value::asString, "a", "b", "c")));
  }

  @Test
  void call_fails_with_the_stack_overflow_of_script() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> result =
        installation.call(context.eval("js", "(function f() { f(); })"), Value::asString);
    installation.runUntilIdle();
    EvaluationException thrown = assertInstanceOf(EvaluationException.class, failure(result));
    assertTrue(thrown.getMessage().startsWith("RangeError"), thrown::getMessage);
  }

  @Test
  void call_of_a_failing_function_fails_with_the_error_of_script() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> thrown =
        installation.call(
            context.eval("js", "(() => { throw new TypeError('x'); })"), Value::asString);
    CompletableFuture<String> rejected =
        installation.call(
            context.eval("js", "(async () => { await null; throw 'text'; })"), Value::asString);
    CompletableFuture<String> misread =
        installation.call(context.eval("js", "(() => 1)"), Value::asString);
    CompletableFuture<String> noFunction =
        installation.call(context.eval("js", "'name'"), Value::asString);
    installation.runUntilIdle();
    assertEquals("TypeError: x", failure(thrown).getMessage());
    EvaluationException text = assertInstanceOf(EvaluationException.class, failure(rejected));
    assertEquals("text", text.getMessage());
    assertEquals(installation.name(), text.error().agent());
    assertNull(text.getCause());
    assertInstanceOf(ClassCastException.class, failure(misread));
    assertInstanceOf(IllegalArgumentException.class, failure(noFunction));
    assertEquals(List.of(), errors);
  }

  @Test
  void call_fails_with_the_host_exception_that_script_did_not_catch() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    IOException broken = new IOException("no paper");
    ProxyExecutable throwing =
        none -> {
          throw new IllegalStateException("jam");
        };
    CompletableFuture<String> awaited =
        installation.call(
            context.eval("js", "(async promise => await promise)"),
            Value::asString,
            CompletableFuture.failedFuture(broken));
    CompletableFuture<String> thrown =
        installation.call(context.eval("js", "(host => host())"), Value::asString, throwing);
    installation.runUntilIdle();
    assertSame(broken, failure(awaited).getCause());
    assertEquals("java.io.IOException: no paper", failure(awaited).getMessage());
    assertEquals("jam", failure(thrown).getCause().getMessage());
    assertEquals(List.of(), errors);
  }

  @Test
  void end_of_the_installation_cancels_calls() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    Value function = context.eval("js", "(() => new Promise(() => {}))");
    CompletableFuture<String> call = installation.call(function, Value::asString);
    installation.runUntilIdle();
    installation.close();
    assertTrue(call.isCancelled());
    assertThrows(
        RejectedExecutionException.class, () -> installation.call(function, Value::asString));
  }

  @Test
  void future_of_a_promise_completes_with_its_result() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    Value promise =
        context.eval("js", "navigator.locks.request('a', async lock => lock.name + '!')");
    assertEquals("a!", installation.runUntil(installation.future(promise, Value::asString)));
    assertEquals(
        7, installation.runUntil(installation.future(context.eval("js", "7"), Value::asInt)));
  }

  static Stream<HostAccess> accesses() {
    return Stream.of(HostAccess.NONE, HostAccess.EXPLICIT, HostAccess.ALL);
  }

  @ParameterizedTest
  @MethodSource("accesses")
  void promise_of_a_stage_settles_under_each_host_access(HostAccess access) {
    Context context = context(access);
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<Object> stage = new CompletableFuture<>();
    CompletionStage<Object> nested = stage.thenApply(CompletableFuture::completedFuture);
    context
        .getBindings("js")
        .putMember(
            "load",
            (ProxyExecutable) values -> installation.promise(values.length == 0 ? stage : nested));
    context.getBindings("js").putMember("failing", failing(installation));
    context.eval(
        "js",
        """
        (async () => {
          log(load() instanceof Promise);
          log(await load() + await load(1));
          try {
            await failing();
          } catch (error) {
            log(error instanceof Error);
            log(error.message);
          }
        })();
        """);
    installation.runUntilIdle();
    assertEquals(List.of("true"), log);
    stage.complete("b");
    installation.runUntilIdle();
    assertEquals(List.of("true", "bb", "true", "no paper"), log);
    assertEquals(List.of(), errors);
  }

  private static ProxyExecutable failing(Installation installation) {
    CompletableFuture<String> failed =
        CompletableFuture.completedFuture("")
            .thenApply(any -> {
              throw new IllegalStateException("no paper");
            });
    return none -> installation.promise(failed);
  }

  @Test
  void promise_of_a_failed_stage_that_script_ignores_is_reported() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    context.getBindings("js").putMember("failing", failing(installation));
    context.eval("js", "failing()");
    installation.runUntilIdle();
    assertEquals(
        List.of("Uncaught (in promise) java.lang.IllegalStateException: no paper"), errors);
  }

  @Test
  void promise_of_a_stage_is_refused_after_the_end() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> stage = new CompletableFuture<>();
    Value promise = installation.promise(stage);
    assertTrue(promise.canInvokeMember("then"));
    installation.close();
    stage.complete("late");
    assertThrows(IllegalStateException.class, () -> installation.promise(stage));
  }

  @ParameterizedTest
  @ValueSource(strings = {"() => commit()", "async () => { await null; return commit(); }"})
  void lock_is_held_until_the_stage_of_its_callback_is_done(String callback) throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> stage = new CompletableFuture<>();
    context.getBindings("js").putMember("commit", (ProxyExecutable) none -> stage);
    CompletableFuture<String> result =
        installation.future(
            context.eval("js", "navigator.locks.request('a', " + callback + ")"), Value::asString);
    installation.runUntilIdle();
    assertEquals(1, userAgent.metrics().held());
    stage.complete("committed");
    assertEquals("committed", installation.runUntil(result));
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void request_rejects_when_the_stage_of_its_callback_fails() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    context
        .getBindings("js")
        .putMember(
            "commit",
            (ProxyExecutable)
                none -> CompletableFuture.failedFuture(new IllegalStateException("no paper")));
    context.eval(
        "js", "navigator.locks.request('a', () => commit()).catch(error => log(error.message))");
    installation.runUntilIdle();
    assertEquals(List.of("no paper"), log);
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void lock_of_a_callback_is_free_although_its_stage_throws() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> hostile =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(
              java.util.function.BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("hostile");
          }
        };
    context.getBindings("js").putMember("commit", (ProxyExecutable) none -> hostile);
    context.eval(
        "js", "navigator.locks.request('a', () => commit()).catch(error => log(error.message))");
    installation.runUntilIdle();
    assertEquals(List.of("hostile"), log);
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void run_until_waits_for_timers() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    Value function =
        context.eval("js", "(() => new Promise(done => setTimeout(() => done('late'), 3)))");
    assertEquals("late", installation.runUntil(installation.call(function, Value::asString)));
  }

  @Test
  void run_until_fails_when_the_installation_is_idle_and_names_the_lock() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).name("rule48").install();
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
        HeldLock lock = java.acquire("a")) {
      assertTrue(lock.isHeld());
      Value promise = context.eval("js", "navigator.locks.request('a', () => 1)");
      CompletableFuture<Integer> result = installation.future(promise, Value::asInt);
      IllegalStateException idle =
          assertThrows(IllegalStateException.class, () -> installation.runUntil(result));
      assertTrue(
          idle.getMessage()
              .matches(
                  "the stage is not done, but rule48 is idle: no task or timer is left, and"
                      + " nothing is in flight; it waits for lock 'a' \\(exclusive\\), held by java-1"
                      + " for \\d+\\.\\d m?s; if other code or another process completes the stage, use"
                      + " runUntil\\(stage, timeout\\)"),
          idle::getMessage);
    }
  }

  @Test
  void run_until_with_a_timeout_waits_for_another_thread() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CountDownLatch waits = EmbedderContexts.latch(context, "waits");
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try {
                waits.await();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              stage.complete("from elsewhere");
            });
    Value function = context.eval("js", "(promise => { waits(); return promise; })");
    assertEquals(
        "from elsewhere",
        installation.runUntil(
            installation.call(function, Value::asString, stage), Duration.ofSeconds(60)));
    other.join();
  }

  @Test
  void run_until_throws_when_its_time_is_over() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    CompletableFuture<String> never = new CompletableFuture<>();
    TimeoutException late =
        assertThrows(
            TimeoutException.class, () -> installation.runUntil(never, Duration.ofMillis(5)));
    assertEquals(
        "the stage is not done after 5.0 ms of turns of " + installation.name(), late.getMessage());
    assertThrows(IllegalArgumentException.class, () -> installation.runUntil(never, Duration.ZERO));
  }

  @Test
  void run_until_returns_the_failure_of_the_stage_or_the_end() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    IOException broken = new IOException("no paper");
    assertSame(
        broken,
        assertThrows(
                CompletionException.class,
                () -> installation.runUntil(CompletableFuture.failedFuture(broken)))
            .getCause());
    context
        .getBindings("js")
        .putMember(
            "end",
            (ProxyExecutable)
                none -> {
                  installation.close();
                  return null;
                });
    CompletableFuture<String> never = new CompletableFuture<>();
    CompletableFuture<String> unused =
        installation.call(context.eval("js", "(() => end())"), Value::asString);
    IllegalStateException ended =
        assertThrows(IllegalStateException.class, () -> installation.runUntil(never));
    assertTrue(ended.getMessage().contains("has ended"), ended::getMessage);
  }

  @Test
  void run_until_runs_a_deterministic_driver_in_virtual_time() throws Exception {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent virtual =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build()) {
      Context context = context();
      CallerDrivenInstallation installation = virtual.installInto(context).install();
      Value sleep =
          context.eval("js", "(ms => new Promise(done => setTimeout(() => done('late'), ms)))");
      assertEquals(
          "late", installation.runUntil(installation.call(sleep, Value::asString, 3_600_000)));
      assertThrows(
          TimeoutException.class,
          () ->
              installation.runUntil(
                  installation.call(sleep, Value::asString, 3_600_000), Duration.ofSeconds(1)));
      IllegalStateException idle =
          assertThrows(
              IllegalStateException.class, () -> installation.runUntil(new CompletableFuture<>()));
      assertTrue(idle.getMessage().contains("is idle"), idle::getMessage);
    }
  }

  @Test
  void calls_run_in_their_order() {
    Context context = context();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    Value function = context.eval("js", "(value => value)");
    List<Integer> results = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      CompletableFuture<?> unused =
          installation.call(function, Value::asInt, i).thenAccept(results::add);
    }
    installation.runUntilIdle();
    assertEquals(List.of(0, 1, 2, 3, 4), results);
  }
}
