package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent whose end begins where the stack ends is ended nevertheless. */
@Tag("overflow")
class OverflowedEndTest {

  private static final long STACK_BYTES = 512 << 10;
  private static final int AGENTS = 2_000;

  private final CallerDriver driver = new CallerDriver(new SystemClock(), null);
  private final UserAgent userAgent =
      new UserAgent(
          new Configuration(
              driver,
              new RandomSource(new SplittableRandom(1)),
              (modules, limits) -> {
                throw new IllegalStateException("no script");
              },
              (agent, where, failure) -> {}));
  private final List<Agent> agents = new ArrayList<>();
  private int next;
  private int overflows;

  @Test
  void agents_terminated_in_the_last_frames_of_a_stack_end() throws Exception {
    for (int i = 0; i < AGENTS; i++) {
      agents.add(userAgent.createAgent("window"));
    }
    Thread thread = new Thread(null, this::overflow, "overflow", STACK_BYTES);
    thread.start();
    thread.join();
    assertTrue(overflows > 0, "overflows");
    long unused = driver.runUntilIdle();
    for (Agent agent : agents) {
      agent.terminate();
    }
    unused = driver.runUntilIdle();
    assertEquals(
        List.of(),
        agents.stream()
            .filter(agent -> !agent.ended().toCompletableFuture().isDone())
            .map(Agent::name)
            .toList());
  }

  private void overflow() {
    try {
      deep(0);
    } catch (StackOverflowError expected) {
      overflows++;
    }
  }

  private void deep(int depth) {
    try {
      if (depth < Integer.MAX_VALUE) {
        deep(depth + 1);
      }
    } finally {
      if (next < AGENTS) {
        int i = next++;
        try {
          agents.get(i).terminate();
        } catch (StackOverflowError tooDeep) {
          overflows++;
        }
      }
    }
  }
}
