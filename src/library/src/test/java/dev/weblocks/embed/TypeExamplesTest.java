package dev.weblocks.embed;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limits;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the examples in the descriptions of types, except windows. */
class TypeExamplesTest {

  private static final String PAGE =
      "<script>navigator.locks.request('cart', () => console.log(%s))</script>";

  private final List<String> lines = new ArrayList<>();

  /** Two pages that log their number while they hold a lock. */
  private final ResourceLoader pages =
      ResourceLoader.inMemory()
          .put("https://shop.test/1.html", PAGE.formatted("1"))
          .put("https://shop.test/2.html", PAGE.formatted("2"))
          .build();

  private final Environment environment = SharedEnvironment.ENVIRONMENT;
  private final UserAgent userAgent =
      UserAgent.newBuilder().environment(environment).resourceLoader(pages).build();

  @AfterEach
  void close() {
    userAgent.close();
  }

  private void log(Object line) {
    synchronized (lines) {
      lines.add(line.toString());
    }
  }

  @Test
  void installations_await_promises_and_stages() throws Exception {
    String done;
    Function<String, CompletionStage<String>> store = id -> completedFuture(id + " loaded");
    try (Context context =
            Context.newBuilder("js").option("js.unhandled-rejections", "handler").build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      // @start region="installationCall"
      Value transfer = context.eval("js", "(async (from, to) => `${from} to ${to}`)");
      CompletableFuture<String> moved =
          installation.call(transfer, Value::asString, "giro", "card");
      // @end
      moved.thenAccept(lines::add);
      // @start region="runUntil"
      done = installation.runUntil(installation.call(transfer, Value::asString, "giro", "cash"));
      // @end
      // @start region="installationPromise"
      ProxyExecutable load =
          arguments -> installation.promise(store.apply(arguments[0].asString()));
      context.getBindings("js").putMember("load", load); // script: await load('cart')
      // @end
      Value loads = context.eval("js", "(async () => await load('cart'))");
      lines.add(installation.runUntil(installation.call(loads, Value::asString)));
    }
    assertEquals("giro to cash", done);
    assertEquals(List.of("giro to card", "cart loaded"), lines);
  }

