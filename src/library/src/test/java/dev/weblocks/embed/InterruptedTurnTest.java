package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Installations whose embedder interrupts a turn. Some versions of the engine drop the promise jobs
 * that are left then, others run some of them: locks and futures are right with both.
 */
class InterruptedTurnTest {

  private static final int LIMIT_SECONDS = 30;

  @RegisterExtension final EmbedderContexts contexts = new EmbedderContexts();

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<UncaughtError> errors = new CopyOnWriteArrayList<>();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .environment(SharedEnvironment.ENVIRONMENT)
          .errorListener(errors::add)
          .build();
  private Context context;
  private Installation installation;
  private CountDownLatch inside;

  @BeforeEach
  void install() throws Exception {
    context = contexts.open();
    inside = EmbedderContexts.latch(context, "inside");
    context
        .getBindings("js")
        .putMember(
            "tell",
            (ProxyExecutable)
                values -> {
                  log.add(values[0].asString());
                  return null;
                });
    installation = userAgent.installInto(context).install(threads);
    eval("var spin = () => { inside(); for (;;); }, soon = Promise.resolve();");
  }

  @AfterEach
  void close() {
    userAgent.close();
    threads.shutdownNow();
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private String eval(String code) throws Exception {
    return await(installation.submit(() -> context.eval("js", code).toString()));
  }

  /** Queues a task that runs a script, interrupts the script, and waits for the end of the turn. */
  private void interrupt(String code) throws Exception {
    installation.execute(() -> context.eval("js", "setTimeout(() => { " + code + " })"));
    interruptInside();
  }

  private void interruptInside() throws Exception {
    assertTrue(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    context.interrupt(Duration.ofSeconds(LIMIT_SECONDS));
    assertEquals("3", eval("1 + 2"));
  }

  /** Waits until the lock 'a' is free, and returns. */
  private void awaitLock() throws Exception {
    try (LockClient client =
        userAgent.openLockClient(
            LockClientOptions.newBuilder(Installation.DEFAULT_ORIGIN).build())) {
      await(client.request("a")).close();
    }
  }

  private boolean isHeld() {
    return userAgent.locks().stream().anyMatch(entry -> entry.place() == 0);
  }

  @Test
  void lock_stays_held_when_another_job_than_its_callback_is_interrupted() throws Exception {
    installation.execute(() ->
        context.eval(
            "js",
            """
            navigator.locks.request('a', () => {
              soon.then(spin);
              return new Promise(resolve => { done = resolve; });
            }).then(value => tell('fulfilled ' + value), e => tell(e.name));
            """));
    interruptInside();
    assertTrue(isHeld());
    assertEquals(List.of(), log);
    eval("done(1)");
    awaitLock();
    assertEquals("0", eval("0"));
    assertEquals(List.of("fulfilled 1"), log);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "() => spin()",
        "async () => spin()",
        "async () => { await null; spin() }",
        "() => soon.then(spin)",
        "() => ({ then: spin })",
      })
  void interrupted_callback_releases_its_lock_and_rejects_with_abort_error(String callback)
      throws Exception {
    installation.execute(() ->
        context.eval(
            "js",
            "navigator.locks.request('a', "
                + callback
                + ").then(value => tell('fulfilled ' + value), e => tell(e.name))"));
    interruptInside();
    awaitLock();
    assertEquals("0", eval("0"));
    assertEquals(List.of("AbortError"), log);
    assertEquals(List.of(), errors.stream().map(UncaughtError::message).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"soon.then(spin); done(1)", "done(1); soon.then(spin)", "done(1); spin()"})
  void lock_is_released_although_the_job_for_it_was_dropped(String code) throws Exception {
    eval(
        "navigator.locks.request('a', () => new Promise(resolve => { done = resolve; }))"
            + ".then(value => tell('fulfilled ' + value), e => tell(e.name)); 0");
    installation.execute(() -> {});
    while (!isHeld()) {
      eval("0");
    }
    interrupt(code);
    awaitLock();
    assertEquals("0", eval("0"));
    assertEquals(List.of("fulfilled 1"), log);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"soon.then(spin); done(1)", "done(1); soon.then(spin)", "done(1); spin()"})
  void call_completes_although_the_job_for_it_was_dropped(String code) throws Exception {
    Value function =
        await(
            installation.submit(
                () -> context.eval("js", "() => new Promise(resolve => { done = resolve; })")));
    CompletableFuture<String> call = installation.call(function, Value::toString);
    assertEquals("0", eval("0"));
    interrupt(code);
    assertEquals("1", await(call));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "() => spin()",
        "async () => spin()",
        "async () => { await null; spin() }",
        "() => soon.then(spin)",
      })
  void interrupted_call_completes_exceptionally(String code) throws Exception {
    Value function = await(installation.submit(() -> context.eval("js", code)));
    CompletableFuture<String> call = installation.call(function, Value::toString);
    interruptInside();
    try {
      await(call);
    } catch (ExecutionException expected) {
      return;
    }
    throw new AssertionError("no exception");
  }
}
