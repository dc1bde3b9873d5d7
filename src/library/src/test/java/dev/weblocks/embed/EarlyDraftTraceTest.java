package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.FrozenLocks;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The locks of the early draft in steps of a trace. */
class EarlyDraftTraceTest {

  private static final Set<Variant> EARLY_DRAFT = Set.of(Variant.EARLY_DRAFT);

  private final Map<Long, TraceEvent> byId = new HashMap<>();

  /** Runs windows with these scripts; returns the steps. */
  private List<TraceEvent> stepsOf(String... scripts) {
    try (Scenario scenario = new Scenario(1, EARLY_DRAFT)) {
      for (String script : scripts) {
        scenario.window(script);
      }
      return stepsOf(scenario);
    }
  }

  private List<TraceEvent> stepsOf(Scenario scenario) {
    scenario.run();
    List<TraceEvent> steps = scenario.steps();
    steps.forEach(step -> byId.put(step.id(), step));
    return steps;
  }

  private TraceEvent causeOf(TraceEvent step) {
    TraceEvent cause = byId.get(step.cause());
    assertNotNull(cause, () -> "no cause of " + step);
    return cause;
  }

  private static List<TraceEvent> with(List<TraceEvent> steps, LockAction action) {
    return steps.stream()
        .filter(step -> step.lock() != null && step.lock().action() == action)
        .toList();
  }

  /** Returns the only step of an action on these names. */
  private static TraceEvent on(List<TraceEvent> steps, LockAction action, String... names) {
    List<TraceEvent> found =
        with(steps, action).stream()
            .filter(step -> step.lock().names().equals(List.of(names)))
            .toList();
    assertEquals(1, found.size(), () -> action + " of " + List.of(names) + " in " + steps);
    return found.getFirst();
  }

  private static List<String> tasksAfter(List<TraceEvent> steps, TraceEvent cause) {
    return steps.stream()
        .filter(step -> step.kind() == TraceKind.TASK && step.cause() == cause.id())
        .map(TraceEvent::detail)
        .toList();
  }

  @Test
  void lock_steps_have_request_names_mode_client_agent_and_draft_step() {
    List<TraceEvent> steps =
        stepsOf(
            "navigator.locks.acquire(['s', 'a', 's'], {mode: 'shared'}, lock => lock.mode)",
            "navigator.locks.queryState()");
    List<String> told = new ArrayList<>();
    for (TraceEvent step : steps) {
      TraceEvent.Lock lock = step.lock();
      assertEquals(lock == null, step.spec() == null, step::toString);
      if (lock != null && lock.requestId() != 0) {
        assertEquals(List.of("s", "a"), lock.names());
        assertNull(lock.name(), "there are several");
        assertEquals(LockMode.SHARED, lock.mode());
        assertEquals(WaitMode.WAIT, lock.waitMode());
        assertEquals("window-1", lock.agent());
        assertEquals("https://one.test/window-0.html", lock.url());
        assertEquals("https://one.test", lock.origin());
        assertNotNull(lock.manager());
        assertNotNull(lock.clientId());
        told.add(step.kind() + " " + lock.action() + " " + step.spec());
      }
    }
    assertEquals(
        List.of(
            "LOCK_STEP ASKED early draft request a lock, step 4",
            "LOCK_CHANGE QUEUED early draft request a lock, step 6",
            "LOCK_EFFECT GRANTED early draft request a lock, step 8.7",
            "LOCK_STEP GIVEN_BACK early draft waiting promise settles, step 1",
            "LOCK_CHANGE RELEASED early draft waiting promise settles, step 1"),
        told);
    TraceEvent proceeded = with(steps, LockAction.PROCEEDED).getFirst();
    assertEquals("8.1", proceeded.spec().step());
    assertEquals(LockAction.ASKED, causeOf(proceeded).lock().action());
    TraceEvent answer = with(steps, LockAction.ANSWERED).getFirst();
    assertEquals("early draft queryState(), step 4.8", answer.spec().toString());
    assertEquals(LockAction.QUERIED, causeOf(answer).lock().action());
    assertEquals("4", causeOf(answer).spec().step());
    assertEquals(List.of(), answer.lock().names());
  }

  @Test
  void trace_event_of_a_request_for_one_name_has_that_name() {
    List<TraceEvent> steps = stepsOf("navigator.locks.acquire(['a'], () => {})");
    assertEquals("a", on(steps, LockAction.GRANTED, "a").lock().name());
  }