  @Test
  void module_resolvers_give_bare_specifiers_a_url() {
    ResourceLoader site =
        ResourceLoader.inMemory()
            .put("https://shop.test/", "<script type=module>import 'cart';</script>")
            .put("https://shop.test/modules/cart.js", "console.log(import.meta.url)")
            .build();
    // @start region="moduleResolver"
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .resourceLoader(site)
            .moduleResolver((name, importer) -> "https://shop.test/modules/" + name + ".js")
            .consoleListener(message -> log(message.text()))
            .build()) {
      userAgent.open("https://shop.test/").loaded().join();
    }
    // @end
    assertEquals(List.of("https://shop.test/modules/cart.js"), lines);
  }

  @Test
  void user_agent_has_options_and_private_sessions() {
    long grants;
    // @start region="userAgent"
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .limits(Limits.newBuilder().turnLimit(Duration.ofSeconds(10)).build())
            .errorListener(error -> log(error.message())) // by default a logger gets them
            .lockWatchdog(Duration.ofSeconds(30), report -> log(report)) // requests that wait
            .build()) {
      UserAgent guest = userAgent.openPrivateSession(); // has locks and storage of its own
      try (LockClient locks = userAgent.openLockClient("https://shop.test");
          LockClient locksOfGuest = guest.openLockClient("https://shop.test")) {
        locks.request("cart").join();
        locksOfGuest.request("cart").join(); // a different lock
      }
      grants = userAgent.metrics().grants(); // 1
    }
    // @end
    assertEquals(1, grants);
    assertEquals(List.of(), lines);
  }

  @Test
  void user_agents_share_an_environment_but_no_locks() throws Exception {
    boolean both;
    // @start region="environment"
    try (Environment environment = Environment.create(); // one engine, with its compiled code
        UserAgent first = UserAgent.newBuilder().environment(environment).build();
        UserAgent second = UserAgent.newBuilder().environment(environment).build();
        LockClient locks = first.openLockClient("https://shop.test");
        LockClient otherLocks = second.openLockClient("https://shop.test")) {
      both = locks.tryAcquire("cart").isPresent() && otherLocks.tryAcquire("cart").isPresent();
    } // both is true: the user agents share no locks
    // @end
    assertTrue(both);
  }

  @Test
  void driver_serves_several_user_agents() {
    List<Window> windows = new ArrayList<>();
    // @start region="driver"
    try (Driver driver = Driver.threadPool(2); // two threads, for any number of agents
        UserAgent shop =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(pages)
                .build();
        UserAgent bank = UserAgent.newBuilder().driver(driver).environment(environment).build()) {
      for (int i = 0; i < 10; i++) {
        windows.add(shop.open("https://shop.test/1.html"));
        windows.add(bank.open("about:blank"));
      }
      windows.forEach(window -> window.loaded().join());
    }
    // @end
    assertTrue(windows.stream().allMatch(window -> window.ended().isDone()));
  }

  @Test
  void answer_of_a_loader_comes_later_by_the_clock_of_the_driver() {
    Duration after;
    try (DeterministicDriver driver = Driver.deterministic(1)) {
      // @start region="driver.schedule"
      ResourceLoader slow =
          request -> {
            CompletableFuture<ResourceResponse> answer = new CompletableFuture<>();
            driver.schedule(
                Duration.ofSeconds(3),
                "answer",
                () -> answer.complete(ResourceResponse.of(request.url(), "text/html", "late")));
            return answer;
          };
      // @end
      try (UserAgent userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .resourceLoader(slow)
              .build()) {
        userAgent.open("https://shop.test/");
        driver.runUntilIdle(10_000);
        after = driver.elapsed();
      }
    }
    assertEquals(3, after.toSeconds());
  }

  @Test
  void loop_of_the_caller_runs_windows() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    // @start region="callerDrivenDriver"
    Semaphore signal = new Semaphore(0);
    try (CallerDrivenDriver driver = Driver.callerDriven(signal::release);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(pages)
                .consoleListener(message -> lines.add(message.text()))
                .build()) {
      userAgent.open("https://shop.test/1.html");
      while (lines.isEmpty()) {
        driver.runUntilIdle(); // scripts run on this thread, and only inside this call
        Duration wait = driver.untilNextTimer().orElse(Duration.ofMinutes(1));
        if (lines.isEmpty() && signal.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
          signal.drainPermits();
        }
      }
    }
    // @end
    assertEquals("1", lines.poll());
  }

  // @start region="deterministicDriver"
  /** Returns what two windows log, in an order that depends on the seed alone. */
  List<String> run(long seed) {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(seed);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(pages)
                .consoleListener(message -> log.add(message.text()))
                .build()) {
      userAgent.open("https://shop.test/1.html");
      userAgent.open("https://shop.test/2.html");
      driver.runUntilIdle(10_000);
    }
    return log;
  }

  // @end

  @Test
  void seed_decides_the_order() {
    assertEquals(run(7), run(7));
    assertTrue(
        IntStream.range(1, 100)
            .mapToObj(seed -> run(seed))
            .anyMatch(log -> log.equals(List.of("2", "1"))));
  }

  @Test
  void schedule_prefers_the_youngest_agent() {
    // @start region="schedule"
    Schedule youngestFirst = ready -> ready.size() - 1; // the actor that was created last
    try (DeterministicDriver driver = Driver.deterministic(youngestFirst);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(pages)
                .consoleListener(message -> lines.add(message.text()))
                .build()) {
      userAgent.open("https://shop.test/1.html");
      userAgent.open("https://shop.test/2.html");
      driver.runUntilIdle(10_000);
    }
    // @end
    assertEquals(List.of("2", "1"), lines);
  }

  @Test
  void executor_runs_the_loop_of_an_installation() {
    int answer;
    // @start region="installation"
    try (Context context =
            Context.newBuilder("js").option("js.unhandled-rejections", "handler").build();
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Installation installation =
            userAgent
                .installInto(context)
                .globals(Globals.TIMERS, Globals.LOCKS) // all groups if this is left out
                .install(executor)) {
      // The context has one thread at a time: host code enters it in a turn of the loop.
      answer = installation.submit(() -> context.eval("js", "6 * 7").asInt()).join();
    } // closes the context last, after all turns of the executor
    // @end
    assertEquals(42, answer);
  }

  @Test
  void caller_runs_an_installation_until_no_timer_is_left() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // @start region="callerDrivenInstallation"
    try (Context context =
            Context.newBuilder("js").option("js.unhandled-rejections", "handler").out(out).build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      context.eval("js", "setTimeout(() => console.log('done'), 20)");
      installation.runUntilIdle();
      Optional<Duration> next = installation.untilNextTimer();
      while (next.isPresent()) {
        installation.run(next.get());
        installation.runUntilIdle();
        next = installation.untilNextTimer();
      }
    }
    // @end
    assertEquals("done", out.toString(StandardCharsets.UTF_8).strip());
  }

  /** A table that refuses a write with a fencing token below the greatest one so far. */
  private static class Table {
    private long greatest;

    void write(String row, long fencingToken) {
      if (fencingToken < greatest) {
        throw new IllegalStateException("the write of " + row + " comes after a later holder");
      }
      greatest = fencingToken;
    }
  }

  private static CompletionStage<Void> saveCart() {
    return completedFuture(null);
  }

  @Test
  void lock_client_waits_or_calls_back() throws Exception {
    Table table = new Table();
    // @start region="lockClient"
    try (LockClient locks = userAgent.openLockClient("https://shop.test")) {
      locks.withLock("cart", lock -> saveCart()).join(); // held until the stage of saveCart settles
      try (HeldLock lock = locks.acquire("cart", Duration.ofSeconds(5))) {
        table.write("cart", lock.fencingToken()); // on a thread that may wait
      }
    }
    // @end
    assertEquals(2, table.greatest);
  }

  private final CompletableFuture<LockLoss> stopped = new CompletableFuture<>();

  private void stopWork(LockLoss loss) {
    stopped.complete(loss);
  }

  @Test
  void holder_is_notified_of_a_steal_and_its_late_write_refused() {
    LockClient other = userAgent.openLockClient("https://shop.test");
    Table table =
        new Table() {
          @Override
          void write(String row, long fencingToken) {
            super.write(row, other.steal("ledger").join().fencingToken());
            assertEquals(LockLoss.STOLEN, stopped.join());
            super.write(row, fencingToken);
          }
        };
    assertThrows(
        IllegalStateException.class,
        () -> {
          try (LockClient locks = userAgent.openLockClient("https://shop.test")) {
            // @start region="heldLock"
            try (HeldLock lock = locks.acquire("ledger")) {
              lock.lost().thenAccept(loss -> stopWork(loss)); // soon after a steal
              table.write("entry", lock.fencingToken()); // refuses tokens of earlier holders
            }
            // @end
          }
        });
  }

  @Test
  void lock_client_has_a_name_and_an_executor() {
    // @start region="lockClientOptions"
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        LockClient locks =
            userAgent.openLockClient(
                LockClientOptions.newBuilder("https://shop.test")
                    .name("invoices") // in errors and events
                    .executor(executor) // runs what depends on a future, so it may block
                    .build())) {
      locks.request("cart").thenAccept(lock -> log(lock.name())).join();
    }
    // @end
    assertEquals(List.of("cart"), lines);
  }

  @Test
  void cycle_of_waits_is_found() throws Exception {
    try (LockClient first = userAgent.openLockClient("https://shop.test");
        LockClient second = userAgent.openLockClient("https://shop.test")) {
      first.acquire("cart");
      second.acquire("stock");
      first.request("stock");
      second.request("cart");
      second.query().join();
      // @start region="waits"
      List<LockEntry> locks = userAgent.locks();
      for (List<WaitForGraph.Wait> cycle : WaitForGraph.of(locks).cycles()) {
        cycle.forEach(
            wait -> log(wait.request().agent() + " waits for " + wait.obstacle().agent()));
      }
      log(DeadlockReport.of(locks)); // all waits and cycles in sentences
      // @end
      assertEquals(
          Set.of(
              first.name() + " waits for " + second.name(),
              second.name() + " waits for " + first.name()),
          Set.copyOf(lines.subList(0, 2)));
      assertTrue(lines.get(2).contains("cycle: "), lines.get(2));
    }
  }

  @Test
  void listener_reports_long_waits() {
    try (DeterministicDriver driver = Driver.deterministic(1)) {
      // @start region="lockListener"
      LockListener longWaits =
          new LockListener() {
            @Override
            public void granted(LockEvent event) {
              if (event.age().toSeconds() >= 2) {
                log(
                    event.agent()
                        + " waited "
                        + event.age().toSeconds()
                        + " s for "
                        + event.name());
              }
            }
          };
      // @end
      try (UserAgent userAgent =
              UserAgent.newBuilder()
                  .driver(driver)
                  .environment(environment)
                  .lockListener(longWaits)
                  .build();
          LockClient locks = userAgent.openLockClient("https://shop.test")) {
        CompletableFuture<HeldLock> held = locks.request("cart");
        locks.request("cart");
        driver.schedule(Duration.ofSeconds(5), "release", () -> held.join().close());
        driver.runUntilIdle(10_000);
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().startsWith(locks.name() + " waited "), lines.getFirst());
      }
    }
  }

  @Test
  void trace_listener_gets_steps_with_their_causes() {
    // @start region="traceListener"
    TraceListener listener =
        event ->
            log(event.id() + " " + event.actor() + ", by " + event.cause() + ": " + event.detail());
    // @end
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .traceListener(listener)
                .build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      locks.request("cart");
      driver.runUntilIdle(10_000);
    }
    assertTrue(lines.getFirst().startsWith("1 "), lines::toString);
  }

  @Test
  void bean_is_registered_with_the_platform() throws Exception {
    // @start region="mxBean"
    ObjectName name = new ObjectName("com.example:type=UserAgent,name=shop");
    ManagementFactory.getPlatformMBeanServer().registerMBean(userAgent.mxBean(), name);
    // @end
    try {
      assertEquals(0L, ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Requests"));
    } finally {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
  }

  @Test
  void limits_are_built() {
    // @start region="limits"
    Limits limits = Limits.newBuilder().turnLimit(Duration.ofSeconds(10)).agents(100).build();
    // @end
    assertEquals(Optional.of(Duration.ofSeconds(10)), limits.turnLimit());
  }
}
