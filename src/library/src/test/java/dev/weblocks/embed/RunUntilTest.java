package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.TraceKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The waits of an installation for a stage that something else completes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunUntilTest {

  private static final String HOLD = "navigator.locks.request('a', () => new Promise(() => {}))";

  private static final String HOLD_UNTIL_AWAITED =
      """
      navigator.locks.request('a', () => {
        holds();
        return new Promise(done => {
          const timer = setInterval(() => {
            if (isAwaited()) {
              clearInterval(timer);
              done();
            }
          }, 1);
        });
      });
      """;

  @RegisterExtension private final EmbedderContexts contexts = new EmbedderContexts();

  private final CountDownLatch stepBegan = new CountDownLatch(1);
  private final CountDownLatch stepGoesOn = new CountDownLatch(1);

  /** The thread whose next lock step waits until it may go on. */
  private final AtomicReference<Thread> held = new AtomicReference<>();

  private final CompletableFuture<ResourceResponse> answer = new CompletableFuture<>();
  private Driver driver = Driver.threadPool(1);
  private UserAgent userAgent = open();

  private UserAgent open() {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .resourceLoader(request -> answer)
        .traceListener(event -> {
          if (event.kind() == TraceKind.LOCK_STEP
              && held.compareAndSet(Thread.currentThread(), null)) {
            stepBegan.countDown();
            await(stepGoesOn);
          }
        })
        .build();
  }

  @AfterEach
  void close() {
    stepGoesOn.countDown();
    userAgent.close();
    driver.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private CallerDrivenInstallation install(Context context) {
    return userAgent.installInto(context).install();
  }

  private static CompletableFuture<Integer> request(
      CallerDrivenInstallation installation, Context context) {
    Value promise = context.eval("js", "navigator.locks.request('a', () => 1)");
    return installation.future(promise, Value::asInt);
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Runs an action on another thread when a thread waits, or {@code isOver} is set. */
  private static Thread whenWaiting(Thread waiting, AtomicBoolean isOver, Runnable action) {
    return Thread.ofPlatform()
        .start(() -> {
          while (!isOver.get() && !isWaiting(waiting)) {
            Thread.onSpinWait();
          }
          action.run();
        });
  }

  private static String refusal(
      CallerDrivenInstallation installation, CompletableFuture<Integer> stage) {
    return assertThrows(IllegalStateException.class, () -> installation.runUntil(stage))
        .getMessage();
  }

  @Test
  void run_until_waits_for_a_lock_step_that_another_thread_runs() throws Exception {
    Context context = contexts.open();
    CallerDrivenInstallation installation = install(context);
    installation.runUntilIdle();
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN)) {
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                held.set(Thread.currentThread());
                CompletableFuture<LockManagerSnapshot> unused = java.query();
              });
      await(stepBegan);
      CompletableFuture<Integer> result = request(installation, context);
      AtomicBoolean isOver = new AtomicBoolean();
      Thread opener = whenWaiting(Thread.currentThread(), isOver, stepGoesOn::countDown);
      try {
        assertEquals(1, installation.runUntil(result));
      } finally {
        isOver.set(true);
        opener.join();
        other.join();
      }
    }
  }

  @Test
  void run_until_waits_for_an_installation_on_an_executor() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Context first = contexts.open();
      Installation holder = userAgent.installInto(first).install(threads);
      CountDownLatch holds = EmbedderContexts.latch(first, "holds");
      Thread waiter = Thread.currentThread();
      first.getBindings("js").putMember("isAwaited", (ProxyExecutable) none -> isWaiting(waiter));
      holder.execute(() -> first.eval("js", HOLD_UNTIL_AWAITED));
      await(holds);
      Context second = contexts.open();
      CallerDrivenInstallation waiting = install(second);
      CompletableFuture<Integer> result = request(waiting, second);
      assertEquals(1, waiting.runUntil(result));
      holder.close(Duration.ofSeconds(60));
    }
  }

  @Test
  void run_until_gives_up_when_the_last_other_agent_rests() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Context first = contexts.open();
      Installation holder = userAgent.installInto(first).install(threads);
      CountDownLatch holds = EmbedderContexts.latch(first, "holds");
      holder.execute(
          () -> first.eval("js", HOLD + "; setTimeout(holds, 5); setTimeout(() => {}, 30)"));
      await(holds);
      Context second = contexts.open();
      CallerDrivenInstallation waiting = install(second);
      String message = refusal(waiting, request(waiting, second));
      assertTrue(message.contains("is idle"), message);
      assertTrue(message.contains("held by " + holder.name()), message);
      holder.close(Duration.ofSeconds(60));
    }
  }

  @Test
  void run_until_waits_for_an_answer_of_the_resource_loader() throws Exception {
    Context context = contexts.open();
    CallerDrivenInstallation installation = install(context);
    CompletableFuture<Integer> status =
        installation.future(
            context.eval("js", "fetch('/x').then(response => response.status)"), Value::asInt);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread answering =
        whenWaiting(
            Thread.currentThread(),
            isOver,
            () -> answer.complete(ResourceResponse.of("https://localhost/x", "text/plain", "")));
    try {
      assertEquals(200, installation.runUntil(status));
    } finally {
      isOver.set(true);
      answering.join();
    }
  }

  @Test
  void run_until_does_not_wait_for_a_loop_that_a_caller_runs() {
    Context first = contexts.open();
    CallerDrivenInstallation holder = install(first);
    first.eval("js", HOLD + "; setTimeout(() => {})");
    holder.runOne();
    Context second = contexts.open();
    CallerDrivenInstallation waiting = install(second);
    String message = refusal(waiting, request(waiting, second));
    assertTrue(message.contains("held by " + holder.name()), message);
  }

  @Test
  void run_until_does_not_wait_for_a_driver_that_a_caller_runs() {
    for (Driver driven : List.of(Driver.callerDriven(() -> {}), Driver.deterministic(1))) {
      close();
      driver = driven;
      userAgent = open();
      answer.complete(ResourceResponse.of("https://localhost/", "text/html", "<p>"));
      Window window = userAgent.open("https://localhost/");
      CompletableFuture<?> unused =
          userAgent.openLockClient("https://localhost").withLock("b", lock -> null);
      window.close();
      Context context = contexts.open();
      CallerDrivenInstallation installation =
          userAgent.installInto(context).clock(InstantSource.system()).install();
      String message = refusal(installation, new CompletableFuture<>());
      assertTrue(message.contains("is idle"), message);
    }
  }

  @Test
  void run_until_leaves_no_dependent_on_the_stage() {
    CallerDrivenInstallation installation = install(contexts.open());
    CompletableFuture<Integer> never = new CompletableFuture<>();
    assertThrows(TimeoutException.class, () -> installation.runUntil(never, Duration.ofMillis(5)));
    assertFalse(refusal(installation, never).isEmpty());
    assertEquals(0, never.getNumberOfDependents());
  }

  @Test
  void run_until_names_no_lock_of_another_client_with_its_name() throws Exception {
    Context context = contexts.open();
    CallerDrivenInstallation installation = userAgent.installInto(context).name("rule48").install();
    LockClientOptions options =
        LockClientOptions.newBuilder(Installation.DEFAULT_ORIGIN).name("rule48").build();
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
        LockClient namesake = userAgent.openLockClient(options);
        HeldLock lock = java.acquire("a")) {
      assertTrue(lock.isHeld());
      CompletableFuture<?> waiting = namesake.withLock("a", held -> null);
      String message = refusal(installation, new CompletableFuture<>());
      assertFalse(message.contains("'a'"), message);
      waiting.cancel(false);
    }
  }
}