  @Test
  void grant_is_caused_by_its_requests_arrival_or_the_last_unblocking_release() {
    List<TraceEvent> steps =
        stepsOf(
            """
            const hold = (name, millis) =>
                navigator.locks.acquire(name, () => new Promise(r => setTimeout(r, millis)));
            hold('a', 5);
            hold('b', 9);
            navigator.locks.acquire(['a', 'b'], () => {});
            """);
    TraceEvent queued = causeOf(on(steps, LockAction.GRANTED, "a"));
    assertEquals(LockAction.QUEUED, queued.lock().action());
    assertEquals(List.of("a"), queued.lock().names());
    TraceEvent asked = causeOf(queued);
    assertEquals(LockAction.ASKED, asked.lock().action());
    assertEquals(TraceKind.TASK, causeOf(asked).kind());
    assertEquals("window-1", causeOf(asked).actor());

    TraceEvent granted = on(steps, LockAction.GRANTED, "a", "b");
    TraceEvent released = causeOf(granted);
    assertEquals(on(steps, LockAction.RELEASED, "b"), released);
    TraceEvent givenBack = causeOf(released);
    assertEquals(LockAction.GIVEN_BACK, givenBack.lock().action());
    assertEquals("timer: setTimeout()", causeOf(givenBack).detail());
    assertEquals(List.of("web locks: grant"), tasksAfter(steps, granted));
  }

  @Test
  void abort_is_traced_and_causes_the_grants_that_it_unblocks() {
    List<TraceEvent> steps =
        stepsOf(
            """
            navigator.locks.acquire('a', () => new Promise(r => setTimeout(r, 50)));
            const controller = new AbortController();
            navigator.locks.acquire(['a', 'b'], {signal: controller.signal}, () => {})
                .catch(() => {});
            navigator.locks.acquire('b', () => {});
            setTimeout(() => controller.abort(), 5);
            """);
    TraceEvent aborted = on(steps, LockAction.ABORTED, "a", "b");
    assertEquals("7.3", aborted.spec().step());
    TraceEvent withdrawn = causeOf(aborted);
    assertEquals(LockAction.WITHDRAWN, withdrawn.lock().action());
    assertEquals("7.1", withdrawn.spec().step());
    assertEquals("timer: setTimeout()", causeOf(withdrawn).detail());
    TraceEvent rejected = on(steps, LockAction.REJECTED, "a", "b");
    assertEquals("7.4", rejected.spec().step());
    assertEquals(withdrawn, causeOf(rejected));
    assertEquals(List.of("web locks: abort"), tasksAfter(steps, rejected));
    assertEquals(aborted, causeOf(on(steps, LockAction.GRANTED, "b")));
  }

  @Test
  void request_with_an_aborted_signal_enters_and_leaves_its_queue() {
    List<TraceEvent> steps =
        stepsOf(
            """
            const signal = AbortSignal.abort();
            navigator.locks.acquire('a', {signal}, () => {}).catch(() => {});
            """);
    TraceEvent asked = on(steps, LockAction.ASKED, "a");
    assertEquals(asked, causeOf(on(steps, LockAction.QUEUED, "a")));
    assertEquals(asked, causeOf(on(steps, LockAction.ABORTED, "a")));
    assertEquals(
        List.of("web locks: abort"), tasksAfter(steps, on(steps, LockAction.REJECTED, "a")));
    assertEquals(List.of(), with(steps, LockAction.GRANTED));
  }

  @Test
  void forced_release_causes_losses_and_the_losses_cause_the_unblocked_grants() {
    List<TraceEvent> steps =
        stepsOf(
            """
            navigator.locks.acquire(['a', 'b'], () => new Promise(() => {})).catch(() => {});
            navigator.locks.acquire('b', () => {});
            """,
            "setTimeout(() => navigator.locks.forceRelease(['b', 'x']), 20)");
    TraceEvent forced = on(steps, LockAction.FORCED, "b", "x");
    assertEquals(0, forced.lock().requestId());
    assertNull(forced.lock().mode());
    assertEquals("window-2", forced.lock().agent(), "which has never asked for a lock");
    assertEquals("early draft forceRelease(), step 5", forced.spec().toString());
    assertEquals("timer: setTimeout()", causeOf(forced).detail());

    TraceEvent lost = on(steps, LockAction.FORCE_RELEASED, "a", "b");
    assertEquals(TraceKind.LOCK_EFFECT, lost.kind());
    assertEquals("window-1", lost.lock().agent());
    assertEquals("5.1", lost.spec().step());
    assertEquals(forced, causeOf(lost));
    assertEquals(List.of("web locks: forced release"), tasksAfter(steps, lost));
    assertEquals(lost, causeOf(on(steps, LockAction.GRANTED, "b")));
    assertEquals(forced, causeOf(with(steps, LockAction.ANSWERED).getFirst()));
  }

