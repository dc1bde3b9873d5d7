package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallerDrivenTest {

  private final AtomicInteger announcements = new AtomicInteger();
  private final List<String> log = new ArrayList<>();
  private final CallerDrivenDriver driver = Driver.callerDriven(announcements::incrementAndGet);
  private String script = "";
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .resourceLoader(request ->
              CompletableFuture.completedFuture(
                  ResourceResponse.of(
                      request.url(), "text/html", "<script>" + script + "</script>")))
          .consoleListener(message -> log.add(message.text()))
          .errorListener(error -> log.add(error.message()))
          .build();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private void runUntilIdle() {
    while (driver.runOne()) {
      // each call is one turn
    }
  }

  @Test
  void work_is_announced_and_waits_until_the_caller_runs_it() {
    script = "navigator.locks.request('a', () => console.log('granted'));";
    userAgent.open("https://one.test/");
    assertEquals(List.of(), log);
    assertTrue(announcements.get() > 0);
    runUntilIdle();
    assertEquals(List.of("granted"), log);
    assertFalse(driver.runOne());
  }

  @Test
  void synchronous_request_waits_on_the_thread_of_the_caller() {
    script =
        "if (location.search) console.log('other'); else { const xhr = new XMLHttpRequest();"
            + "xhr.open('GET', '/x?1', false); xhr.send(); console.log(xhr.status + ' ' + typeof xhr.response) }";
    userAgent.open("https://one.test/");
    runUntilIdle();
    assertEquals(List.of("200 string"), log);
  }

  @Test
  void next_timer_returns_how_long_the_caller_may_sleep() {
    assertTrue(driver.untilNextTimer().isEmpty());
    script = "setTimeout(() => {}, 3600000);";
    userAgent.open("https://one.test/");
    runUntilIdle();
    Duration rest = driver.untilNextTimer().orElseThrow();
    assertTrue(rest.compareTo(Duration.ofHours(1)) <= 0, rest::toString);
    assertTrue(rest.compareTo(Duration.ofMinutes(1)) > 0, rest::toString);
  }

  @Test
  void lock_of_a_closed_window_is_released_when_the_driver_runs() {
    script =
        "navigator.locks.request('a', () => { console.log('held'); return new Promise(() => {}) });";
    Window first = userAgent.open("https://one.test/");
    runUntilIdle();
    userAgent.open("https://one.test/");
    runUntilIdle();
    assertEquals(List.of("held"), log);
    first.close();
    runUntilIdle();
    assertEquals(List.of("held", "held"), log);
  }
}
