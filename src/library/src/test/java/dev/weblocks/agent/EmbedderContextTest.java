package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An agent whose context is owned by the embedder. */
class EmbedderContextTest {

  private final Engine engine =
      Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
  private final Context context = Context.newBuilder("js").engine(engine).build();
  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> failures = new ArrayList<>();
  private final UserAgent userAgent =
      new UserAgent(
          new Configuration(
              driver,
              new RandomSource(new SplittableRandom(1)),
              (modules, limits) -> {
                throw new IllegalStateException("no context is to be made");
              },
              (agent, where, failure) -> failures.add(where + ": " + failure)));
  private final EmbedderLoop loop =
      new EmbedderLoop(
          userAgent.driver(),
          driver.clock(),
          null,
          () -> {},
          () -> {},
          failure -> {},
          () -> false,
          () -> false);
  private final Agent agent = userAgent.createAgent("embedded", loop, context, null);

  @AfterEach
  void end() {
    assertEquals(List.of(), failures);
    context.close(true);
    engine.close(true);
  }

  /** Evaluates code on another thread; returns its value. */
  private int evaluateElsewhere(String code) throws Exception {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(() -> {
          try {
            result.complete(context.eval("js", code).asInt());
          } catch (RuntimeException refused) {
            result.completeExceptionally(refused);
          }
        });
    return result.get(60, TimeUnit.SECONDS);
  }

  private void queue(Runnable steps) {
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "steps", steps);
  }

  @Test
  void context_can_be_entered_after_a_caller_inside_it_ends_the_agent() throws Exception {
    boolean unused =
        agent.runInside(() -> {
          agent.terminate();
          return true;
        });
    assertTrue(agent.ended().toCompletableFuture().isDone());
    assertEquals(3, evaluateElsewhere("1 + 2"));
  }

  @Test
  void context_can_be_entered_after_a_turn_ends_its_agent() throws Exception {
    queue(agent::terminate);
    queue(() -> failures.add("ran after the end"));
    assertTrue(loop.runOne());
    assertFalse(loop.runOne());
    assertTrue(agent.ended().toCompletableFuture().isDone());
    assertEquals(3, evaluateElsewhere("1 + 2"));
  }

  @Test
  void turn_is_refused_and_keeps_its_task_while_context_is_in_use() throws Exception {
    context.initialize("js"); // else the engine admits both and then fails
    List<String> ran = new ArrayList<>();
    queue(() -> ran.add("task"));
    context.enter();
    try {
      CompletableFuture<Boolean> turn = new CompletableFuture<>();
      Thread.ofPlatform().start(() -> turn.complete(loop.runOne()));
      assertFalse(turn.get(60, TimeUnit.SECONDS));
      assertTrue(agent.wasRefused());
    } finally {
      context.leave();
    }
    assertTrue(loop.runOne());
    assertFalse(agent.wasRefused());
    assertEquals(List.of("task"), ran);
  }

  @Test
  void other_threads_cannot_enter_the_context_during_a_turn() throws Exception {
    List<Throwable> refused = new ArrayList<>();
    queue(() -> refused.add(assertThrows(Exception.class, () -> evaluateElsewhere("1"))));
    loop.runOne();
    assertTrue(refused.getFirst().getCause() instanceof IllegalStateException);
    assertEquals(1, evaluateElsewhere("1"));
  }

  @Test
  void call_from_script_outside_of_turns_counts_as_on_the_event_loop() {
    context.enter();
    try {
      assertEquals(
          "inside",
          agent.fromScript(
              () -> {
                agent.eventLoop().assertOnLoop();
                return "inside";
              },
              () -> "ended"));
      agent.terminate();
      assertEquals("ended", agent.fromScript(() -> "inside", () -> "ended"));
    } finally {
      context.leave();
    }
    assertFalse(agent.eventLoop().isOnLoop());
  }

  @Test
  void terminate_during_a_call_from_script_waits_for_the_call() {
    boolean endedInside =
        agent.fromScript(
            () -> {
              agent.terminate();
              return agent.ended().toCompletableFuture().isDone();
            },
            () -> true);
    assertFalse(endedInside);
    assertTrue(agent.ended().toCompletableFuture().isDone());
  }

  @Test
  void closed_context_ends_its_agent_at_the_next_turn() {
    context.close();
    assertFalse(agent.isEnding());
    assertFalse(loop.runOne());
    assertTrue(agent.ended().toCompletableFuture().isDone());
  }
}
