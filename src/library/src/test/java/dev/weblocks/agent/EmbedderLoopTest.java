package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EmbedderLoopTest {

  private final BlockingQueue<Runnable> submitted = new LinkedBlockingQueue<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicBoolean runsHere = new AtomicBoolean(true);
  private final Clock clock = new SystemClock();
  private final EmbedderLoop loop =
      new EmbedderLoop(
          new CallerDriver(clock, null),
          clock,
          task -> {
            if (runsHere.getAndSet(false)) {
              task.run();
              throw new IllegalStateException("full");
            }
            submitted.add(task);
          },
          () -> {},
          () -> {},
          failure -> failures.add(failure.toString()),
          () -> false,
          () -> false);

  @Test
  void executor_that_runs_a_task_and_throws_is_reported_once() throws Exception {
    WakeWitness actor = new WakeWitness("loop");
    Driver.Lane lane = loop.attach(actor, Driver.Kind.EVENT_LOOP);
    actor.wake(lane);
    assertEquals(1, failures.size());
    assertTrue(failures.getFirst().contains("submitting thread"), failures::toString);
    submitted.take().run(); // the retry
    actor.wake(lane);
    submitted.take().run();
    assertEquals(1, failures.size(), failures::toString);
  }
}
