package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockMode;
import dev.weblocks.model.UncaughtError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Java callers on many threads at once, with script among them. */
class LockClientStressTest {

  private static final String ORIGIN = "https://one.test";
  private static final int THREADS = 8;
  private static final int ROUNDS = 400;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Driver driver = Driver.threadPool(2);
  private final List<UncaughtError> errors = new ArrayList<>();
  private volatile Supplier<Throwable> refusal = () -> new AssertionError("nothing tried");
  private final CountDownLatch scriptDone = new CountDownLatch(1);

  /** Script that runs concurrently with the threads. */
  private static final String SCRIPT =
      "let left = 300; (function next() {"
          + " if (left-- === 0) { console.log('done'); return; }"
          + " navigator.locks.request('n' + left % 3, () => 0).then(next); })();";

  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .resourceLoader(request ->
              CompletableFuture.completedFuture(
                  ResourceResponse.of(
                      request.url(), "text/html", "<script>" + SCRIPT + "</script>")))
          .consoleListener(message -> scriptDone.countDown())
          .errorListener(errors::add)
          .build();

  private final AtomicInteger[] inside = {
    new AtomicInteger(), new AtomicInteger(), new AtomicInteger()
  };

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  @Test
  void no_locks_or_requests_remain_after_threads_request_cancel_and_close() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      userAgent.open(ORIGIN + "/");
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int seed = i;
        all.add(threads.submit(() -> contend(new SplittableRandom(seed))));
      }
      for (Future<?> each : all) {
        each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    }
    assertTrue(scriptDone.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
    userAgent.quiescent().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    Metrics metrics = userAgent.metrics();
    assertEquals(List.of(), userAgent.locks());
    assertEquals(0, metrics.held());
    assertEquals(0, metrics.pending());
    assertEquals(THREADS * ROUNDS + 300, metrics.requests());
    assertEquals(metrics.requests(), metrics.grants() + metrics.misses() + metrics.aborts());
    assertEquals(metrics.grants(), metrics.releases() + metrics.steals());
    assertEquals(0, metrics.steals());
    assertEquals(List.of(), errors);
  }

  private Void contend(SplittableRandom random) throws Exception {
    LockClient client = userAgent.openLockClient(ORIGIN);
    for (int round = 0; round < ROUNDS; round++) {
      int which = random.nextInt(3);
      String name = "n" + which;
      switch (random.nextInt(5)) {
        case 0 -> {
          try (HeldLock lock = client.acquire(name, LIMIT)) {
            alone(which);
          }
        }
        case 1 ->
            await(
                client.withLock(
                    name,
                    lock -> {
                      alone(which);
                      return CompletableFuture.completedFuture(null);
                    }));
        case 2 -> {
          Optional<HeldLock> lock = await(client.requestIfAvailable(name));
          if (lock.isPresent()) {
            alone(which);
            lock.get().close();
          }
        }
        case 3 -> {
          CompletableFuture<HeldLock> request = client.request(name, LockMode.SHARED);
          if (!request.cancel(false)) {
            request.join().close();
          }
        }
        default -> {
          CompletableFuture<HeldLock> request = client.request(name);
          client.close(); // while it holds the lock or waits for it
          try {
            assertFalse(await(request).isHeld());
          } catch (CancellationException closed) {
            // the request was still pending
          }
          client = userAgent.openLockClient(ORIGIN);
        }
      }
    }
    client.close();
    return null;
  }

  private void alone(int which) {
    assertEquals(1, inside[which].incrementAndGet());
    Thread.yield();
    assertEquals(0, inside[which].decrementAndGet());
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed;
    }
  }

  @Test
  void lock_passes_between_java_and_script_of_an_installed_context() throws Exception {
    try (Context context = Context.newBuilder("js").build();
        CallerDrivenInstallation installation =
            userAgent.installInto(context).origin(ORIGIN).install()) {
      LockClient client = userAgent.openLockClient(ORIGIN);
      HeldLock lock = client.acquire("x", LIMIT);
      context.eval(
          "js",
          "var held = false; var release;"
              + " navigator.locks.request('x', () => new Promise(r => { held = true; release = r; }))");
      installation.runUntilIdle();
      assertFalse(context.eval("js", "held").asBoolean());
      lock.close();
      installation.runUntilIdle();
      assertTrue(context.eval("js", "held").asBoolean());
      CompletableFuture<HeldLock> waiting = client.request("x");
      assertFalse(waiting.isDone());
      context.eval("js", "release()");
      installation.runUntilIdle();
      assertTrue(await(waiting).isHeld());
      context.eval("js", "navigator.locks.request('x', () => {})");
      client.close();
      installation.runUntilIdle();
      assertEquals(0, userAgent.metrics().held() + userAgent.metrics().pending());
    }
  }

  @Test
  void a_thread_that_is_interrupted_while_it_waits_aborts_its_request() throws Exception {
    LockClient client = userAgent.openLockClient(ORIGIN);
    HeldLock lock = client.acquire("x", LIMIT);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> client.acquire("x", LIMIT));
    assertEquals(1, userAgent.metrics().aborts());
    lock.close();
    assertEquals(0, userAgent.metrics().held());
  }

  @Test
  void waiting_thread_gets_an_exception_when_the_user_agent_ends() throws Exception {
    LockClient client = userAgent.openLockClient(ORIGIN);
    client.acquire("x", LIMIT);
    CompletableFuture<Void> waiting = new CompletableFuture<>();
    Thread waiter =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.acquire("x", LIMIT);
                waiting.complete(null);
              } catch (Exception failure) {
                waiting.completeExceptionally(failure);
              }
            });
    while (userAgent.metrics().pending() == 0) {
      Thread.onSpinWait();
    }
    userAgent.close();
    waiter.join();
    assertTrue(waiting.isCancelled());
  }

  @Test
  void blocking_acquire_is_refused_on_the_thread_of_an_agent() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    try (UserAgent other =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(SharedEnvironment.ENVIRONMENT)
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(
                        request.url(), "text/html", "<script>console.log(1)</script>")))
            .consoleListener(message -> refused.complete(refusal.get()))
            .build()) {
      LockClient client = other.openLockClient(ORIGIN);
      refusal = () -> assertThrows(IllegalStateException.class, () -> client.acquire("x", LIMIT));
      other.open(ORIGIN + "/");
      assertTrue(
          refused
              .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
              .getMessage()
              .startsWith("acquire() would block a thread"));
    }
  }
}