  @Test
  void if_available_request_that_is_not_granted_is_not_queued() {
    List<TraceEvent> steps =
        stepsOf(
            """
            navigator.locks.acquire('a', () => {
              navigator.locks.acquire(['a', 'b'], {ifAvailable: true}, () => {});
            });
            """);
    TraceEvent missed = on(steps, LockAction.MISSED, "a", "b");
    assertEquals("5.1", missed.spec().step());
    assertEquals(LockAction.ASKED, causeOf(missed).lock().action());
    assertEquals(WaitMode.IF_AVAILABLE, missed.lock().waitMode());
    assertEquals(1, with(steps, LockAction.QUEUED).size());
  }

  @Test
  void end_of_an_agent_causes_releases_and_aborts_of_its_locks() {
    try (Scenario scenario = new Scenario(1, EARLY_DRAFT)) {
      scenario.resource(
          "/worker.js",
          """
          navigator.locks.acquire(['a', 'b'], () => {
            postMessage(0);
            return new Promise(() => {});
          });
          navigator.locks.acquire('a', () => {});
          """);
      scenario.window(
          """
          const worker = new Worker('/worker.js');
          worker.onmessage = () => {
            navigator.locks.acquire('b', () => {});
            setTimeout(() => worker.terminate(), 10);
          };
          """);
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent released = on(steps, LockAction.RELEASED, "a", "b");
      assertTrue(released.lock().clientEnded());
      assertNull(released.spec(), "the draft has it to do");
      TraceEvent clientEnded = causeOf(released);
      assertEquals(LockAction.CLIENT_ENDED, clientEnded.lock().action());
      assertEquals("9.1", clientEnded.spec().step());
      TraceEvent ended = causeOf(clientEnded);
      assertEquals("worker-2 has ended", ended.actor() + " " + ended.detail());
      TraceEvent aborted = on(steps, LockAction.ABORTED, "a");
      assertTrue(aborted.lock().clientEnded());
      assertEquals("9.3", aborted.spec().step());
      assertEquals(released, causeOf(on(steps, LockAction.GRANTED, "b")));
    }
  }

  @Test
  void release_by_a_frozen_agent_has_no_draft_step() {
    try (Scenario scenario = new Scenario(1, EARLY_DRAFT)) {
      scenario
          .window(
              """
              navigator.locks.acquire(['a', 'b'], () => new Promise(() => {})).catch(() => {});
              """)
          .run();
      scenario.window("navigator.locks.acquire('b', () => {})").run();
      scenario.at(0).freeze(FrozenLocks.RELEASE);
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent released = on(steps, LockAction.RELEASED, "a", "b");
      assertNull(released.spec());
      assertFalse(released.lock().clientEnded());
      TraceEvent givenBack = causeOf(released);
      assertEquals(LockAction.GIVEN_BACK, givenBack.lock().action());
      assertNull(givenBack.spec());
      assertEquals(released, causeOf(on(steps, LockAction.GRANTED, "b")));
    }
  }

  @Test
  void on_a_pool_lock_steps_end_once_and_come_after_their_cause() throws Exception {
    ConcurrentLinkedQueue<TraceEvent> steps = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Long> ends = new ConcurrentLinkedQueue<>();
    String page = "https://one.test/";
    String script =
        "<script>let n = 0; (function again() { if (n++ < 50)"
            + " navigator.locks.acquire(['a', 'b'], again) })()</script>";
    try (Driver driver = Driver.threadPool(4);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .variants(EARLY_DRAFT)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(page, "text/html", script)))
                .traceListener(
                    new TraceListener() {
                      @Override
                      public void on(TraceEvent event) {
                        steps.add(event);
                      }

                      @Override
                      public void ended(long id, Duration time) {
                        ends.add(id);
                      }
                    })
                .build()) {
      for (int i = 0; i < 4; i++) {
        userAgent.open(page);
      }
      Pool.await(userAgent.quiescent());
      Set<Long> seen = new HashSet<>();
      for (TraceEvent step : steps) {
        assertTrue(step.cause() == 0 || seen.contains(step.cause()), step::toString);
        assertTrue(seen.add(step.id()), step::toString);
      }
      assertEquals(4 * 50, with(List.copyOf(steps), LockAction.GRANTED).size());
      List<Long> over = List.copyOf(ends);
      for (TraceEvent step : steps) {
        if (step.kind() == TraceKind.LOCK_STEP) {
          assertEquals(1, over.stream().filter(id -> id == step.id()).count(), step::toString);
        }
      }
    }
  }
}
