package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The moments at which a user agent reports that it is quiescent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuiescenceTest {

  private static final int LIMIT_SECONDS = 60;

  private Driver driver;
  private UserAgent userAgent;
  private final ConcurrentHashMap<String, CompletableFuture<ResourceResponse>> resources =
      new ConcurrentHashMap<>();
  private final List<String> log = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
    resources.clear();
    log.clear();
  }

  private void on(Driver chosen) {
    on(chosen, Set.of());
  }

  private void on(Driver chosen, Set<Variant> variants) {
    driver = chosen;
    userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(SharedEnvironment.ENVIRONMENT)
            .variants(variants)
            .resourceLoader(request -> resources.get(request.url()))
            .consoleListener(message -> write(message.text()))
            .errorListener(error -> log.add(error.message()))
            .build();
  }

  private void write(String text) {
    synchronized (log) {
      log.add(text);
      log.notifyAll();
    }
  }

  private void awaitLog(String text) throws InterruptedException {
    synchronized (log) {
      while (!log.contains(text)) {
        log.wait();
      }
    }
  }

  private void resource(String path, String text) {
    String url = "https://one.test" + path;
    resources.put(
        url,
        CompletableFuture.completedFuture(
            ResourceResponse.of(
                url, path.endsWith(".js") ? "text/javascript" : "text/html", text)));
  }

  private Window open(String script) {
    resource("/" + resources.size(), "<script>" + script + "</script>");
    return userAgent.open("https://one.test/" + (resources.size() - 1));
  }

  private CompletableFuture<Void> rest() {
    return userAgent.quiescent();
  }

  private void awaitRest() throws Exception {
    rest().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private void assertNoRest(CompletableFuture<Void> rest) {
    assertFalse(rest.isDone(), () -> "at rest too early, after " + log);
  }

  @Test
  void user_agent_without_windows_is_quiescent() {
    on(Driver.threadPool(2));
    assertTrue(rest().isDone());
  }

  @Test
  void user_agent_is_quiescent_after_all_consequences_of_a_script() throws Exception {
    on(Driver.threadPool(4));
    resource(
        "/worker.js",
        "onmessage = e => setTimeout(() => postMessage(e.data + 1), 5);"
            + "navigator.locks.request('a', () => {});");
    for (int i = 0; i < 10; i++) {
      open(
          """
          const worker = new Worker('/worker.js');
          worker.postMessage(1);
          worker.onmessage = async e => {
            await navigator.locks.request('a', () => new Promise(r => setTimeout(r, 3)));
            await (await fetch('/worker.js')).text();
            const channel = new MessageChannel();
            channel.port1.onmessage = () => console.log('last');
            channel.port2.postMessage(0);
          };
          """);
    }
    awaitRest();
    assertEquals(10, log.size(), log::toString);
  }

  @Test
  void user_agent_can_become_quiescent_again() throws Exception {
    on(Driver.threadPool(2));
    for (int i = 1; i <= 50; i++) {
      open("setTimeout(() => console.log('" + i + "'), 1)");
      awaitRest();
      assertEquals(i, log.size());
    }
  }

  @Test
  void lock_held_for_ever_does_not_prevent_quiescence() throws Exception {
    on(Driver.threadPool(2));
    open("navigator.locks.request('a', () => new Promise(() => {}))");
    awaitRest();
    open("navigator.locks.request('a', () => console.log('never'))");
    awaitRest();
    assertEquals(List.of(), log);
    assertEquals(2, userAgent.locks().size());
  }

  @Test
  void unreachable_message_listener_does_not_prevent_quiescence() throws Exception {
    on(Driver.threadPool(2));
    open("new BroadcastChannel('a').onmessage = () => {}; onmessage = () => {};");
    awaitRest();
    assertEquals(List.of(), log);
  }

  @Test
  void quiescence_waits_until_locks_of_an_ending_agent_are_released() throws Exception {
    on(Driver.threadPool(2));
    Window holder = open("navigator.locks.request('a', () => new Promise(() => {}))");
    open("setTimeout(() => navigator.locks.request('a', () => console.log('mine')), 1)");
    awaitRest();
    holder.close();
    awaitRest();
    assertEquals(List.of("mine"), log);
  }

  @Test
  void pending_fetch_prevents_quiescence() throws Exception {
    on(Driver.threadPool(2));
    CompletableFuture<ResourceResponse> answer = new CompletableFuture<>();
    resources.put("https://one.test/slow", answer);
    open("fetch('/slow').then(() => console.log('answered')); console.log('asked')");
    CompletableFuture<Void> rest = rest();
    awaitLog("asked");
    assertNoRest(rest);
    answer.complete(ResourceResponse.of("https://one.test/slow", "text/plain", ""));
    rest.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertEquals(List.of("asked", "answered"), log);
  }

  @Test
  void aborted_fetch_does_not_prevent_quiescence() throws Exception {
    on(Driver.threadPool(2));
    resources.put("https://one.test/slow", new CompletableFuture<>());
    open(
        "const c = new AbortController(); fetch('/slow', {signal: c.signal})"
            + ".catch(e => console.log(e.name)); setTimeout(() => c.abort(), 1)");
    awaitRest();
    assertEquals(List.of("AbortError"), log);
  }

  @Test
  void deterministic_user_agent_is_quiescent_when_its_driver_is_idle() throws Exception {
    DeterministicDriver driver = Driver.deterministic(1);
    on(driver);
    open("setTimeout(() => navigator.locks.request('a', () => console.log('done')), 1000)");
    CompletableFuture<Void> rest = rest();
    assertNoRest(rest);
    driver.runUntilIdle(100_000);
    assertTrue(rest.isDone());
    assertEquals(List.of("done"), log);
  }

  @Test
  void inline_lock_steps_do_not_prevent_quiescence() {
    DeterministicDriver driver = Driver.deterministic(1);
    on(driver, Set.of(Variant.CALLBACK_INSIDE_REQUEST));
    open(
        """
        navigator.locks.request('a', () => new Promise(() => {}));
        navigator.locks.request('a', {ifAvailable: true}, lock => { console.log(lock); });
        """);
    CompletableFuture<Void> rest = rest();
    driver.runUntilIdle(100_000);
    assertTrue(rest.isDone());
    assertEquals(List.of("null"), log);
  }

  @Test
  void caller_driven_user_agent_is_quiescent_without_work_and_timers() throws Exception {
    CallerDrivenDriver driver = Driver.callerDriven(() -> {});
    on(driver);
    Window window = open("const timer = setTimeout(() => {}, 1e8);");
    CompletableFuture<Void> rest = rest();
    while (driver.runOne()) {
      assertNoRest(rest);
    }
    assertNoRest(rest); // the timer
    window.evaluate("clearTimeout(timer)");
    while (driver.runOne()) {
      // each call is one turn
    }
    assertTrue(rest.isDone());
  }

  @Test
  void running_interval_timer_prevents_quiescence() throws Exception {
    on(Driver.threadPool(2));
    open("let n = 0; setInterval(() => console.log(++n), 1)");
    CompletableFuture<Void> rest = rest();
    awaitLog("20");
    assertNoRest(rest);
  }

  @Test
  void user_agent_closed_while_busy_becomes_quiescent() throws Exception {
    on(Driver.threadPool(2));
    open("console.log('go'); for (;;) {}");
    CompletableFuture<Void> rest = rest();
    awaitLog("go");
    assertNoRest(rest);
    userAgent.close();
    try {
      rest.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException never) {
      throw new AssertionError("still going on after the end", never);
    }
  }
}
