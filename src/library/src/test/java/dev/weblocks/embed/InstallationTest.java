package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.InstalledGlobal.Outcome;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Installations of globals into a context that the embedder owns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstallationTest {

  private static final long LIMIT_SECONDS = 60;

  private Engine engine;
  private Driver driver;
  private UserAgent userAgent;
  private final List<Context> contexts = new ArrayList<>();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<UncaughtError> errors = new CopyOnWriteArrayList<>();

  @BeforeAll
  void begin() {
    engine = Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
    driver = Driver.threadPool(2);
  }

  @AfterAll
  void end() {
    driver.close();
    engine.close();
  }

  @AfterEach
  void close() {
    if (userAgent != null) {
      userAgent.close();
      userAgent = null;
    }
    contexts.forEach(context -> context.close(true));
    contexts.clear();
    log.clear();
    errors.clear();
  }

  private UserAgent.Builder configuration() {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .consoleListener(message -> log.add(message.text()))
        .errorListener(errors::add);
  }

  private UserAgent userAgent() {
    if (userAgent == null) {
      userAgent = configuration().build();
    }
    return userAgent;
  }

  /** Creates a context whose function {@code log} appends to the log. */
  private Context context() {
    return context(engine);
  }

  private Context context(Engine of) {
    Context context = Context.newBuilder("js").engine(of).build();
    contexts.add(context);
    context
        .getBindings("js")
        .putMember(
            "log",
            (ProxyExecutable)
                values -> {
                  log.add(values[0].isString() ? values[0].asString() : values[0].toString());
                  return null;
                });
    return context;
  }

  private CallerDrivenInstallation install(Context context) {
    return userAgent().installInto(context).install();
  }

  private static Map<String, Outcome> outcomes(CallerDrivenInstallation installation) {
    return installation.report().stream()
        .collect(Collectors.toMap(InstalledGlobal::name, InstalledGlobal::outcome));
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertTrue(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void lock_is_granted_in_a_turn_that_the_caller_runs() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval("js", "navigator.locks.request('a', lock => log(lock.name + lock.mode))");
    assertEquals(List.of(), log);
    assertTrue(installation.runUntilIdle() > 0);
    assertEquals(List.of("aexclusive"), log);
    assertFalse(installation.runOne());
  }

  @Test
  void function_first_called_near_stack_overflow_works_later() {
    // an overflow can leave a lock of its engine locked, for which other threads would wait forever
    Context context = context(Engine.create("js"));
    CallerDrivenInstallation unused = install(context);
    context.eval(
        "js",
        """
        let done = false;
        function fall() {
          try {
            fall();
          } finally {
            if (!done) {
              try { new URLSearchParams({ a: 'b' }); done = true; } catch {}
            }
          }
        }
        try { fall(); } catch (e) { log(e instanceof RangeError); }
        log(new URLSearchParams({ a: 'b' }).toString());
        """);
    assertEquals(List.of("true", "a=b"), log);
  }

  @Test
  void locks_of_two_contexts_of_one_user_agent_exclude_each_other() {
    Context first = context();
    Context second = context();
    CallerDrivenInstallation one = install(first);
    CallerDrivenInstallation two = install(second);
    first.eval(
        "js",
        "var release; navigator.locks.request('a', () => new Promise(r => { release = r; log('one'); }))");
    one.runUntilIdle();
    second.eval("js", "navigator.locks.request('a', () => log('two'))");
    two.runUntilIdle();
    assertEquals(List.of("one"), log);
    first.eval("js", "release()");
    one.runUntilIdle();
    two.runUntilIdle();
    assertEquals(List.of("one", "two"), log);
  }

  @Test
  void locks_of_contexts_of_different_origins_do_not_exclude_each_other() {
    Context first = context();
    Context second = context();
    CallerDrivenInstallation one =
        userAgent().installInto(first).origin("https://one.test").install();
    CallerDrivenInstallation two =
        userAgent().installInto(second).origin("https://two.test").install();
    for (Context each : contexts) {
      each.eval("js", "navigator.locks.request('a', () => new Promise(() => log(origin)))");
    }
    one.runUntilIdle();
    two.runUntilIdle();
    assertEquals(List.of("https://one.test", "https://two.test"), log);
  }

  @Test
  void query_shows_the_given_client_id() {
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).clientId("tenant-7").install();
    context.eval(
        "js",
        "navigator.locks.request('a', async () =>"
            + " log((await navigator.locks.query()).held[0].clientId))");
    installation.runUntilIdle();
    assertEquals(List.of("tenant-7"), log);
    assertEquals("tenant-7", installation.clientId());
  }

  @Test
  void timer_fires_when_the_given_clock_reaches_its_deadline() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    InstantSource clock = now::get;
    Context context = context();
    CallerDrivenInstallation installation = userAgent().installInto(context).clock(clock).install();
    assertEquals(Optional.empty(), installation.untilNextTimer());
    context.eval("js", "setTimeout(() => log('fired at ' + performance.now()), 50)");
    installation.runUntilIdle();
    assertEquals(Optional.of(Duration.ofMillis(50)), installation.untilNextTimer());
    now.set(Instant.ofEpochMilli(49));
    installation.runUntilIdle();
    assertEquals(List.of(), log);
    now.set(Instant.ofEpochMilli(50));
    assertEquals(Optional.of(Duration.ZERO), installation.untilNextTimer());
    installation.runUntilIdle();
    assertEquals(List.of("fired at 50"), log);
  }

  @Test
  void work_listener_is_called_for_tasks_and_timers() {
    AtomicInteger calls = new AtomicInteger();
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).onWork(calls::incrementAndGet).install();
    context.eval("js", "navigator.locks.request('a', () => {})");
    int afterRequest = calls.get();
    assertTrue(afterRequest > 0);
    installation.runUntilIdle();
    int afterRun = calls.get();
    context.eval("js", "setTimeout(() => {}, 1e6)");
    assertTrue(calls.get() > afterRun);
  }

  @Test
  void work_listener_is_called_for_a_timer_that_a_turn_starts() {
    AtomicInteger calls = new AtomicInteger();
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).onWork(calls::incrementAndGet).install();
    context.eval("js", "navigator.locks.request('a', () => { setTimeout(() => {}, 1e6) })");
    int before = calls.get();
    installation.runUntilIdle();
    assertTrue(calls.get() > before);
  }

  @Test
  void run_fires_the_timers_that_come_due_and_ends_after_its_duration() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval("js", "setTimeout(() => setTimeout(() => log('both'), 1), 1)");
    installation.run(Duration.ofMillis(200));
    assertEquals(List.of("both"), log);
  }

  @Test
  void run_wakes_up_for_work_from_another_thread() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval("js", "new BroadcastChannel('c').onmessage = e => { log(e.data); stop(); }");
    context
        .getBindings("js")
        .putMember(
            "stop",
            (ProxyExecutable)
                none -> {
                  installation.close();
                  return null;
                });
    Context sender = context();
    CallerDrivenInstallation of = install(sender);
    Thread other =
        Thread.ofPlatform()
            .start(() -> sender.eval("js", "new BroadcastChannel('c').postMessage('hello')"));
    installation.run(Duration.ofSeconds(LIMIT_SECONDS));
    other.join();
    of.close();
    assertEquals(List.of("hello"), log);
  }

  @Test
  void existing_globals_are_kept_unless_named_for_replacement() {
    Context context = context();
    context.eval("js", "var setTimeout = 1; var URL = 2; var atob = 3");
    CallerDrivenInstallation installation =
        userAgent().installInto(context).replace("URL").install();
    assertEquals(1, context.eval("js", "setTimeout").asInt());
    assertEquals("function", context.eval("js", "typeof URL").asString());
    Map<String, Outcome> outcomes = outcomes(installation);
    assertEquals(Outcome.KEPT, outcomes.get("setTimeout"));
    assertEquals(Outcome.KEPT, outcomes.get("console"));
    assertEquals(Outcome.INSTALLED, outcomes.get("URL"));
    assertEquals(Outcome.INSTALLED, outcomes.get("clearTimeout"));
  }

  @Test
  void only_named_globals_are_installed() {
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).globals(Globals.URLS).globals("setTimeout").install();
    assertEquals(
        List.of("URL", "URLSearchParams", "setTimeout"),
        installation.report().stream().map(InstalledGlobal::name).toList());
    assertEquals(
        "undefined function",
        context.eval("js", "typeof navigator + ' ' + typeof setTimeout").asString());
  }

  @Test
  void existing_navigator_gets_its_missing_members() {
    Context context = context();
    context.eval("js", "var navigator = {userAgent: 'mine', storage: 'mine'}");
    CallerDrivenInstallation installation = install(context);
    Map<String, Outcome> outcomes = outcomes(installation);
    assertEquals(Outcome.KEPT, outcomes.get("navigator"));
    assertEquals(Outcome.KEPT, outcomes.get("navigator.storage"));
    assertEquals(Outcome.INSTALLED, outcomes.get("navigator.locks"));
    context.eval("js", "navigator.locks.request('a', () => log(navigator.userAgent))");
    installation.runUntilIdle();
    assertEquals(List.of("mine"), log);
  }

  @Test
  void navigator_frozen_by_script_gets_no_locks_and_the_report_says_so() {
    Context context = context();
    context.eval("js", "var navigator = Object.freeze({})");
    assertEquals(Outcome.LEFT_OUT, outcomes(install(context)).get("navigator.locks"));
  }

  @Test
  void insecure_origin_gets_no_locks_and_the_report_has_the_reason() {
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).origin("http://one.test").install();
    InstalledGlobal locks =
        installation.report().stream()
            .filter(each -> each.name().equals("navigator.locks"))
            .findFirst()
            .orElseThrow();
    assertEquals(Outcome.LEFT_OUT, locks.outcome());
    assertTrue(locks.reason().contains("secure context"), locks.reason());
    assertEquals("undefined", context.eval("js", "typeof navigator.locks").asString());
  }

  @Test
  void installing_does_not_change_existing_globals_of_the_context() {
    String look =
        "[Object.getPrototypeOf(globalThis), load, print, loadWithNewGlobal, Graal, console, Object.getPrototypeOf(console),"
            + " Object.setPrototypeOf, Reflect.setPrototypeOf, Function.prototype.toString,"
            + " Object.getOwnPropertyDescriptor(Object.prototype, '__proto__').set,"
            + " Object.prototype.toString.call(globalThis)]";
    Context context = context();
    context.eval("js", "var before = " + look + "; var names = Object.getOwnPropertyNames(this)");
    install(context);
    assertTrue(context.eval("js", look + ".every((value, i) => value === before[i])").asBoolean());
    assertTrue(
        context.eval("js", "names.every(name => Object.hasOwn(globalThis, name))").asBoolean());
    assertEquals(
        0,
        context
            .eval(
                "js",
                "Object.getOwnPropertySymbols(globalThis).filter(s => s !== Symbol.toStringTag).length")
            .asInt());
  }

  @Test
  void properties_have_the_descriptors_of_web_idl() {
    Context context = context();
    install(context);
    assertEquals(
        "true true true 1 setTimeout|true false true 0 Event|true undefined true get navigator",
        context
            .eval(
                "js",
                """
                const of = name => Object.getOwnPropertyDescriptor(globalThis, name);
                const s = of('setTimeout');
                const e = of('Event');
                const n = of('navigator');
                [[s.writable, s.enumerable, s.configurable, s.value.length, s.value.name].join(' '),
                 [e.writable, e.enumerable, e.configurable, 0, e.value.name].join(' '),
                 [n.enumerable, typeof n.set, n.configurable, n.get.name].join(' ')].join('|')
                """)
            .asString());
  }

  @Test
  void the_global_is_an_event_target() {
    Context context = context();
    install(context);
    context.eval(
        "js",
        "addEventListener('x', e => log(`${e.target === self} ${self === globalThis}`));"
            + "dispatchEvent(new Event('x'))");
    assertEquals(List.of("true true"), log);
  }

  @Test
  void uncaught_error_fires_on_the_global_and_then_reaches_the_listener() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js",
        "onerror = message => { log(message); };"
            + "navigator.locks.request('a', () => { queueMicrotask(() => { throw new Error('x') }) })");
    installation.runUntilIdle();
    assertEquals(List.of("Uncaught Error: x"), log);
    assertEquals("Uncaught Error: x", errors.getFirst().message());
    assertEquals(installation.name(), errors.getFirst().agent());
  }

  @Test
  void exceptions_of_host_functions_are_reported_unchanged() {
    Context context = context();
    ProxyExecutable fail =
        none -> {
          throw new IllegalStateException("no paper");
        };
    ProxyExecutable overflow =
        none -> {
          throw new StackOverflowError();
        };
    context.getBindings("js").putMember("fail", fail);
    context.getBindings("js").putMember("overflow", overflow);
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js",
        """
        const target = new EventTarget();
        target.addEventListener('x', () => fail());
        target.addEventListener('x', () => overflow());
        target.addEventListener('x', () => log('the next listener'));
        target.dispatchEvent(new Event('x'));
        onerror = (message, file, line, column, error) => log(String(error));
        reportError('of script');
        setTimeout(() => fail());
        """);
    installation.runUntilIdle();
    assertEquals(
        List.of("the next listener", "of script", "java.lang.IllegalStateException: no paper"),
        log);
    assertEquals(
        List.of(
            "Uncaught java.lang.IllegalStateException: no paper",
            "Uncaught RangeError: Maximum call stack size exceeded",
            "Uncaught of script",
            "Uncaught java.lang.IllegalStateException: no paper"),
        errors.stream().map(UncaughtError::message).toList());
    String stack = String.valueOf(errors.getFirst().stack());
    assertTrue(stack.contains("at " + InstallationTest.class.getName()), stack);
    assertNull(errors.get(1).stack());
  }

  @Test
  void unhandled_rejections_are_reported_if_the_context_has_the_handler_option() {
    Context context =
        Context.newBuilder("js")
            .engine(engine)
            .option("js.unhandled-rejections", "handler")
            .build();
    contexts.add(context);
    CallerDrivenInstallation installation = install(context);
    context.eval("js", "Promise.reject(new Error('x'))");
    installation.runUntilIdle();
    assertEquals("Uncaught (in promise) Error: x", errors.getFirst().message());
  }

  @Test
  void the_context_can_be_closed_as_soon_as_the_installation_has_ended() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < TestSize.of(40, 200); i++) {
        Context context = Context.newBuilder("js").engine(engine).build();
        Installation installation =
            userAgent().installInto(context).globals(Globals.LOCKS).install(executor);
        String script = "navigator.locks.request('a', () => new Promise(() => {})); 0";
        await(installation.submit(() -> context.eval("js", script).asInt()));
        installation.close();
        await(installation.ended());
        context.close(); // throws if a turn is still running
      }
    }
  }

  @Test
  void close_releases_locks_and_leaves_the_context_open() {
    Context first = context();
    Context second = context();
    CallerDrivenInstallation one = install(first);
    CallerDrivenInstallation two = install(second);
    first.eval("js", "navigator.locks.request('a', () => new Promise(() => {}))");
    one.runUntilIdle();
    second.eval("js", "navigator.locks.request('a', () => log('two'))");
    one.close();
    assertTrue(one.isClosed());
    assertTrue(one.ended().isDone());
    two.runUntilIdle();
    assertEquals(List.of("two"), log);
    assertEquals(3, first.eval("js", "1 + 2").asInt());
  }

  @Test
  void functions_of_a_closed_installation_throw_with_the_reason() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js", "const target = new EventTarget(); const early = new DOMException('m', 'n')");
    installation.close();
    for (String use :
        List.of(
            "setTimeout(() => {})", "navigator.locks", "target.dispatchEvent", "new Event('x')")) {
      context.eval(
          "js",
          "try { %s; log('no error') } catch (e) { log(e.name) }"
              .formatted(use.equals("target.dispatchEvent") ? use + "(1)" : use));
    }
    assertEquals("InvalidStateError", log.get(0));
    assertEquals("InvalidStateError", log.get(1));
    assertEquals("InvalidStateError", log.get(3));
    assertEquals("n", context.eval("js", "early.name").asString());
    assertEquals(List.of(), errors);
  }

  @Test
  void closed_installation_runs_no_more_tasks() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js",
        "setTimeout(() => log('timer'), 0); navigator.locks.request('a', () => log('lock'));"
            + "var settle; new Promise(r => { settle = r }).then(() => log('promise'))");
    installation.close();
    context.eval("js", "settle()");
    assertEquals(List.of("promise"), log); // a job of the engine, not of the installation
  }

  @Test
  void another_installation_can_replace_a_closed_one() {
    Context context = context();
    context.eval("js", "var navigator = {}; var atob = 1");
    install(context).close();
    CallerDrivenInstallation again = install(context);
    Map<String, Outcome> outcomes = outcomes(again);
    assertEquals(Outcome.INSTALLED, outcomes.get("setTimeout"));
    assertEquals(Outcome.INSTALLED, outcomes.get("navigator.locks"));
    assertEquals(Outcome.KEPT, outcomes.get("atob"));
    context.eval("js", "navigator.locks.request('a', () => log('granted'))");
    again.runUntilIdle();
    assertEquals(List.of("granted"), log);
  }

  @Test
  void close_in_a_callback_takes_effect_after_the_turn() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    AtomicReference<Boolean> endedInside = new AtomicReference<>();
    context
        .getBindings("js")
        .putMember(
            "end",
            (ProxyExecutable)
                none -> {
                  installation.close();
                  endedInside.set(installation.ended().isDone());
                  return null;
                });
    context.eval("js", "navigator.locks.request('a', () => { end(); log('goes on') })");
    installation.runOne();
    assertEquals(List.of("goes on"), log);
    assertEquals(false, endedInside.get());
    assertTrue(installation.ended().isDone());
    assertEquals(List.of(), userAgent().locks());
  }

  @Test
  void close_on_another_thread_completes_after_the_turn() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Context context = context();
      Installation installation = userAgent().installInto(context).install(executor);
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      CompletionStage<Void> turn =
          installation.submit(() -> {
            inside.countDown();
            await(goOn);
            context.eval("js", "log('end of the turn')");
            return null;
          });
      await(inside);
      installation.close();
      assertFalse(installation.ended().isDone());
      goOn.countDown();
      await(installation.ended());
      assertEquals(List.of("end of the turn"), log);
      await(turn.exceptionally(cancelled -> null));
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void on_an_executor_of_many_threads_turns_never_overlap() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      AtomicInteger turns = new AtomicInteger();
      CompletableFuture<Void> all = new CompletableFuture<>();
      List<Installation> installations = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        installations.add(userAgent().installInto(context()).install(executor));
      }
      Installation watched = installations.getFirst();
      for (int i = 0; i < 200; i++) {
        for (Installation each : installations) {
          each.execute(() -> {
            if (each == watched) {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              Context.getCurrent().eval("js", "1");
              inside.decrementAndGet();
            }
            if (turns.incrementAndGet() == 800) {
              all.complete(null);
            }
          });
        }
      }
      await(all);
      assertEquals(1, most.get());
      assertEquals(List.of(), errors);
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void timers_fire_on_the_executor() throws Exception {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      Context context = context();
      Installation unused = userAgent().installInto(context).install(executor);
      CompletableFuture<String> fired = new CompletableFuture<>();
      context
          .getBindings("js")
          .putMember("done", (ProxyExecutable) values -> fired.complete(values[0].asString()));
      context.eval(
          "js",
          "let n = 0; const id = setInterval(() => { if (++n === 3) { clearInterval(id);"
              + " done('three') } }, 1)");
      assertEquals("three", await(fired));
    } finally {
      executor.close();
    }
  }

  @Test
  void turn_on_the_executor_waits_until_the_caller_leaves_the_context() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Semaphore attempts = new Semaphore(0);
    try {
      Context context = context();
      Installation installation =
          userAgent()
              .installInto(context)
              .install(task ->
                  threads.execute(() -> {
                    task.run();
                    attempts.release();
                  }));
      context.enter();
      CompletionStage<String> result;
      try {
        result = installation.submit(() -> "in");
        assertTrue(attempts.tryAcquire(3, LIMIT_SECONDS, TimeUnit.SECONDS));
        assertFalse(result.toCompletableFuture().isDone());
      } finally {
        context.leave();
      }
      assertEquals("in", await(result));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void executor_that_rejects_tasks_ends_the_installation() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    Context context = context();
    Installation installation = userAgent().installInto(context).install(executor);
    executor.shutdown();
    installation.execute(() -> log.add("never"));
    await(installation.ended());
    assertEquals(List.of(), log);
    assertTrue(errors.getFirst().message().contains("ended before the task ran"));
  }

  @Test
  void ended_installation_rejects_tasks() {
    CallerDrivenInstallation installation = install(context());
    installation.close();
    RejectedExecutionException refused =
        assertThrows(
            RejectedExecutionException.class, () -> installation.execute(() -> log.add("never")));
    assertTrue(refused.getMessage().contains("install again"), refused.getMessage());
    assertThrows(RejectedExecutionException.class, () -> installation.submit(() -> 1));
    assertEquals(List.of(), errors);
  }

  @Test
  void tasks_that_did_not_run_before_the_end_are_reported() {
    CallerDrivenInstallation installation = install(context());
    installation.execute(() -> log.add("never"));
    CompletableFuture<Integer> submitted = installation.submit(() -> 1);
    installation.close();
    assertTrue(submitted.isCancelled());
    assertEquals(
        List.of(
            "Uncaught java.util.concurrent.CancellationException: "
                + installation.name()
                + " ended before the task ran"),
        errors.stream().map(UncaughtError::message).toList());
    assertEquals(List.of(), log);
  }

  @Test
  void a_closed_context_ends_its_agent_at_the_next_turn() {
    Context first = context();
    Context second = context();
    CallerDrivenInstallation one = install(first);
    CallerDrivenInstallation two = install(second);
    first.eval("js", "navigator.locks.request('a', () => new Promise(() => {}))");
    one.runUntilIdle();
    second.eval("js", "navigator.locks.request('a', () => log('two'))");
    first.close();
    assertFalse(one.runOne());
    assertTrue(one.ended().isDone());
    two.runUntilIdle();
    assertEquals(List.of("two"), log);
  }

  @Test
  void context_cancelled_in_a_turn_does_not_throw_into_the_executor() throws Exception {
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Context context = context();
      Installation installation =
          userAgent()
              .installInto(context)
              .install(task ->
                  threads.execute(() -> {
                    try {
                      task.run();
                    } catch (Throwable failure) {
                      thrown.add(failure);
                    }
                  }));
      CountDownLatch looping = new CountDownLatch(1);
      context
          .getBindings("js")
          .putMember(
              "looping",
              (ProxyExecutable)
                  none -> {
                    looping.countDown();
                    return null;
                  });
      context.eval("js", "navigator.locks.request('a', () => { looping(); for (;;); })");
      await(looping);
      context.close(true);
      await(installation.ended());
      assertEquals(List.of(), thrown);
      assertEquals(List.of(), userAgent().locks());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void end_of_the_user_agent_ends_installations_but_closes_no_context() {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    context.eval("js", "navigator.locks.request('a', () => {})");
    userAgent().close();
    assertTrue(installation.ended().isDone());
    assertEquals(2, context.eval("js", "1 + 1").asInt());
  }

  @Test
  void installation_shares_locks_and_storage_with_windows_of_its_origin() throws Exception {
    CompletableFuture<String> heard = new CompletableFuture<>();
    userAgent =
        configuration()
            .consoleListener(message -> heard.complete(message.text()))
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(
                        request.url(),
                        "text/html",
                        """
                        <script>
                        navigator.locks.request('a', async () => {
                          const {held: [{clientId}]} = await navigator.locks.query();
                          console.log(clientId.length + localStorage.from);
                        });
                        </script>
                        """)))
            .build();
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent.installInto(context).origin("https://one.test").install();
    context.eval(
        "js",
        "localStorage.from = 'installation'; var release;"
            + "navigator.locks.request('a', () => new Promise(r => { release = r }))");
    installation.runUntilIdle();
    await(userAgent.open("https://one.test/").loaded());
    assertFalse(heard.isDone());
    context.eval("js", "release()");
    installation.runUntilIdle();
    assertEquals("36installation", await(heard));
  }

  @Test
  void resource_loader_enables_fetch_and_workers() throws Exception {
    userAgent =
        configuration()
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(
                        request.url(),
                        "text/javascript",
                        "onmessage = e => navigator.locks.request('a', () =>"
                            + " postMessage(e.data + 1))")))
            .build();
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    assertEquals(Outcome.INSTALLED, outcomes(installation).get("fetch"));
    context
        .getBindings("js")
        .putMember(
            "end",
            (ProxyExecutable)
                none -> {
                  installation.close();
                  return null;
                });
    context.eval(
        "js",
        """
        (async () => {
          const text = await (await fetch('/x')).text();
          log(text.length > 0);
          const worker = new Worker('/worker.js');
          worker.onmessage = e => { log(e.data); end(); };
          worker.postMessage(41);
        })()
        """);
    installation.run(Duration.ofSeconds(LIMIT_SECONDS));
    assertEquals(List.of("true", "42"), log);
  }

  @Test
  void submitted_host_code_runs_in_a_turn_with_its_microtasks() throws Exception {
    Context context = context();
    CallerDrivenInstallation installation = install(context);
    CompletionStage<Integer> sum =
        installation.submit(() -> {
          context.eval("js", "Promise.resolve().then(() => log('microtask'))");
          log.add("end of steps");
          return 3;
        });
    installation.runUntilIdle();
    assertEquals(3, await(sum));
    assertEquals(List.of("microtask", "end of steps"), log);
  }

  @Test
  void exceptions_of_submitted_host_code_reach_the_error_listener() {
    CallerDrivenInstallation installation = install(context());
    installation.execute(() -> {
      throw new IllegalArgumentException("of the host");
    });
    installation.runUntilIdle();
    assertTrue(errors.getFirst().message().contains("of the host"));
    assertEquals(UncaughtError.Kind.SCRIPT, errors.getFirst().kind());
  }

  private static final Map<Globals, String> USES =
      Map.ofEntries(
          Map.entry(Globals.TIMERS, "setTimeout(() => queueMicrotask(() => log('ok')))"),
          Map.entry(
              Globals.EVENTS,
              "const t = new EventTarget(); t.addEventListener('x', e => log('ok'));"
                  + "t.dispatchEvent(new CustomEvent('x')); new ErrorEvent('y');"
                  + "new PromiseRejectionEvent('z', {promise: {}}); new DOMException()"),
          Map.entry(
              Globals.GLOBAL,
              "const listener = { handleEvent() { log('no') } }; self.addEventListener('x', listener);"
                  + "removeEventListener('x', listener); onerror = null; onunhandledrejection = null;"
                  + "try { dispatchEvent({}) } catch (e) {"
                  + " if (isSecureContext && !crossOriginIsolated && origin) log('ok') }"),
          Map.entry(
              Globals.ABORT,
              "AbortSignal.any([AbortSignal.abort()]).throwIfAborted.name; AbortSignal.timeout(9);"
                  + "const c = new AbortController(); c.signal.onabort = () => log('ok'); c.abort()"),
          Map.entry(
              Globals.LOCKS,
              "navigator.locks.request('a', async lock => { await navigator.locks.query();"
                  + "await navigator.storage.estimate();"
                  + "const bucket = await navigator.storageBuckets.open('b');"
                  + "await bucket.locks.request('c', () => log('ok')) })"),
          Map.entry(
              Globals.MESSAGING,
              "const {port1, port2} = new MessageChannel(); port2.onmessage = e => {"
                  + " log(e.ports.length === 1 && e.source === null ? 'ok' : 'no'); port2.close() };"
                  + "const moved = new MessageChannel().port1;"
                  + "port1.postMessage(structuredClone({}), [moved]);"
                  + "new BroadcastChannel('b').close(); new MessageEvent('x')"),
          Map.entry(
              Globals.URLS, "if (new URL('https://a.test/?b=1').searchParams.get('b')) log('ok')"),
          Map.entry(
              Globals.ENCODING,
              "if (new TextDecoder().decode(new TextEncoder().encode(atob(btoa('x'))))) log('ok')"),
          Map.entry(
              Globals.FILES,
              "const r = new FileReader(); r.onload = () => new File(['x'], 'n').text().then(() =>"
                  + " log('ok')); r.readAsText(new Blob(['x']).slice(0))"),
          Map.entry(
              Globals.CRYPTO, "if (crypto.randomUUID() && crypto instanceof Crypto) log('ok')"),
          Map.entry(
              Globals.PERFORMANCE,
              "performance.toJSON(); if (performance instanceof Performance) log('ok')"),
          Map.entry(Globals.CONSOLE, "console.table([{a: 1}]); console.log(new Map()); log('ok')"),
          Map.entry(
              Globals.STORAGE,
              "onstorage = null; localStorage.a = 1; sessionStorage.a = 1;"
                  + "navigator.storage.persist().then(() => { new StorageEvent('x'); log('ok') })"),
          Map.entry(
              Globals.FETCH,
              "fetch('/x', {headers: new Headers()}).then(async response => {"
                  + " await response.clone().blob(); await new Response(new FormData()).formData();"
                  + " await new Request('/y', {method: 'POST', body: 'z'}).text(); response.headers;"
                  + " log('ok') }).catch(e => log(String(e)))"),
          Map.entry(
              Globals.WORKERS,
              "const w = new Worker('/w.js'); w.onmessage = e => { w.terminate(); log(e.data) }"));

  @ParameterizedTest
  @EnumSource(Globals.class)
  void each_group_of_globals_works_alone(Globals group) throws Exception {
    userAgent =
        configuration()
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(request.url(), "text/javascript", "postMessage('ok')")))
            .build();
    Context context = context();
    context.eval("js", "delete globalThis.console");
    CallerDrivenInstallation installation = userAgent.installInto(context).globals(group).install();
    assertEquals(
        Set.of(Outcome.INSTALLED), Set.copyOf(outcomes(installation).values()), group.toString());
    context.eval("js", "(() => {" + USES.get(group) + "})()");
    while (log.isEmpty() && errors.isEmpty()) {
      installation.run(Duration.ofMillis(10));
    }
    assertEquals(List.of(), errors);
    assertEquals("ok", log.getLast());
    assertEquals(List.of(), errors);
  }

  @Test
  void installation_works_with_a_caller_driven_driver() {
    try (CallerDrivenDriver callers = Driver.callerDriven(() -> {});
        UserAgent other =
            UserAgent.newBuilder()
                .driver(callers)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build()) {
      Context context = context();
      CallerDrivenInstallation installation = other.installInto(context).install();
      context.eval("js", "navigator.locks.request('a', () => { log('granted') })");
      assertFalse(callers.runOne()); // it does not run the loop of the installation
      installation.runUntilIdle();
      assertEquals(List.of("granted"), log);
      installation.close();
      assertTrue(installation.ended().isDone());
    }
  }

  @Test
  void deterministic_driver_runs_the_lock_steps_of_an_installation() {
    try (DeterministicDriver deterministic = Driver.deterministic(1);
        UserAgent other =
            UserAgent.newBuilder()
                .driver(deterministic)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build()) {
      Context context = context();
      CallerDrivenInstallation installation = other.installInto(context).install();
      context.eval("js", "navigator.locks.request('a', () => { log('granted') })");
      installation.runUntilIdle();
      assertEquals(List.of(), log);
      deterministic.runUntilIdle(1000);
      installation.runUntilIdle();
      assertEquals(List.of("granted"), log);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void executor_that_throws_once_is_reported_and_retried(boolean outOfMemory) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      AtomicBoolean fails = new AtomicBoolean();
      Context context = context();
      Installation installation =
          userAgent()
              .installInto(context)
              .install(task -> {
                if (fails.getAndSet(false)) {
                  if (outOfMemory) {
                    throw new OutOfMemoryError("no thread");
                  }
                  throw new IllegalStateException("no thread");
                }
                threads.execute(task);
              });
      await(installation.submit(() -> 1));
      fails.set(true);
      assertEquals(2, await(installation.submit(() -> 2)));
      threads.shutdown(); // a thread may still be about to report
      assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals(1, errors.size(), errors::toString);
      assertTrue(errors.getFirst().message().contains("'executor'"), errors::toString);
      assertTrue(errors.getFirst().agent().startsWith("installation-"), errors::toString);
      assertTrue(errors.getFirst().message().contains("no thread"), errors::toString);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void executor_that_runs_a_task_inside_script_is_reported_and_retried() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      AtomicBoolean saturated = new AtomicBoolean();
      Context context = context();
      Installation unused =
          userAgent()
              .installInto(context)
              .install(task -> {
                if (saturated.getAndSet(false)) {
                  task.run(); // as a pool does that lets its callers run what it cannot take
                } else {
                  threads.execute(task);
                }
              });
      CountDownLatch granted = EmbedderContexts.latch(context, "tell");
      saturated.set(true);
      context.eval(
          "js",
          "navigator.locks.request('a', () => { log('granted'); tell(); }); log('requested')");
      await(granted);
      assertEquals(List.of("requested", "granted"), log);
      assertEquals(1, errors.size(), errors::toString);
      assertTrue(errors.getFirst().message().contains("submitting thread"), errors::toString);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void interrupted_callback_rejects_with_abort_error_and_releases_its_lock() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Context context = context();
      Installation installation = userAgent().installInto(context).install(threads);
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch rejected = new CountDownLatch(1);
      context
          .getBindings("js")
          .putMember(
              "tell",
              (ProxyExecutable)
                  values -> {
                    log.add(values[0].asString());
                    (values[0].asString().equals("inside") ? inside : rejected).countDown();
                    return null;
                  });
      String script =
          "navigator.locks.request('a', () => { tell('inside'); for (;;); })"
              + ".then(() => tell('fulfilled'), e => tell(e.name)); 0";
      await(installation.submit(() -> context.eval("js", script).asInt()));
      await(inside);
      context.interrupt(Duration.ofSeconds(LIMIT_SECONDS));
      await(rejected);
      assertEquals(List.of("inside", "AbortError"), log);
      assertEquals(3, await(installation.submit(() -> context.eval("js", "1 + 2").asInt())));
      assertEquals(List.of(), userAgent().locks());
      assertEquals(List.of(), errors);
    } finally {
      threads.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "setTimeout(() => { tell(); for (;;); })",
        "const port = new MessageChannel(); port.port2.postMessage(1);"
            + " port.port1.onmessage = () => { tell(); for (;;); }",
        "addEventListener('error', () => { tell(); for (;;); }); setTimeout(() => { throw 1 })"
      })
  void interrupted_task_is_reported_once_and_not_as_a_defect(String script) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Context context = context();
      CountDownLatch inside = EmbedderContexts.latch(context, "tell");
      Installation installation = userAgent().installInto(context).install(threads);
      installation.execute(() -> context.eval("js", script));
      await(inside);
      context.interrupt(Duration.ofSeconds(LIMIT_SECONDS));
      assertEquals(3, await(installation.submit(() -> context.eval("js", "1 + 2").asInt())));
      assertEquals(
          List.of(UncaughtError.Kind.SCRIPT), errors.stream().map(UncaughtError::kind).toList());
      assertTrue(errors.getFirst().message().contains("interrupted"), errors::toString);
    } finally {
      threads.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw", "handler"})
  void callback_promise_is_handled_under_each_rejection_mode_of_the_context(String mode) {
    Context context =
        Context.newBuilder("js").engine(engine).option("js.unhandled-rejections", mode).build();
    contexts.add(context);
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js",
        "var out = []; navigator.locks.request('a', async () => { await null; throw 'mine'; })"
            + ".catch(e => out.push(e))");
    installation.runUntilIdle();
    assertEquals("mine", context.eval("js", "out.join()").asString());
    assertEquals(List.of(), userAgent().locks());
    assertEquals(List.of(), errors);
  }

  @Test
  void only_the_then_property_of_a_callbacks_promise_is_read() {
    Context context =
        Context.newBuilder("js").engine(engine).option("js.unhandled-rejections", "throw").build();
    contexts.add(context);
    CallerDrivenInstallation installation = install(context);
    context.eval(
        "js",
        """
        var out = [];
        class Mine extends Promise {
          constructor(steps) { super(steps); out.push('made'); }
          then(f, r) { out.push('then'); return Promise.resolve().then(() => f(1)); }
        }
        const mine = new Mine(() => {});
        Object.defineProperty(mine, 'constructor', {configurable: true, get() { out.push('constructor'); return Promise; }});
        navigator.locks.request('a', () => mine).then(value => out.push(value));
        """);
    installation.runUntilIdle();
    assertEquals("made,then,1", context.eval("js", "out.join()").asString());
  }

  @Test
  void timers_fire_in_the_virtual_time_of_a_deterministic_driver() throws Exception {
    try (DeterministicDriver deterministic = Driver.deterministic(1);
        UserAgent other =
            UserAgent.newBuilder()
                .driver(deterministic)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build()) {
      Context context = context();
      CallerDrivenInstallation installation = other.installInto(context).install();
      context.eval("js", "setTimeout(() => log('later'), 2000); setTimeout(() => log('soon'), 5)");
      installation.run(Duration.ofMillis(10));
      assertEquals(List.of("soon"), log);
      deterministic.runUntilIdle(1000);
      assertEquals(List.of("soon", "later"), log);
      assertTrue(other.quiescent().isDone());
    }
  }

  @Test
  void run_refuses_to_wait_for_a_clock_that_stands_still() {
    Context context = context();
    CallerDrivenInstallation installation =
        userAgent().installInto(context).clock(InstantSource.fixed(Instant.EPOCH)).install();
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> installation.run(Duration.ofMillis(5)));
    assertTrue(refused.getMessage().contains("did not advance"), refused::getMessage);
    assertTrue(refused.getMessage().contains("runUntilIdle()"), refused::getMessage);
  }

  /** Starts an endless script on an executor, closes its installation and returns the context. */
  private Context endlessScript(ExecutorService threads) throws Exception {
    Context context = context();
    CountDownLatch inside = EmbedderContexts.latch(context, "tell");
    Installation installation = userAgent().installInto(context).install(threads);
    installation.execute(() -> context.eval("js", "tell(); for (;;);"));
    await(inside);
    installation.close();
    return context;
  }

  @Test
  void cancel_scripts_interrupts_an_installation_and_its_context_stays_usable() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Context context = endlessScript(threads);
      userAgent().cancelScripts();
      userAgent().close();
      assertEquals(3, context.eval("js", "1 + 2").asInt());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void close_throws_and_names_the_installation_that_does_not_end() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Context context = endlessScript(threads);
      UserAgent closing = userAgent();
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> closing.close(Duration.ofMillis(50)));
      assertTrue(
          refused.getMessage().startsWith("not closed after 50.0 ms: "), refused::getMessage);
      assertTrue(refused.getMessage().contains("installation-1"), refused::getMessage);
      assertTrue(refused.getMessage().contains("Context.close(true)"), refused::getMessage);
      context.close(true);
      closing.close(Duration.ofSeconds(Long.MAX_VALUE));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void locks_are_released_when_an_idle_context_is_closed() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Context closed = context();
      CallerDrivenInstallation first = install(closed);
      closed.eval("js", "navigator.locks.request('a', () => new Promise(() => {}))");
      first.runUntilIdle();
      assertEquals(1, userAgent().locks().size());
      Context second = context();
      CountDownLatch granted = EmbedderContexts.latch(second, "tell");
      Installation waiting = userAgent().installInto(second).install(threads);
      waiting.execute(() -> second.eval("js", "navigator.locks.request('a', () => tell())"));
      closed.close();
      await(granted);
      await(first.ended());
    } finally {
      threads.shutdown();
    }
  }
}
