package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PrivateSessionTest {

  private static final String HOLDER =
      """
      navigator.locks.request('name', {ifAvailable: true}, lock => {
        console.log(lock ? 'granted' : 'missed');
        return new Promise(() => {});
      })
      """;

  private final List<String> log = new ArrayList<>();
  private final DeterministicDriver driver = Driver.deterministic(1);
  private final UserAgent.Builder builder =
      UserAgent.newBuilder()
          .environment(SharedEnvironment.ENVIRONMENT)
          .driver(driver)
          .random(new SplittableRandom(1))
          .consoleListener(message -> log.add(message.text()))
          .resourceLoader(request ->
              CompletableFuture.completedFuture(
                  ResourceResponse.of(
                      request.url(), "text/html", "<script>" + HOLDER + "</script>")));

  @Test
  void session_has_the_configuration_of_its_user_agent_but_separate_locks() {
    try (UserAgent userAgent = builder.build()) {
      UserAgent first = userAgent.openPrivateSession();
      UserAgent second = userAgent.openPrivateSession();
      userAgent.open("https://one.test/");
      first.open("https://one.test/");
      second.open("https://one.test/");
      driver.runUntilIdle(1_000_000);
      assertEquals(List.of("granted", "granted", "granted"), log);

      first.open("https://one.test/");
      driver.runUntilIdle(1_000_000);
      assertEquals("missed", log.getLast());
    }
  }

  @Test
  void session_can_be_closed_alone_and_ends_with_its_user_agent() {
    UserAgent userAgent = builder.build();
    UserAgent first = userAgent.openPrivateSession();
    UserAgent second = userAgent.openPrivateSession();
    first.close();
    Window survivor = second.open("https://one.test/");
    driver.runUntilIdle(1_000_000);
    assertEquals(List.of("granted"), log);

    userAgent.close();
    assertTrue(survivor.ended().isDone());
    assertThrows(IllegalStateException.class, () -> second.open("https://one.test/"));
    assertThrows(IllegalStateException.class, userAgent::openPrivateSession);
  }

  @Test
  void session_ignores_later_changes_of_the_builder() {
    try (UserAgent userAgent = builder.build()) {
      builder.consoleListener(message -> log.add("wrong listener"));
      userAgent.openPrivateSession().open("https://one.test/");
      driver.runUntilIdle(1_000_000);
    }
    assertEquals(List.of("granted"), log);
  }
}
