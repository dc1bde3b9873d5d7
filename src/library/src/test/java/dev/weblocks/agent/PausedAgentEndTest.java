package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.TraceListener;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The end of agents that are paused inside a turn, with or without other turns on top of it. */
class PausedAgentEndTest {

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

  private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

  private UserAgent newUserAgent(Driver driver) {
    return newUserAgent(driver, null);
  }

  private UserAgent newUserAgent(Driver driver, @Nullable TraceListener trace) {
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
            .trace(trace == null ? null : new Trace(trace, driver.clock())));
  }

  private static Source js(String text) {
    return Source.newBuilder("js", text, "test.js").buildLiteral();
  }

  /** Queues a task that calls a function of script with two functions of Java. */
  private static void queue(
      Agent agent, String script, ProxyExecutable steps, ProxyExecutable say) {
    queue(
        agent,
        () -> {
          Realm realm = agent.createRealm(SETTINGS);
          agent.call(realm.evaluate(js(script)), steps, say);
        });
  }

  private static void queue(Agent agent, Runnable steps) {
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "steps", steps);
  }

  private ProxyExecutable sayAs(String who) {
    return words -> {
      log.add(who + " " + words[0].asString());
      return null;
    };
  }

  private static final String CLINGS =
      """
      (steps, say) => {
        Promise.resolve().then(() => { for (;;) {} });
        try { steps(); say('goes on'); }
        catch (e) { say('catches'); for (;;) {} }
        finally { say('finally'); for (;;) {} }
      }
      """;

  private static final String GOES_ON =
      """
      (steps, say) => {
        steps();
        let n = 0;
        for (let i = 0; i < 20000; i++) n += i;
        say('goes on ' + n);
      }
      """;

  /** Ends {@code below} while it is paused, and {@code above} is paused on top of it. */
  private void endBelow(UserAgent userAgent, Agent below, Agent above) {
    Agent killer = userAgent.createAgent("killer");
    CompletableFuture<Void> never = new CompletableFuture<>();
    CompletableFuture<Void> later = new CompletableFuture<>();
    below.onEnd(() -> log.add("below has ended"));
    queue(
        below,
        CLINGS,
        none -> {
          queue(
              above,
              GOES_ON,
              inside -> {
                queue(
                    killer,
                    () -> {
                      below.terminate();
                      queue(killer, () -> later.complete(null));
                    });
                above.pause(later);
                return null;
              },
              sayAs("above"));
          below.pause(never);
          return null;
        },
        sayAs("below"));
  }

  @Test
  void end_of_a_paused_agent_stops_no_agent_run_during_the_pause() {
    for (long seed = 1; seed <= 5; seed++) {
      log.clear();
      DeterministicDriver driver = new DeterministicDriver(seed);
      UserAgent userAgent = newUserAgent(driver);
      Agent below = userAgent.createAgent("below");
      Agent above = userAgent.createAgent("above");
      endBelow(userAgent, below, above);
      driver.runUntilQuiescent(1_000);
      assertEquals(List.of(), List.copyOf(failures));
      assertEquals(List.of("above goes on 199990000", "below has ended"), List.copyOf(log));
      assertFalse(above.isEnding());
      userAgent.close();
      driver.runUntilQuiescent(1_000);
      assertEquals(Set.of(), userAgent.agents());
    }
  }

  @Test
  void paused_script_is_ended_when_one_caller_thread_runs_all_agents() {
    CallerDriver driver = new CallerDriver(new SystemClock(), null);
    UserAgent userAgent = newUserAgent(driver);
    Agent below = userAgent.createAgent("below");
    Agent above = userAgent.createAgent("above");
    endBelow(userAgent, below, above);
    driver.runUntilIdle();
    assertEquals(List.of(), List.copyOf(failures));
    assertEquals(List.of("above goes on 199990000", "below has ended"), List.copyOf(log));
    assertFalse(above.isEnding());
    userAgent.close();
    driver.runUntilIdle();
    assertEquals(Set.of(), userAgent.agents());
    driver.close();
  }

  @Test
  void script_continues_when_another_thread_ends_an_agent_paused_below_it() throws Exception {
    CallerDriver driver = new CallerDriver(new SystemClock(), null);
    UserAgent userAgent = newUserAgent(driver);
    Agent below = userAgent.createAgent("below");
    Agent above = userAgent.createAgent("above");
    CountDownLatch aboveRuns = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    queue(
        below,
        CLINGS,
        none -> {
          queue(
              above,
              "(steps, say) => { steps(); let n = 0; while (!steps()) n++; say('goes on'); }",
              inside -> {
                aboveRuns.countDown();
                return below.isEnding() && log.contains("other thread is idle");
              },
              sayAs("above"));
          below.pause(new CompletableFuture<>());
          return null;
        },
        sayAs("below"));
    Thread runner = Thread.ofPlatform().daemon().start(driver::runUntilIdle);
    assertTrue(aboveRuns.await(60, TimeUnit.SECONDS));
    below.onEnd(ended::countDown);
    below.terminate();
    driver.runUntilIdle();
    log.add("other thread is idle");
    runner.join(60_000);
    driver.runUntilIdle();
    assertTrue(ended.await(60, TimeUnit.SECONDS));
    assertEquals(List.of(), List.copyOf(failures));
    assertEquals(List.of("other thread is idle", "above goes on"), List.copyOf(log));
    assertFalse(above.isEnding());
    userAgent.close();
    driver.runUntilIdle();
    driver.close();
  }

  @Test
  void script_paused_on_a_pool_is_ended_and_cannot_catch_its_termination() throws Exception {
    try (ThreadPoolDriver driver = new ThreadPoolDriver(1)) {
      UserAgent userAgent = newUserAgent(driver);
      for (int i = 0; i < 20; i++) {
        Agent agent = userAgent.createAgent("paused");
        CountDownLatch pauses = new CountDownLatch(1);
        queue(
            agent,
            CLINGS,
            none -> {
              pauses.countDown();
              agent.pause(new CompletableFuture<>());
              return null;
            },
            sayAs("paused"));
        assertTrue(pauses.await(60, TimeUnit.SECONDS));
        agent.terminate().toCompletableFuture().get(60, TimeUnit.SECONDS);
      }
      assertEquals(List.of(), List.copyOf(log));
      assertEquals(List.of(), List.copyOf(failures));
      // the one thread still works, and no interrupt is pending on it
      Agent healthy = userAgent.createAgent("healthy");
      CompletableFuture<Void> comes = new CompletableFuture<>();
      CompletableFuture<String> result = new CompletableFuture<>();
      queue(
          healthy,
          () -> {
            queue(userAgent.createAgent("other"), () -> comes.complete(null));
            healthy.pause(comes);
            result.complete("paused and went on");
          });
      assertEquals("paused and went on", result.get(60, TimeUnit.SECONDS));
      userAgent.close().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void pause_after_terminate_in_the_same_turn_ends_the_script() {
    DeterministicDriver driver = new DeterministicDriver(1);
    UserAgent userAgent = newUserAgent(driver);
    Agent agent = userAgent.createAgent("window");
    agent.onEnd(() -> log.add("has ended"));
    queue(
        agent,
        CLINGS,
        none -> {
          agent.terminate();
          agent.pause(CompletableFuture.completedFuture(null));
          return null;
        },
        sayAs("window"));
    driver.runUntilQuiescent(100);
    assertEquals(List.of("has ended"), List.copyOf(log));
    assertEquals(List.of(), List.copyOf(failures));
  }

  @Test
  void worker_that_closes_itself_and_then_pauses_can_be_ended() {
    DeterministicDriver driver = new DeterministicDriver(1);
    UserAgent userAgent = newUserAgent(driver);
    Agent agent = userAgent.createAgent("worker");
    Agent killer = userAgent.createAgent("killer");
    queue(
        agent,
        CLINGS,
        none -> {
          agent.closeAfterThisTurn();
          queue(killer, agent::terminate);
          agent.pause(new CompletableFuture<>());
          return null;
        },
        sayAs("worker"));
    driver.runUntilQuiescent(100);
    assertEquals(List.of(), List.copyOf(log));
    assertEquals(Set.of(killer), userAgent.agents());
  }

  @Test
  void terminate_from_script_after_driver_close_waits_for_the_turn() {
    CallerDriver driver = new CallerDriver(new SystemClock(), null);
    UserAgent userAgent = newUserAgent(driver);
    Agent agent = userAgent.createAgent("window");
    agent.onEnd(() -> log.add("has ended"));
    queue(
        agent,
        "(steps, say) => { steps(); say('turn goes on') }",
        none -> {
          driver.close();
          agent.terminate();
          return null;
        },
        sayAs("window"));
    driver.runUntilIdle();
    assertEquals(List.of("window turn goes on", "has ended"), List.copyOf(log));
  }

  @Test
  void ending_agent_discards_its_realms_only_after_its_running_turn() throws Exception {
    CountDownLatch inTurn = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    CallerDriver driver = new CallerDriver(new SystemClock(), () -> {});
    UserAgent userAgent =
        newUserAgent(
            driver,
            step -> {
              if (step.detail().equals("has ended")) {
                told.countDown(); // lets the turn end
                assertTrue(turn.orTimeout(60, TimeUnit.SECONDS).join());
                log.add("has ended");
              }
            });
    Agent agent = userAgent.createAgent("window");
    queue(
        agent,
        () -> {
          agent.createRealm(SETTINGS).onDiscard(() -> log.add("passes on"));
          inTurn.countDown();
          try {
            assertTrue(told.await(60, TimeUnit.SECONDS)); // no script runs that could be stopped
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    Thread.ofPlatform().start(() -> turn.complete(driver.runOne()));
    assertTrue(inTurn.await(60, TimeUnit.SECONDS));
    CompletableFuture<?> ended = agent.terminate().toCompletableFuture();
    while (!ended.isDone() && driver.runOne()) {
      // runs the end, which is a step of its own
    }
    assertTrue(ended.isDone());
    assertEquals(List.of("has ended", "passes on"), List.copyOf(log));
    assertEquals(List.of(), List.copyOf(failures));
    driver.close();
  }
}
