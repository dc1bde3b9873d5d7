package dev.weblocks.locks;

import static dev.weblocks.lockmanager.Bench.ANN;
import static dev.weblocks.lockmanager.Bench.BUCKET;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.lincheck.Interleavings;
import dev.weblocks.lockmanager.TestCommands;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lock task queue in many interleavings. */
@Tag("interleaved")
@Tag("interpreting") // runs no script
class LockTaskQueueInterleavingsTest {

  /** The result of a call that found no step. */
  private static final long NONE = 0;

  @Test
  void steps_run_once_and_in_an_order_that_respects_real_time() {
    Interleavings.check(Steps.class, StepsInOrder.class);
  }

  @Test
  void threads_that_enqueue_run_all_steps_one_at_a_time() {
    Interleavings.check(Locks.class);
  }

  /** A queue whose steps answer queries, which have numbers. */
  @Param(name = "number", gen = IntGen.class, conf = "1:9")
  public static class Steps {
    private final LockTaskQueue queue = TestQueues.queue(() -> {});

    /** The answer of the current step; on its thread only. */
    private long answered;

    public Steps() {
      queue.register(TestCommands.registered(ANN), this::answer);
    }

    private void answer(LockEffect effect) {
      answered = effect.id().sequence();
    }

    @Operation
    public void enqueue(int number) {
      queue.enqueue(new TakeSnapshot(new RequestId(ANN, number), BUCKET));
    }

    @Operation(nonParallelGroup = "driver")
    public long runStep() {
      answered = NONE;
      boolean ran = queue.runTurn();
      return ran ? answered : NONE;
    }

    @Operation
    public boolean isEmpty() {
      return !queue.hasWork();
    }
  }

  /** The specification of {@link Steps}. */
  public static class StepsInOrder {
    private final Deque<Integer> steps = new ArrayDeque<>();

    public void enqueue(int number) {
      steps.add(number);
    }

    public long runStep() {
      Integer first = steps.poll();
      return first == null ? NONE : first;
    }

    public boolean isEmpty() {
      return steps.isEmpty();
    }
  }

  /**
   * A queue that the enqueuing threads run, and an exclusive lock that is released when granted.
   */
  public static class Locks implements Actor {
    private final AtomicBoolean running = new AtomicBoolean();
    private final LockTaskQueue queue =
        TestQueues.queue(actor ->
            new CallerDriver(new SystemClock(), null).attach(this, Driver.Kind.PARALLEL_QUEUE));
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();

    public Locks() {
      queue.register(TestCommands.registered(ANN), this::releaseIfGranted);
    }

    private void releaseIfGranted(LockEffect effect) {
      if (effect instanceof Granted) {
        grants.incrementAndGet();
        queue.enqueue(new ReleaseLock(effect.id()));
      }
    }

    @Override
    public String name() {
      return "queue";
    }

    @Override
    public boolean runTurn() {
      if (!running.compareAndSet(false, true)) {
        throw new IllegalStateException("two steps overlap");
      }
      try {
        return queue.runTurn();
      } finally {
        running.set(false);
      }
    }

    @Operation
    public void request() {
      requests.incrementAndGet();
      queue.enqueue(
          TestCommands.request(
              queue.nextId(ANN), BUCKET, "name", LockMode.EXCLUSIVE, WaitMode.WAIT));
    }

    @Operation
    public void count() {
      if (queue.counts().held() > 1) {
        throw new IllegalStateException("an exclusive lock has two holders: " + queue.counts());
      }
    }

    @Validate
    public void each_request_was_granted_once() {
      if (grants.get() != requests.get()
          || !!queue.hasWork()
          || !TestQueues.heldAndPending(queue).equals(List.of(0, 0))) {
        throw new IllegalStateException(
            grants + " grants for " + requests + " requests; " + queue.counts());
      }
    }
  }
}
