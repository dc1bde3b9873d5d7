package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lock entries of a user agent. */
class LockEntriesTest {

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<String> log = new ArrayList<>();
  private UserAgent userAgent = userAgent(true);

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private final Map<String, String> scripts = new java.util.HashMap<>();

  private UserAgent userAgent(boolean positions) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .lockPositions(positions)
        .consoleListener(message -> log.add(message.text()))
        .errorListener(error -> log.add(error.message()))
        .resourceLoader(request -> {
          String url = request.url();
          return CompletableFuture.completedFuture(
              url.endsWith(".js")
                  ? ResourceResponse.of(url, "text/javascript", scripts.get(url))
                  : ResourceResponse.of(
                      url, "text/html", "<script src='" + url + ".js'></script>"));
        })
        .build();
  }

  private Window open(String url, String script) {
    scripts.put(url + ".js", script);
    Window window = userAgent.open(url);
    driver.runUntilIdle(100_000);
    return window;
  }

  @Test
  void user_agent_without_locks_has_no_entries() {
    assertEquals(List.of(), userAgent.locks());
  }

  @Test
  void entries_are_in_queue_order_with_place_source_position_and_agent() {
    Window one =
        open(
            "https://one.test/1",
            "navigator.locks.request('a', {mode: 'shared'}, () => new Promise(() => {}));\n"
                + "function ask() {\n  navigator.locks.request('a', () => {});\n}\n"
                + "setTimeout(ask, 2000);");
    Window two = open("https://one.test/2", "navigator.locks.request('a', () => {});");

    List<LockEntry> locks = userAgent.locks();

    assertEquals(3, locks.size());
    assertTrue(locks.get(0).isHeld());
    assertEquals(List.of(0, 1, 2), locks.stream().map(LockEntry::place).toList());
    assertEquals(
        List.of(one.name(), one.name(), two.name()), locks.stream().map(LockEntry::agent).toList());
    assertEquals(
        List.of(
            "https://one.test/1.js:1:1", "https://one.test/1.js:3:3", "https://one.test/2.js:1:1"),
        locks.stream().map(LockEntry::position).toList());
    assertEquals(LockMode.SHARED, locks.get(0).mode());
    assertEquals(LockMode.EXCLUSIVE, locks.get(1).mode());
    assertEquals(locks.get(0).clientId(), locks.get(1).clientId());
    assertNotEquals(locks.get(0).clientId(), locks.get(2).clientId());
    for (LockEntry entry : locks) {
      assertEquals("https://one.test", entry.origin());
      assertEquals("default", entry.bucket());
      assertEquals("a", entry.name());
    }
    assertEquals("https://one.test/2", locks.get(2).url());
    assertEquals(List.of(), log);
  }

  @Test
  void age_of_an_entry_is_driver_time_since_its_grant_or_request() {
    open(
        "https://one.test/1",
        "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 3000)));"
            + "navigator.locks.request('a', () => new Promise(() => {}));"
            + "navigator.locks.request('a', () => {});"
            + "setTimeout(() => {}, 10000);");

    List<LockEntry> locks = userAgent.locks();

    assertClose(7, locks.get(0).age()); // granted after three seconds
    assertClose(10, locks.get(1).age());
  }

  private static void assertClose(long seconds, Duration time) {
    assertEquals(seconds, Math.round(time.toMillis() / 1000.0), time::toString);
  }

  @Test
  void source_positions_are_recorded_only_when_the_builder_enables_them() {
    userAgent.close();
    userAgent = userAgent(false);
    open("https://one.test/1", "navigator.locks.request('a', () => new Promise(() => {}));");

    assertNull(userAgent.locks().getFirst().position());
  }

  @Test
  void callback_from_elsewhere_shows_its_own_position() {
    open(
        "https://one.test/1",
        "const named = () => new Promise(() => {});\n"
            + "navigator.locks.request('a', named);\n"
            + "navigator.locks.request('b', named);\n"
            + "for (const n of 'cd') { navigator.locks.request(n, () => new Promise(() => {})); }\n"
            + "navigator.locks.request('e', named.bind());\n"
            + "eval(`navigator.locks.request('f', () => new Promise(() => {}))`);\n"
            + "navigator.locks.request('g', new Proxy(named, {}));");

    assertEquals(
        List.of("a 1:15", "b 1:15", "c 4:25", "d 4:25", "e 1:15", "f 1:1", "g 7:1"),
        userAgent.locks().stream()
            .map(lock -> lock.name() + " " + lock.position().replaceAll(".*?(\\d+:\\d+)$", "$1"))
            .toList());
    assertEquals(List.of(), log);
  }

  @Test
  void each_origin_and_bucket_has_its_own_manager() {
    open("https://one.test/1", "navigator.locks.request('a', () => new Promise(() => {}));");
    open(
        "https://two.test/1",
        "navigator.storageBuckets.open('b').then("
            + "b => b.locks.request('a', () => new Promise(() => {})));");

    List<LockEntry> locks = userAgent.locks();

    assertEquals(
        List.of("https://one.test default", "https://two.test b"),
        locks.stream().map(entry -> entry.origin() + " " + entry.bucket()).sorted().toList());
    assertNotEquals(locks.get(0).manager(), locks.get(1).manager());
    assertEquals(List.of(), log);
  }

  @Test
  void released_aborted_and_ended_locks_have_no_entries() {
    open(
        "https://one.test/1",
        "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 10)));"
            + "const c = new AbortController();"
            + "navigator.locks.request('a', {signal: c.signal}, () => {}).catch(() => {});"
            + "c.abort();");
    assertEquals(List.of(), userAgent.locks());
    Window two =
        open("https://one.test/2", "navigator.locks.request('a', () => new Promise(() => {}))");
    assertEquals(1, userAgent.locks().size());
    two.close();
    driver.runUntilIdle(10_000);
    assertEquals(List.of(), userAgent.locks());
  }

  @Test
  void lock_of_a_worker_names_the_agent_and_script_of_the_worker() {
    scripts.put(
        "https://one.test/w.js", "navigator.locks.request('a', () => new Promise(() => {}));");
    open("https://one.test/1", "new Worker('/w.js')");

    LockEntry lock = userAgent.locks().getFirst();

    assertEquals("https://one.test/w.js", lock.url());
    assertTrue(lock.agent().startsWith("worker-"), lock::agent);
  }
}
