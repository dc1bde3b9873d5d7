package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.WaitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Causes, locks and draft steps in the steps of a trace. */
class TraceEventTest {

  private static final String HOLD_FOR_5_MS =
      "navigator.locks.request('a', () => new Promise(r => setTimeout(r, 5)));";

  private final Map<Long, TraceEvent> byId = new HashMap<>();

  private List<TraceEvent> stepsOf(Scenario scenario) {
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

  private static TraceEvent of(List<TraceEvent> steps, LockAction action, String agent) {
    return with(steps, action).stream()
        .filter(step -> agent.equals(step.lock().agent()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + action + " of " + agent + " in " + steps));
  }

  @Test
  void ids_increase_and_causes_precede_their_effects() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(HOLD_FOR_5_MS).window(HOLD_FOR_5_MS).run();
      List<TraceEvent> steps = stepsOf(scenario);
      assertTrue(steps.size() > 30, steps::toString);
      long nanos = 0;
      for (int i = 0; i < steps.size(); i++) {
        TraceEvent step = steps.get(i);
        assertEquals(i + 1, step.id());
        assertTrue(step.cause() < step.id(), step::toString);
        assertTrue(step.time().toNanos() >= nanos, step::toString);
        nanos = step.time().toNanos();
      }
      assertTrue(nanos >= 10_000_000, "both locks are held for 5 ms of virtual time: " + nanos);
    }
  }

  @Test
  void grant_is_caused_by_a_release_and_the_release_by_its_task() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(HOLD_FOR_5_MS).window(HOLD_FOR_5_MS).run();
      List<TraceEvent> steps = stepsOf(scenario);
      List<TraceEvent> grants = with(steps, LockAction.GRANTED);
      assertEquals(2, grants.size());

      TraceEvent queued = causeOf(grants.getFirst());
      assertEquals(LockAction.QUEUED, queued.lock().action());
      assertEquals(grants.getFirst().lock().requestId(), queued.lock().requestId());
      TraceEvent asked = causeOf(queued);
      assertEquals(LockAction.ASKED, asked.lock().action());
      TraceEvent script = causeOf(asked);
      assertEquals(TraceKind.TASK, script.kind());
      assertEquals(grants.getFirst().lock().agent(), script.actor());

      TraceEvent released = causeOf(grants.getLast());
      assertEquals(LockAction.RELEASED, released.lock().action());
      assertEquals(grants.getFirst().lock().requestId(), released.lock().requestId());
      TraceEvent givenBack = causeOf(released);
      assertEquals(LockAction.GIVEN_BACK, givenBack.lock().action());
      TraceEvent timer = causeOf(givenBack);
      assertEquals("timer: setTimeout()", timer.detail());
      assertEquals(grants.getFirst().lock().agent(), timer.actor());

      TraceEvent callback =
          steps.stream()
              .filter(step -> step.cause() == grants.getLast().id())
              .findFirst()
              .orElseThrow();
      assertEquals("web locks: grant", callback.detail());
      assertEquals(grants.getLast().lock().agent(), callback.actor());
    }
  }

  @Test
  void lock_steps_have_request_name_mode_client_agent_and_draft_step() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window("navigator.locks.request('s', {mode: 'shared'}, l => l.name)")
          .window("navigator.locks.query()")
          .run();
      List<TraceEvent> steps = stepsOf(scenario);
      List<String> told = new ArrayList<>();
      for (TraceEvent step : steps) {
        TraceEvent.Lock lock = step.lock();
        assertEquals(lock == null, step.spec() == null, step::toString);
        if (lock != null && lock.requestId() != 0) {
          assertEquals("s", lock.name());
          assertEquals(LockMode.SHARED, lock.mode());
          assertEquals(WaitMode.WAIT, lock.waitMode());
          assertEquals("window-1", lock.agent());
          assertEquals("https://one.test/window-0.html", lock.url());
          assertEquals("https://one.test", lock.origin());
          assertEquals("default", lock.bucket());
          told.add(lock.action() + " " + step.spec());
        }
      }
      assertEquals(
          List.of(
              "ASKED 4.1 request a lock, step 3",
              "QUEUED 4.1 request a lock, step 3.5.2",
              "GRANTED 4.4 process the lock request queue, step 2.14",
              "GIVEN_BACK 2.4 waiting promise settles, step 1",
              "RELEASED 4.2 release the lock, step 6",
              "SETTLED 2.4 waiting promise settles, step 2"),
          told);
      TraceEvent answer = with(steps, LockAction.ANSWERED).getFirst();
      assertEquals(LockAction.QUERIED, causeOf(answer).lock().action());
      assertEquals(0, answer.lock().requestId());
      assertNotNull(answer.lock().clientId());
      assertNull(answer.lock().name());
    }
  }

  @Test
  void steal_is_caused_by_its_request_and_names_the_victim() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "navigator.locks.request('a', () => new Promise(() => {})).catch(() => {});"
              + "setTimeout(() => navigator.locks.request('a', {steal: true}, () => {}), 5)");
      scenario.run();
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent stolen = with(steps, LockAction.STOLEN).getFirst();
      TraceEvent thief = causeOf(stolen);
      assertEquals(LockAction.ASKED, thief.lock().action());
      assertEquals(WaitMode.STEAL, thief.lock().waitMode());
      assertNotEquals(thief.lock().requestId(), stolen.lock().requestId());
      TraceEvent queued = with(steps, LockAction.QUEUED).getLast();
      assertEquals("3.4.2", queued.spec().step());
      assertTrue(
          stolen.id() < queued.id(), "first the victims lose it, then the thief comes first");
      assertEquals(queued, causeOf(with(steps, LockAction.GRANTED).getLast()));
    }
  }

  @Test
  void abort_is_traced_and_causes_the_grants_that_it_unblocks() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          """
          const options = {mode: 'shared'};
          navigator.locks.request('a', options, () => new Promise(r => setTimeout(r, 50)));
          const controller = new AbortController();
          navigator.locks.request('a', {signal: controller.signal}, () => {}).catch(() => {});
          navigator.locks.request('a', options, () => {});
          setTimeout(() => controller.abort(), 5);
          """);
      scenario.run();
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent aborted = with(steps, LockAction.ABORTED).getFirst();
      assertEquals(TraceKind.LOCK_CHANGE, aborted.kind());
      assertEquals("abort the request", aborted.spec().algorithm());
      assertEquals(LockAction.WITHDRAWN, causeOf(aborted).lock().action());
      assertEquals("timer: setTimeout()", causeOf(causeOf(aborted)).detail());
      assertEquals(aborted, causeOf(with(steps, LockAction.GRANTED).getLast()));
    }
  }

  @Test
  void if_available_request_that_is_not_granted_is_not_queued() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "navigator.locks.request('a', () => navigator.locks.request('a', {ifAvailable: true},"
              + " lock => console.log(lock)))");
      assertEquals(List.of("null"), scenario.run());
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent missed = with(steps, LockAction.MISSED).getFirst();
      assertEquals(LockAction.ASKED, causeOf(missed).lock().action());
      assertEquals(
          1, with(steps, LockAction.QUEUED).size(), "only the request that was granted has waited");
    }
  }

  @Test
  void end_of_an_agent_has_a_cause_and_causes_its_releases() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource(
          "/worker.js",
          "navigator.locks.request('a', () => { postMessage(0); return new Promise(() => {}); });"
              + "navigator.locks.request('a', () => {});");
      scenario.window(
          "const worker = new Worker('/worker.js');"
              + "worker.onmessage = () => {"
              + "  navigator.locks.request('a', () => console.log('passed on'));"
              + "  setTimeout(() => worker.terminate(), 10); };");
      assertEquals(List.of("passed on"), scenario.run());
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent released = of(steps, LockAction.RELEASED, "worker-2");
      assertTrue(released.lock().clientEnded());
      TraceEvent ended = causeOf(causeOf(released));
      assertEquals("worker-2 has ended", ended.actor() + " " + ended.detail());
      assertEquals("timer: setTimeout()", causeOf(ended).detail());
      assertEquals("window-1", causeOf(ended).actor());
      assertTrue(of(steps, LockAction.ABORTED, "worker-2").lock().clientEnded());
      assertEquals(released, causeOf(of(steps, LockAction.GRANTED, "window-1")));
      TraceEvent begun =
          steps.stream()
              .filter(step -> step.actor().equals("worker-2") && step.detail().equals("begins"))
              .findFirst()
              .orElseThrow();
      assertEquals("window-1", causeOf(begun).actor());
    }
  }

  @Test
  void checkpoint_is_caused_by_its_task() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("setTimeout(() => {}, 1)").run();
      List<TraceEvent> steps = stepsOf(scenario);
      TraceEvent timer =
          steps.stream()
              .filter(step -> step.detail().startsWith("timer"))
              .findFirst()
              .orElseThrow();
      TraceEvent checkpoint = byId.get(timer.id() + 1);
      assertEquals(TraceKind.CHECKPOINT, checkpoint.kind());
      assertEquals(timer.id(), checkpoint.cause());
    }
  }

  @Test
  void events_of_private_sessions_are_traced_with_unique_ids() {
    List<TraceEvent> steps = new ArrayList<>();
    String page = "https://one.test/";
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .random(new SplittableRandom(1))
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            page,
                            "text/html",
                            "<script>navigator.locks.request('a', () => {})</script>")))
                .traceListener(steps::add)
                .build();
        UserAgent session = userAgent.openPrivateSession()) {
      userAgent.open(page);
      session.open(page);
      driver.runUntilIdle(100_000);
      assertEquals(2, with(steps, LockAction.GRANTED).size());
      assertEquals(steps.size(), steps.stream().map(TraceEvent::id).distinct().count());
    }
  }

  @Test
  void tasks_and_lock_steps_end_once_and_after_they_began() {
    List<TraceEvent> steps = new ArrayList<>();
    Map<Long, Long> ends = new HashMap<>();
    String page = "https://one.test/";
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            page,
                            "text/html",
                            "<script>navigator.locks.request('a', () => {})</script>")))
                .traceListener(
                    new TraceListener() {
                      @Override
                      public void on(TraceEvent event) {
                        steps.add(event);
                      }

                      @Override
                      public void ended(long id, Duration time) {
                        assertNull(ends.put(id, time.toNanos()), "over twice: " + id);
                      }
                    })
                .build()) {
      userAgent.open(page);
      driver.runUntilIdle(100_000);
      List<TraceEvent> lasting =
          steps.stream()
              .filter(step -> step.kind() == TraceKind.TASK || step.kind() == TraceKind.LOCK_STEP)
              .toList();
      assertTrue(lasting.size() > 5, lasting::toString);
      for (TraceEvent step : lasting) {
        assertNotNull(ends.get(step.id()), step::toString);
        assertTrue(ends.get(step.id()) >= step.time().toNanos(), step::toString);
      }
      assertEquals(lasting.size(), ends.size());
    }
  }

  @Test
  void on_a_pool_each_step_comes_after_its_cause() throws Exception {
    ConcurrentLinkedQueue<TraceEvent> steps = new ConcurrentLinkedQueue<>();
    String page = "https://one.test/";
    String script =
        "<script>let n = 0; (function again() { if (n++ < 50) navigator.locks.request('a', again)"
            + " })()</script>";
    try (Driver driver = Driver.threadPool(4);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(page, "text/html", script)))
                .traceListener(steps::add)
                .build()) {
      for (int i = 0; i < 4; i++) {
        userAgent.open(page);
      }
      Pool.await(userAgent.quiescent());
      Map<Long, TraceEvent> seen = new HashMap<>();
      for (TraceEvent step : steps) {
        assertTrue(step.cause() == 0 || seen.containsKey(step.cause()), step::toString);
        assertNull(seen.put(step.id(), step), step::toString);
      }
      assertEquals(4 * 50, with(List.copyOf(steps), LockAction.GRANTED).size());
    }
  }

  @Test
  void lock_steps_of_java_clients_have_causes() {
    List<TraceEvent> steps = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .random(new SplittableRandom(1))
                .traceListener(steps::add)
                .build();
        LockClient client = userAgent.openLockClient("https://one.test")) {
      client.withLock("a", lock -> CompletableFuture.completedFuture(1));
      client.withLock("a", lock -> CompletableFuture.completedFuture(2));
      driver.runUntilIdle(1_000);
      steps.forEach(step -> byId.put(step.id(), step));
      TraceEvent grant = with(steps, LockAction.GRANTED).getFirst();
      TraceEvent givenBack = with(steps, LockAction.GIVEN_BACK).getFirst();
      assertEquals(grant, causeOf(givenBack));
      assertEquals(client.name(), grant.lock().agent());
      assertEquals("", grant.lock().url());
    }
  }
}
