package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limit;
import dev.weblocks.model.LimitEvent;
import dev.weblocks.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of a user agent: what script and the embedder see when one is reached. */
class LimitsTest {

  private final List<String> errors = new ArrayList<>();
  private final List<LimitEvent> events = new ArrayList<>();
  private Metrics metrics;

  /** Runs a script in a window, and returns what it logs. */
  private List<String> run(UnaryOperator<Limits.Builder> limits, String script) {
    try (LimitsBed bed = new LimitsBed(limits)) {
      Window unused = bed.open("https://one.test/", script);
      errors.addAll(bed.errorMessages());
      events.addAll(bed.events);
      metrics = bed.userAgent.metrics();
      return bed.log;
    }
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
    assertEquals(
        List.of(
            new LimitEvent(
                Limit.WORKERS_PER_AGENT,
                "Failed to construct 'Worker': There are 2 workers, which is the limit.",
                "window-1")),
        events);
    assertEquals(Map.of(Limit.WORKERS_PER_AGENT, 1L), metrics.limitsReached());
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
    assertEquals(1, events.size(), "the first time only");
    assertEquals("window-1", events.getFirst().agent());
    assertEquals(Map.of(Limit.AGENTS, 2L), metrics.limitsReached());
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
      assertEquals(Map.of(Limit.AGENTS, 1L), userAgent.metrics().limitsReached());
      window.close();
      driver.runUntilIdle(1_000);
      userAgent.open("about:blank");
    }
  }

  @Test
  void agents_of_one_origin_leave_room_for_other_origins() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.agents(7).agentsPerOrigin(2))) {
      String makeAll =
          """
          const workers = [];
          for (let i = 0; i < 10; i++) {
            try {
              workers.push(new Worker('/a.js'));
            } catch (e) {
              console.log(i, e.name + ': ' + e.message);
              break;
            }
          }
          """;
      Window evil = bed.open("https://evil.test/", makeAll);
      String refusal =
          "QuotaExceededError: script of one origin has made 2 agents (windows, workers), which is"
              + " the limit; close some, or raise Limits.agentsPerOrigin";
      assertEquals(List.of("2 " + refusal), bed.takeLog());
      bed.open("https://bank.test/", makeAll);
      assertEquals(List.of("2 " + refusal), bed.takeLog());
      assertEquals(Map.of(Limit.AGENTS_PER_ORIGIN, 2L), bed.userAgent.metrics().limitsReached());
      bed.evaluate(evil, "workers.pop().terminate()");
      bed.evaluate(evil, "new Worker('/a.js'); console.log('made')");
      assertEquals(List.of("made"), bed.takeLog());
    }
  }

  @Test
  void redirected_window_of_the_embedder_needs_no_room_of_an_origin() throws Exception {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(Limits.newBuilder().agentsPerOrigin(1).build())
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        request.url().equals("https://one.test/moved")
                            ? new ResourceResponse(
                                request.url(),
                                302,
                                "Found",
                                List.of(Map.entry("Location", "https://two.test/")),
                                new byte[0])
                            : ResourceResponse.of(request.url(), "text/html", "")))
                .build()) {
      Window window = userAgent.open("https://one.test/");
      driver.runUntilIdle(1_000);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate("open('https://one.test/', '', 'noopener')");
      driver.runUntilIdle(1_000);
      CompletableFuture<Void> loaded = userAgent.open("https://one.test/moved").loaded();
      driver.runUntilIdle(1_000);
      assertTrue(loaded.isDone());
      loaded.get();
      assertEquals(Map.of(), userAgent.metrics().limitsReached());
    }
  }

  @Test
  void other_origins_that_script_leads_to_count_for_its_origin() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.agentsPerOrigin(3))) {
      bed.script("https://popup.test/", "new Worker('/a.js')");
      bed.script(
          "https://frame.test/", "try { new Worker('/a.js') } catch (e) { console.log(e.name) }");
      Window evil = bed.open("https://evil.test/", "open('https://popup.test/', '', 'noopener')");
      assertEquals(3, bed.userAgent.metrics().agents());
      bed.evaluate(
          evil,
          """
          const frame = document.createElement('iframe');
          frame.src = 'https://frame.test/';
          document.body.append(frame);
          """);
      assertEquals(List.of("QuotaExceededError"), bed.takeLog());
      bed.open("https://frame.test/", "new Worker('/a.js'); console.log('made')");
      assertEquals(List.of("made"), bed.takeLog());
      evil.close();
      bed.run();
      assertEquals(4, bed.userAgent.metrics().agents());
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
  void metrics_count_frames_and_timers_in_use() {
    try (LimitsBed bed = new LimitsBed(limits -> limits)) {
      bed.script(
          "https://one.test/",
          """
          document.body.append(document.createElement('iframe'));
          document.body.append(document.createElement('iframe'));
          const id = setTimeout(() => {}, 1e6);
          setTimeout(() => {}, 1e6);
          addEventListener('x', () => { clearTimeout(id); frames[0].frameElement.remove(); });
          """);
      Window window = bed.userAgent.open("https://one.test/");
      bed.runUntil(Duration.ofSeconds(1));
      assertEquals(2, bed.userAgent.metrics().frames());
      assertEquals(2, bed.userAgent.metrics().timers());
      CompletableFuture<EvaluatedValue> unused = window.evaluate("dispatchEvent(new Event('x'))");
      bed.runUntil(Duration.ofSeconds(2));
      assertEquals(1, bed.userAgent.metrics().frames());
      assertEquals(1, bed.userAgent.metrics().timers());
      window.close();
      bed.run();
      assertEquals(0, bed.userAgent.metrics().frames());
      assertEquals(0, bed.userAgent.metrics().timers());
    }
  }

  @Test
  void listener_that_throws_does_not_change_what_script_sees() {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .limits(Limits.newBuilder().timersPerGlobal(0).build())
                .consoleListener(message -> log.add(message.text()))
                .limitListener(event -> {
                  throw new IllegalStateException("listener");
                })
                .build()) {
      Window window = userAgent.open("about:blank");
      driver.runUntilIdle(1_000);
      CompletableFuture<EvaluatedValue> unused =
          window.evaluate("try { setTimeout(() => {}) } catch (e) { console.log(e.name) }");
      driver.runUntilIdle(1_000);
    }
    assertEquals(List.of("QuotaExceededError"), log);
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

  @Test
  void limits_of_zero_that_nothing_could_satisfy_are_refused() {
    assertEquals(
        "connectionsPerHost is 0; use at least 1",
        assertThrows(
                IllegalArgumentException.class, () -> Limits.newBuilder().connectionsPerHost(0))
            .getMessage());
    assertEquals(
        "connectionsPerSite is 0; use at least 1",
        assertThrows(
                IllegalArgumentException.class, () -> Limits.newBuilder().connectionsPerSite(0))
            .getMessage());
    assertEquals(
        "statements is 0; use at least 1",
        assertThrows(IllegalArgumentException.class, () -> Limits.newBuilder().statements(0))
            .getMessage());
  }
}
