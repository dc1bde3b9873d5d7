package dev.weblocks.agent;

import dev.weblocks.lincheck.Interleavings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The thread pool driver in many interleavings, with executors that run nothing by themselves: each
 * operation is what a thread of the pool, of the timer or of the embedder does.
 */
@Tag("interleaved")
@Tag("interpreting") // runs no script
class ThreadPoolInterleavingsTest {

  @Test
  void each_wake_is_followed_by_a_turn() {
    Interleavings.check(TwoLanes.class);
  }

  @Test
  void each_wake_is_followed_by_a_turn_or_the_actor_is_lost() {
    Interleavings.check(WithoutMemory.class);
  }

  @Test
  void each_deadline_is_followed_by_a_turn() {
    Interleavings.check(Deadlines.class);
  }

  /** A pool without threads; its queue is run by {@link Parts#runLanes}. */
  private static final class PassivePool extends ThreadPoolExecutor {
    /** The number of coming calls that fail. */
    final AtomicInteger failures = new AtomicInteger();

    PassivePool() {
      super(
          1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Executors.defaultThreadFactory());
    }

    @Override
    public void execute(Runnable work) {
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("of a test");
      }
      getQueue().add(work);
    }
  }

  /** A timer without a thread and without time; what is set is run by {@link Parts#tick}. */
  private static final class PassiveTimer extends ScheduledThreadPoolExecutor {
    final Queue<Due> set = new ConcurrentLinkedQueue<>();

    PassiveTimer() {
      super(1, Executors.defaultThreadFactory());
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      Due due = new Due(work);
      set.add(due);
      return due;
    }

    private static final class Due extends FutureTask<Void> implements ScheduledFuture<Void> {
      Due(Runnable work) {
        super(work, null);
      }

      @Override
      public long getDelay(TimeUnit unit) {
        return 0;
      }

      @Override
      public int compareTo(Delayed other) {
        return 0;
      }
    }
  }

  /** A driver and its passive executors. */
  private static final class Parts {
    final PassivePool pool = new PassivePool();
    final PassiveTimer timer = new PassiveTimer();
    final AtomicInteger ticks = new AtomicInteger();
    final ThreadPoolDriver driver = new ThreadPoolDriver(new SystemClock(), pool, pool, timer);

    /** Runs the first queued lane, as a thread of the pool does, then ends this thread. */
    void runLanes() {
      driver
          .withSlot(() -> {
            Runnable next = pool.getQueue().poll();
            if (next != null) {
              next.run();
            }
          })
          .run();
    }

    /** Runs the first timer that is set, if any. */
    void tick() {
      ticks.incrementAndGet();
      PassiveTimer.Due first = timer.set.poll();
      if (first != null) {
        first.run();
      }
    }

    /** Runs everything that is left. */
    void settle() {
      do {
        tick();
        runLanes();
      } while (!pool.getQueue().isEmpty() || !timer.set.isEmpty());
    }
  }

  /** Two lanes; each turn of the first one wakes the second one, which waits in a slot. */
  public static class TwoLanes {
    private final Parts parts = new Parts();
    private final WakeWitness second = new WakeWitness("second");
    private final Driver.Lane secondLane = parts.driver.attach(second, Driver.Kind.EVENT_LOOP);
    private final WakeWitness first = new WakeWitness("first", () -> second.wake(secondLane));
    private final Driver.Lane firstLane = parts.driver.attach(first, Driver.Kind.EVENT_LOOP);

    @Operation
    public void wakeFirst() {
      first.wake(firstLane);
    }

    @Operation
    public void wakeSecond() {
      second.wake(secondLane);
    }

    @Operation
    public void runLanes() {
      parts.runLanes();
    }

    @Operation(nonParallelGroup = "timer")
    public void tick() {
      parts.tick();
    }

    @Validate
    public void no_wake_is_lost() {
      parts.settle();
      first.check();
      second.check();
    }
  }

  /** As {@link TwoLanes}, with a pool that fails now and then. */
  public static class WithoutMemory {
    private final TwoLanes lanes = new TwoLanes();

    @Operation
    public void wakeFirst() {
      lanes.wakeFirst();
    }

    @Operation
    public void wakeSecond() {
      lanes.wakeSecond();
    }

    @Operation
    public void runLanes() {
      lanes.runLanes();
    }

    @Operation
    public void exhaust() {
      lanes.parts.pool.failures.incrementAndGet();
    }

    @Validate
    public void no_wake_is_lost() {
      lanes.parts.pool.failures.set(0);
      lanes.no_wake_is_lost();
    }
  }

  /** A lane with a deadline, which passes when the timer ticks. */
  @Param(name = "nanos", gen = IntGen.class, conf = "1:3")
  public static class Deadlines {
    private final Parts parts = new Parts();
    private final ScriptedActor actor = new ScriptedActor("actor");
    private final Driver.Lane lane = parts.driver.attach(actor, Driver.Kind.EVENT_LOOP);

    // in turns only
    private int ticksAtStart;

    public Deadlines() {
      actor.onTurn(() -> {
        if (actor.nextDeadline() != Actor.NEVER && parts.ticks.get() > ticksAtStart) {
          actor.setDeadline(Actor.NEVER);
        }
      });
    }

    @Operation
    public void setDeadline(int nanos) {
      actor.then(() -> {
        ticksAtStart = parts.ticks.get();
        actor.setDeadline(nanos);
      });
      lane.wake();
    }

    @Operation
    public void runLanes() {
      parts.runLanes();
    }

    @Operation(nonParallelGroup = "timer")
    public void tick() {
      parts.tick();
    }

    @Validate
    public void each_deadline_is_followed_by_a_turn() {
      parts.settle();
      if (actor.hasWork() || actor.nextDeadline() != Actor.NEVER) {
        throw new IllegalStateException("a deadline has passed without a turn");
      }
    }
  }
}
