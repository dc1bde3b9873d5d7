package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waiting for the end of an installation, and contexts that are closed before it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstallationEndTest {

  private static final String HOLD = "navigator.locks.request('a', () => new Promise(() => {}))";

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  @RegisterExtension private final EmbedderContexts contexts = new EmbedderContexts();
  private final List<AutoCloseable> others = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable other : others) {
      other.close();
    }
    threads.shutdown();
  }

  private UserAgent userAgent(Driver driver) {
    UserAgent userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(SharedEnvironment.ENVIRONMENT)
            .errorListener(error -> {})
            .limits(Limits.newBuilder().endLimit(Duration.ofMinutes(1)).build())
            .build();
    others.add(userAgent);
    others.add(driver);
    return userAgent;
  }

  @Test
  void waiting_close_returns_when_no_turn_is_inside_the_context() throws Exception {
    UserAgent userAgent = userAgent(Driver.threadPool(1));
    Context context = contexts.open();
    Installation installation = userAgent.installInto(context).install(threads);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    installation.execute(() -> {
      inside.countDown();
      try {
        leave.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    });
    inside.await();
    IllegalStateException late =
        assertThrows(IllegalStateException.class, () -> installation.close(Duration.ofMillis(5)));
    assertTrue(late.getMessage().contains(installation.name()), late::getMessage);
    assertTrue(late.getMessage().contains("has not ended after 5.0 ms"), late::getMessage);
    leave.countDown();
    assertEquals(Ending.STOPPED, installation.close(Duration.ofSeconds(60)));
    context.close(); // throws while a turn is inside
    assertEquals(Ending.STOPPED, installation.close(Duration.ZERO));
  }

  @Test
  void waiting_close_is_refused_where_it_would_wait_for_itself() {
    UserAgent userAgent = userAgent(Driver.threadPool(1));
    Context context = contexts.open();
    CallerDrivenInstallation installation = userAgent.installInto(context).install();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    context
        .getBindings("js")
        .putMember(
            "end",
            (ProxyExecutable)
                none -> {
                  thrown.set(
                      assertThrows(
                          IllegalStateException.class,
                          () -> installation.close(Duration.ofSeconds(60))));
                  return null;
                });
    context.eval("js", "end()");
    assertInstanceOf(IllegalStateException.class, thrown.getAndSet(null));
    context.eval("js", "setTimeout(end)");
    installation.runUntilIdle();
    assertInstanceOf(IllegalStateException.class, thrown.get());
    assertFalse(installation.isClosed());
    assertThrows(IllegalArgumentException.class, () -> installation.close(Duration.ofSeconds(-1)));
  }

  @Test
  void waiting_close_runs_the_driver_that_ends_the_workers() throws Exception {
    for (Driver driver : List.of(Driver.callerDriven(() -> {}), Driver.deterministic(1))) {
      UserAgent userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(SharedEnvironment.ENVIRONMENT)
              .resourceLoader(
                  ResourceLoader.inMemory().put("https://localhost/w.js", "for (;;);").build())
              .build();
      others.add(userAgent);
      others.add(driver);
      Context context = contexts.open();
      CallerDrivenInstallation installation = userAgent.installInto(context).install();
      context.eval("js", "new Worker('w.js')");
      assertEquals(Ending.STOPPED, installation.close(Duration.ofSeconds(60)));
      assertEquals(0, userAgent.metrics().agents());
    }
  }

  @Test
  void closed_context_is_noticed_although_no_thread_runs_the_driver() throws Exception {
    UserAgent userAgent = userAgent(Driver.callerDriven(() -> {}));
    Context first = contexts.open();
    Installation holder = userAgent.installInto(first).install(threads);
    holder.submit(() -> first.eval("js", HOLD).isNull()).get();
    holder.submit(() -> 1).get(); // after the grant
    Context second = contexts.open();
    Installation waiting = userAgent.installInto(second).install(threads);
    CountDownLatch granted = EmbedderContexts.latch(second, "granted");
    waiting.execute(() -> second.eval("js", "navigator.locks.request('a', () => granted())"));
    first.close(true);
    assertTrue(granted.await(60, TimeUnit.SECONDS));
    assertTrue(holder.isClosed());
  }

  @Test
  void closed_context_is_noticed_although_all_threads_of_the_driver_are_busy() throws Exception {
    Driver driver = Driver.threadPool(1);
    UserAgent userAgent = userAgent(driver);
    CountDownLatch leave = new CountDownLatch(1);
    driver.schedule(
        Duration.ZERO,
        "busy",
        () -> {
          try {
            leave.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
    Context first = contexts.open();
    CallerDrivenInstallation holder = userAgent.installInto(first).install();
    first.eval("js", HOLD);
    holder.runUntilIdle();
    first.close();
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN)) {
      assertTrue(java.acquire("a", Duration.ofSeconds(60)).isHeld());
    } finally {
      leave.countDown();
    }
  }

  @Test
  void closed_context_is_noticed_by_the_next_request_in_virtual_time() throws Exception {
    UserAgent userAgent = userAgent(Driver.deterministic(1));
    Context first = contexts.open();
    CallerDrivenInstallation holder = userAgent.installInto(first).install();
    first.eval("js", HOLD);
    holder.runUntilIdle();
    first.close();
    try (LockClient java = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
        HeldLock lock = java.acquire("a")) {
      assertTrue(lock.isHeld());
      assertTrue(holder.isClosed());
    }
  }
}
