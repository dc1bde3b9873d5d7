package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agents with bare contexts: realms, order of the end, traces. */
class AgentTest {

  private static final EnvironmentSettings SETTINGS =
      new EnvironmentSettings(
          "id",
          "https://one.test/",
          new Origin.Tuple("https", "one.test", -1),
          new Origin.Tuple("https", "one.test", -1),
          true,
          Set.of("Window"));

  private static Engine engine;

  @BeforeAll
  static void makeEngine() {
    engine = Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
  }

  @AfterAll
  static void closeEngine() {
    engine.close(true);
  }

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> failures = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final UserAgent userAgent = newUserAgent(driver);

  private UserAgent newUserAgent(Driver driver) {
    return new UserAgent(
        new Configuration(
                driver,
                new RandomSource(new SplittableRandom(1)),
                (modules, limits) ->
                    Context.newBuilder("js")
                        .engine(engine)
                        .allowHostAccess(HostAccess.NONE)
                        .allowValueSharing(false)
                        .build(),
                (agent, where, failure) ->
                    failures.add(agent.name() + " " + where + ": " + failure))
            .trace(
                new Trace(
                    step -> trace.add(step.kind() + " " + step.actor() + ": " + step.detail()),
                    driver.clock())));
  }

  private static Source js(String text) {
    return Source.newBuilder("js", text, "test.js").buildLiteral();
  }

