package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of a user agent: what script and the embedder see when one is reached. */
class LimitsTest {

  private final List<String> errors = new ArrayList<>();

  /** Runs a script in a window, and returns what it logs. */
  private List<String> run(UnaryOperator<Limits.Builder> limits, String script) {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(limits.apply(Limits.newBuilder()).build())
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        request.url().endsWith(".js")
                            ? ResourceResponse.of(request.url(), "text/javascript", "")
                            : ResourceResponse.of(
                                request.url(), "text/html", "<script>" + script + "</script>")))
                .consoleListener(message -> log.add(message.text()))
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      userAgent.open("https://one.test/");
      driver.runUntilIdle(10_000);
    }
    return log;
  }

  @Test
  void worker_beyond_the_limit_of_its_owner_is_refused_until_one_ends() {
    List<String> log =
        run(
            limits -> limits.workersPerAgent(2),
            """
            const workers = [new Worker('a.js'), new Worker('a.js')];
            try { new Worker('a.js'); } catch (e) { console.log(e.name + ': ' + e.message); }
            workers[0].terminate();
            setTimeout(() => { new Worker('a.js'); console.log('made'); }, 10);
            """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to construct 'Worker': There are 2 workers, which is the"
                + " limit.",
            "made"),
        log);
    assertEquals(List.of(), errors);
  }

  @Test
  void worker_beyond_the_limit_of_agents_is_refused() {
    List<String> log =
        run(
            limits -> limits.agents(2),
            """
            new Worker('a.js');
            for (const make of [() => new Worker('a.js'), () => new SharedWorker('a.js')])
              try { make(); } catch (e) { console.log(e.name + ': ' + e.message); }
            """);
    String refusal =
        "QuotaExceededError: there are 2 agents (windows, workers, installations), which is the"
            + " limit; close some, or raise Limits.agents";
    assertEquals(List.of(refusal, refusal), log);
    assertEquals(List.of(), errors);
  }

  @Test
  void window_beyond_the_limit_of_agents_is_refused_until_one_closes() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(Limits.newBuilder().agents(1).build())
                .build()) {
      Window window = userAgent.open("about:blank");
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> userAgent.open("about:blank"));
      assertTrue(refused.getMessage().contains("Limits.agents"), refused.getMessage());
      window.close();
      driver.runUntilIdle(1_000);
      userAgent.open("about:blank");
    }
  }

  @Test
  void timer_beyond_the_limit_is_refused_until_one_has_fired() {
    List<String> log =
        run(
            limits -> limits.timersPerGlobal(2),
            """
            setTimeout(() => {});
            setTimeout(() => setTimeout(() => console.log('fired')));
            try { setInterval(() => {}); } catch (e) { console.log(e.name + ': ' + e.message); }
            """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to start a timer: 2 timers are pending, which is the"
                + " limit.",
            "fired"),
        log);
  }

  @Test
  void lock_request_beyond_the_limit_is_rejected_until_one_ends() {
    List<String> log =
        run(
            limits -> limits.lockRequestsPerClient(2),
            """
            navigator.locks.request('a', () =>
                navigator.locks.request('b', () => {})
                    .catch(e => console.log(e.name + ': ' + e.message)));
            navigator.locks.request('a', () => console.log('granted'))
                .then(() => navigator.locks.request('a', () => console.log('granted again')));
            """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to execute 'request' on 'LockManager': There are 2 locks"
                + " and requests, which is the limit.",
            "granted",
            "granted again"),
        log);
  }

  @Test
  void lock_name_beyond_the_limit_is_rejected() {
    List<String> log =
        run(
            limits -> limits.lockNameLength(3),
            """
            navigator.locks.request('abc', () => console.log('granted'));
            navigator.locks.request('abcd', () => {})
                .catch(e => console.log(e.name + ': ' + e.message));
            """);
    assertTrue(log.contains("granted"), log::toString);
    assertTrue(
        log.contains(
            "QuotaExceededError: Failed to execute 'request' on 'LockManager': The name is longer"
                + " than 3 code units."),
        log::toString);
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT-1S", "P36501D"})
  void durations_out_of_range_are_refused_with_their_value(Duration wrong) {
    Limits.Builder builder = Limits.newBuilder();
    for (Exception refused :
        List.of(
            assertThrows(IllegalArgumentException.class, () -> builder.endLimit(wrong)),
            assertThrows(IllegalArgumentException.class, () -> builder.turnLimit(wrong)))) {
      assertTrue(refused.getMessage().contains(wrong.toString()), refused.getMessage());
    }
  }

  @Test
  void negative_counts_are_refused_with_their_value() {
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> Limits.newBuilder().agents(-1));
    assertEquals("agents is -1; use at least 0", refused.getMessage());
  }
}
