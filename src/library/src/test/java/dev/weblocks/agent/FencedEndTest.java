package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Ending;
import dev.weblocks.model.Limits;
import java.time.Duration;
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
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The end of agents whose script does not stop. A host function that blocks stands for an operation
 * of the engine without cancellation points, such as the multiplication of large BigInts.
 */
class FencedEndTest {

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
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final ThreadPoolDriver driver = new ThreadPoolDriver(1);
  private final UserAgent userAgent =
      new UserAgent(
          new Configuration(
                  driver,
                  new RandomSource(new SplittableRandom(1)),
                  (modules, limits) -> newContext(),
                  (agent, where, failure) -> failures.add(agent.name() + ": " + failure))
              .limits(Limits.newBuilder().endLimit(Duration.ofMillis(20)).build()));

  private static Context newContext() {
    return Context.newBuilder("js")
        .engine(engine)
        .allowHostAccess(HostAccess.NONE)
        .allowValueSharing(false)
        .build();
  }

  @AfterEach
  void close() {
    goOn.countDown();
    userAgent.close().toCompletableFuture().join();
    driver.close();
  }

  private static void queue(Agent agent, Runnable steps) {
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "steps", steps);
  }

  private static Source js(String text) {
    return Source.newBuilder("js", text, "test.js").buildLiteral();
  }

  /** Blocks until the test continues, whatever interrupts it. */
  private @Nullable Object block() {
    stuck.countDown();
    boolean done = false;
    while (!done) {
      try {
        goOn.await();
        done = true;
      } catch (InterruptedException again) {
        // the engine interrupts host code to cancel it
      }
    }
    return null;
  }

  /** Starts an agent whose script blocks and then calls Java; returns once it blocks. */
  private Agent startStuck(CompletableFuture<Void> turnEnded) throws InterruptedException {
    Agent agent = userAgent.createAgent("stuck");
    ProxyExecutable block = none -> block();
    ProxyExecutable act =
        words -> {
          Fence.Position before = agent.fence().enterJava();
          if (before == null) {
            throw agent.cancellation();
          }
          log.add("script acts");
          agent.fence().leaveJava(before);
          return null;
        };
    queue(
        agent,
        () -> {
          try {
            Realm realm = agent.createRealm(SETTINGS);
            Value script =
                realm.evaluate(
                    js("(block, act) => { try { block(); act(); } finally { act(); } }"));
            agent.call(script, block, act);
            log.add("Java goes on");
          } finally {
            turnEnded.complete(null);
          }
        });
    stuck.await();
    return agent;
  }

  @Test
  void agent_ends_although_its_script_does_not_stop() throws Exception {
    CompletableFuture<Void> turnEnded = new CompletableFuture<>();
    Agent agent = startStuck(turnEnded);
    CompletableFuture<String> passedOn = new CompletableFuture<>();
    agent.onEnd(() -> passedOn.complete("fenced: " + agent.fence().isClosed()));

    agent.terminate().toCompletableFuture().join();

    assertEquals("fenced: true", passedOn.join()); // before locks pass on
    assertEquals(Ending.CUT_OFF, agent.ended().toCompletableFuture().join());
    assertFalse(turnEnded.isDone());
    String failure = String.join("\n", failures);
    assertTrue(failure.contains("stuck-1: "), failure);
    assertTrue(failure.contains("script did not stop within 20 ms"), failure);
  }

  @Test
  void another_thread_takes_the_place_of_a_stuck_one() throws Exception {
    CompletableFuture<Void> turnEnded = new CompletableFuture<>();
    Agent agent = startStuck(turnEnded);
    agent.terminate().toCompletableFuture().join();

    Agent other = userAgent.createAgent("other"); // the pool had one thread, which is stuck
    CompletableFuture<Void> ran = new CompletableFuture<>();
    queue(other, () -> ran.complete(null));
    ran.join();

    assertEquals(2, driver.parallelism());
    goOn.countDown();
    turnEnded.join();
    while (driver.parallelism() > 1) { // the thread is given back after its turn
      Thread.onSpinWait();
    }
  }

  @Test
  void script_that_continues_after_the_end_cannot_act() throws Exception {
    CompletableFuture<Void> turnEnded = new CompletableFuture<>();
    Agent agent = startStuck(turnEnded);
    agent.terminate().toCompletableFuture().join();

    goOn.countDown();
    turnEnded.join();

    assertEquals(List.of(), List.copyOf(log));
    assertEquals(1, failures.size());
  }

  @Test
  void fence_waits_for_a_java_step_in_progress() throws Exception {
    Fence fence = new Fence();
    Fence.Position before = fence.enterJava();
    CompletableFuture<Boolean> closed =
        CompletableFuture.supplyAsync(() -> fence.close(TimeUnit.MINUTES.toNanos(1)));
    while (!fence.isClosed()) {
      Thread.onSpinWait();
    }
    assertFalse(closed.isDone());

    fence.leaveJava(before);

    assertTrue(closed.join());
    assertEquals(null, fence.enterJava());
  }

  @Test
  void installation_ends_although_a_turn_does_not() throws Exception {
    try (Context context = newContext()) {
      EmbedderLoop loop =
          new EmbedderLoop(
              driver,
              driver.clock(),
              null,
              () -> {},
              () -> {},
              failure -> {},
              () -> false,
              () -> false);
      Agent agent = userAgent.createAgent("installation", loop, context, null);
      queue(
          agent,
          () -> {
            Value block = context.asValue((ProxyExecutable) none -> block());
            agent.call(context.eval("js", "f => f()"), block);
            log.add("Java goes on");
          });
      CompletableFuture<Boolean> turn = CompletableFuture.supplyAsync(loop::runOne);
      stuck.await();

      agent.terminate().toCompletableFuture().join();

      assertFalse(turn.isDone());
      assertEquals(Ending.CUT_OFF, agent.ended().toCompletableFuture().join());
      goOn.countDown();
      assertTrue(turn.join());
      assertEquals(List.of(), List.copyOf(log));
      assertEquals(3, context.eval("js", "1 + 2").asInt()); // the context is not ours to close
    }
  }
}