  private void run(Agent agent, Runnable steps) {
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "steps", steps);
    driver.runUntilQuiescent(1_000);
  }

  @Test
  void agents_of_all_kinds_share_one_name_counter() {
    assertEquals("window-1", userAgent.createAgent("window").name());
    assertEquals("worker-2", userAgent.createAgent("worker").name());
    assertEquals(List.of("AGENT window-1: begins", "AGENT worker-2: begins"), trace);
  }

  @Test
  void discarding_a_realm_drops_its_tasks_and_no_others() {
    Agent agent = userAgent.createAgent("window");
    List<String> log = new ArrayList<>();
    run(
        agent,
        () -> {
          Realm gone = agent.createRealm(SETTINGS);
          Realm stays = agent.createRealm(SETTINGS);
          gone.queueTask(TaskSource.TIMER, "early", () -> log.add("before the discard"));
          agent.eventLoop().queueTask(TaskSource.TIMER, null, "discard", gone::discard);
          gone.queueTask(TaskSource.TIMER, "gone", () -> log.add("gone"));
          stays.queueTask(TaskSource.TIMER, "stays", () -> log.add("stays"));
          agent.eventLoop().queueTask(TaskSource.TIMER, null, "agent", () -> log.add("agent"));
        });
    assertEquals(List.of("before the discard", "stays", "agent"), log);
    assertEquals(List.of(), failures);
    assertFalse(trace.contains("TASK window-1: timer: gone"));
  }

  @Test
  void each_realm_has_its_own_global_and_intrinsics() {
    Agent agent = userAgent.createAgent("window");
    List<Object> answers = new ArrayList<>();
    run(
        agent,
        () -> {
          Realm first = agent.createRealm(SETTINGS);
          Realm second = agent.createRealm(SETTINGS);
          first.evaluate(js("var here = 'first'; Array.prototype.mine = true"));
          second.evaluate(js("var here = 'second'"));
          answers.add(first.evaluate(js("here")).asString());
          answers.add(second.evaluate(js("here")).asString());
          answers.add(second.evaluate(js("[].mine === undefined")).asBoolean());
          answers.add(first.global().equals(second.global()));
        });
    assertEquals(List.of(), failures);
    assertEquals(List.of("first", "second", true, false), answers);
  }

  @Test
  void another_realm_can_be_created_after_script_deleted_builtins_of_the_engine() {
    Agent agent = userAgent.createAgent("window");
    List<Object> answers = new ArrayList<>();
    run(
        agent,
        () -> {
          Realm first = agent.createRealm(SETTINGS);
          first.evaluate(js("delete globalThis.loadWithNewGlobal; delete globalThis.load"));
          Realm second = agent.createRealm(SETTINGS);
          answers.add(second.evaluate(js("1 + 1")).asInt());
        });
    assertEquals(List.of(), failures);
    assertEquals(List.of(2), answers);
  }

  @Test
  void microtasks_run_when_the_outermost_call_returns_and_not_before() {
    Agent agent = userAgent.createAgent("window");
    List<String> log = new ArrayList<>();
    run(
        agent,
        () -> {
          Realm realm = agent.createRealm(SETTINGS);
          realm.evaluate(js("var log = []"));
          Value later = realm.evaluate(js("(s => { Promise.resolve().then(() => log.push(s)) })"));
          Value around = realm.evaluate(js("(f => { f(); log.push('after the inner call') })"));
          agent.call(
              around,
              (org.graalvm.polyglot.proxy.ProxyExecutable)
                  none -> {
                    agent.call(later, "microtask");
                    log.add("running script " + agent.isRunningScript());
                    return null;
                  });
          log.add(realm.evaluate(js("log.join()")).asString());
          log.add("running script " + agent.isRunningScript());
        });
    assertEquals(List.of(), failures);
    assertEquals(
        List.of("running script true", "after the inner call,microtask", "running script false"),
        log);
  }

  @Test
  void microtasks_run_also_when_the_outermost_call_throws() {
    Agent agent = userAgent.createAgent("window");
    List<String> log = new ArrayList<>();
    run(
        agent,
        () -> {
          Realm realm = agent.createRealm(SETTINGS);
          Value throwing =
              realm.evaluate(
                  js(
                      "var log = []; (() => { Promise.resolve().then(() => log.push('microtask'));"
                          + " throw new Error('mine') })"));
          RuntimeException thrown =
              assertThrows(RuntimeException.class, () -> agent.call(throwing));
          log.add(thrown.getMessage());
          log.add(realm.evaluate(js("log.join()")).asString());
        });
    assertEquals(List.of(), failures);
    assertEquals(List.of("Error: mine", "microtask"), log);
  }

  @Test
  void realms_are_created_and_script_is_called_only_on_the_event_loop() {
    Agent agent = userAgent.createAgent("window");
    assertThrows(IllegalStateException.class, () -> agent.createRealm(SETTINGS));
    Value[] function = new Value[1];
    run(agent, () -> function[0] = agent.createRealm(SETTINGS).evaluate(js("(() => 1)")));
    assertThrows(IllegalStateException.class, () -> agent.call(function[0]));
    assertThrows(IllegalStateException.class, agent::closeAfterThisTurn);
  }

  @Test
  void agent_end_is_traced_and_runs_end_actions_before_completing_the_future() {
    Agent agent = userAgent.createAgent("window");
    Realm[] realm = new Realm[1];
    run(agent, () -> realm[0] = agent.createRealm(SETTINGS));
    List<String> log = new ArrayList<>();
    agent.onEnd(() -> log.add("first " + trace.getLast() + " " + realm[0].isDiscarded()));
    agent.onEnd(() -> log.add("second"));
    CompletableFuture<?> ended = agent.terminate().toCompletableFuture();
    ended.thenRun(() -> log.add("future"));
    assertTrue(agent.isEnding());
    assertEquals(List.of(), log);
    driver.runUntilQuiescent(10);
    assertEquals(List.of("first AGENT window-1: has ended true", "second", "future"), log);
    agent.onEnd(() -> log.add("late"));
    assertEquals("late", log.getLast());
    assertEquals(ended, agent.terminate());
    assertEquals(Set.of(), userAgent.agents());
  }

  @Test
  void end_of_an_idle_agent_does_not_wait_for_its_context() {
    Agent agent = userAgent.createAgent("window");
    Context[] context = new Context[1];
    run(
        agent,
        () -> {
          Realm unused = agent.createRealm(SETTINGS);
          context[0] = agent.context();
        });
    List<String> log = new ArrayList<>();
    agent.onEnd(() -> log.add("action, closed: " + isClosed(context[0])));
    agent.terminate().thenRun(() -> log.add("future, closed: " + isClosed(context[0])));
    driver.runUntilQuiescent(10);
    assertEquals(List.of("action, closed: false", "future, closed: true"), log);
  }

  private static boolean isClosed(Context context) {
    try {
      context.getPolyglotBindings();
      return false;
    } catch (IllegalStateException | PolyglotException closed) {
      return true;
    }
  }

  @Test
  void end_action_that_throws_is_reported_and_the_others_still_run() {
    Agent agent = userAgent.createAgent("window");
    List<String> log = new ArrayList<>();
    agent.onEnd(() -> {
      throw new IllegalArgumentException("mine");
    });
    agent.onEnd(() -> log.add("second"));
    CompletableFuture<?> ended = agent.terminate().toCompletableFuture();
    driver.runUntilQuiescent(10);
    assertTrue(ended.isDone());
    assertEquals(List.of("second"), log);
    assertEquals(
        List.of("window-1 end of window-1: java.lang.IllegalArgumentException: mine"), failures);
  }

  @Test
  void agent_that_ended_creates_no_realm_and_runs_no_task() {
    Agent agent = userAgent.createAgent("window");
    List<String> log = new ArrayList<>();
    agent.eventLoop().queueTask(TaskSource.TIMER, null, "queued", () -> log.add("queued"));
    agent.terminate();
    agent.eventLoop().queueTask(TaskSource.TIMER, null, "later", () -> log.add("later"));
    driver.runUntilQuiescent(10);
    assertEquals(List.of(), log);
  }

  @Tag("alone")
  @Test
  void context_of_an_ended_agent_is_collected_while_the_agent_is_reachable()
      throws InterruptedException {
    Agent agent = userAgent.createAgent("window");
    List<WeakReference<Realm>> realms = new ArrayList<>();
    run(agent, () -> realms.add(new WeakReference<>(agent.createRealm(SETTINGS))));
    assertNotNull(realms.getFirst());
    agent.terminate();
    driver.runUntilQuiescent(10);
    for (int i = 0; i < 50 && realms.getFirst().get() != null; i++) {
      System.gc();
    }
    assertEquals(null, realms.getFirst().get());
    assertTrue(agent.isEnding());
  }

  @Test
  void follower_agent_ends_with_its_leader_which_forgets_ended_followers() {
    Agent leader = userAgent.createAgent("window");
    Agent follower = userAgent.createAgent("worker");
    Agent early = userAgent.createAgent("worker");
    follower.endWith(leader);
    early.endWith(leader);
    assertEquals(2, leader.followers().size());
    early.terminate();
    driver.runUntilQuiescent(10);
    assertEquals(1, leader.followers().size());
    leader.terminate();
    driver.runUntilQuiescent(10);
    assertEquals(Set.of(), userAgent.agents());
    assertEquals(0, leader.followers().size());
    Agent late = userAgent.createAgent("worker");
    late.endWith(leader);
    driver.runUntilQuiescent(10);
    assertEquals(Set.of(), userAgent.agents());
  }

  @Test
  void closed_user_agent_refuses_to_create_agents_with_a_hint() {
    userAgent.createAgent("window");
    CompletableFuture<Void> closed = userAgent.close().toCompletableFuture();
    driver.runUntilQuiescent(10);
    assertTrue(closed.isDone());
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> userAgent.createAgent("window"));
    assertEquals("the user agent is closed; make another one", refused.getMessage());
  }

  @Test
  void close_waits_for_an_agent_that_starts_during_the_close() {
    Agent first = userAgent.createAgent("window");
    Agent[] second = new Agent[1];
    // as a worker does that starts while its owner ends
    first.onEnd(() -> second[0] = userAgent.begin("worker"));
    CompletableFuture<Void> closed = userAgent.close().toCompletableFuture();
    driver.runUntilQuiescent(20);
    assertTrue(closed.isDone());
    assertTrue(second[0].isEnding());
    assertEquals(Set.of(), userAgent.agents());
  }

  @Test
  void script_in_an_endless_loop_is_stopped_on_a_thread_pool() throws Exception {
    try (ThreadPoolDriver pool = new ThreadPoolDriver(1)) {
      UserAgent pooled = newUserAgent(pool);
      Agent agent = pooled.createAgent("window");
      CountDownLatch begun = new CountDownLatch(1);
      agent
          .eventLoop()
          .queueTask(
              TaskSource.TIMER,
              null,
              "loop",
              () -> {
                Realm realm = agent.createRealm(SETTINGS);
                begun.countDown();
                realm.evaluate(js("while (true) {}"));
              });
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      agent.terminate().toCompletableFuture().get(60, TimeUnit.SECONDS);
      // the thread is free again
      Agent next = pooled.createAgent("window");
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      next.eventLoop()
          .queueTask(
              TaskSource.TIMER,
              null,
              "next",
              () -> answer.complete(next.createRealm(SETTINGS).evaluate(js("6 * 7")).asInt()));
      assertEquals(42, answer.get(60, TimeUnit.SECONDS));
      pooled.close().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    assertEquals(List.of(), failures);
  }
}
