package dev.weblocks.agent;

import dev.weblocks.lincheck.Interleavings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lanes in many interleavings: no wake is lost, and turns of one lane do not overlap. */
@Tag("interleaved")
@Tag("interpreting") // runs no script
class LaneInterleavingsTest {

  @Test
  void lane_state_loses_no_wake_and_queues_at_most_once() {
    Interleavings.check(States.class);
  }

  @Test
  void combining_lane_runs_a_turn_after_each_wake() {
    Interleavings.check(Combining.class);
  }

  @Test
  void embedder_loop_runs_a_turn_on_the_executor_after_each_wake() {
    Interleavings.check(OnExecutor.class);
  }

  @Test
  void caller_driver_requests_calls_until_each_wake_is_handled() {
    Interleavings.check(Driven.class);
  }

  /** A lane of its state alone; the queue of the executor is a number. */
  @Param(name = "more", gen = BooleanGen.class)
  public static class States {
    private final WakeWitness actor = new WakeWitness("lane");
    private final LaneState state = new LaneState();
    private final AtomicInteger queued = new AtomicInteger();
    private volatile boolean detached;

    private void queue() {
      if (queued.incrementAndGet() > 1) {
        throw new IllegalStateException("the lane is queued twice");
      }
    }

    @Operation
    public void wake() {
      actor.countWake();
      if (state.wake()) {
        queue();
      }
    }

    @Operation
    public void run(boolean more) {
      if (queued.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
        return;
      }
      boolean wasDetached = detached;
      if (state.beginRun()) {
        if (wasDetached) {
          throw new IllegalStateException("a run began after the lane was detached");
        }
        actor.runTurn();
        if (state.endRun(more)) {
          queue();
        }
      }
    }

    @Operation
    public void detach() {
      state.detach();
      detached = true;
    }

    @Validate
    public void no_wake_is_lost() {
      while (queued.get() > 0) {
        run(false);
      }
      if (!detached) {
        actor.check();
      }
    }
  }

  /** A lane that runs turns on the thread that wakes it, and hands on after each turn with work. */
  public static class Combining {
    private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final WakeWitness actor = new WakeWitness("queue");
    private final CombiningLane lane = new CombiningLane(actor, submitted::add, 1);

    @Operation
    public void wake() {
      actor.wake(lane);
    }

    @Operation
    public void runOne() {
      Runnable next = submitted.poll();
      if (next != null) {
        next.run();
      }
    }

    @Validate
    public void no_wake_is_lost() {
      while (!submitted.isEmpty()) {
        runOne();
      }
      actor.check();
    }
  }

  /** The loop of an embedder whose executor is a list of actions. */
  public static class OnExecutor {
    private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final Clock clock = new SystemClock();
    private final EmbedderLoop loop =
        new EmbedderLoop(
            new CallerDriver(clock, null),
            clock,
            submitted::add,
            () -> {},
            () -> {},
            failure -> {},
            () -> false,
            () -> false);
    private final WakeWitness actor = new WakeWitness("loop");
    private final Driver.Lane lane = loop.attach(actor, Driver.Kind.EVENT_LOOP);

    @Operation
    public void wake() {
      actor.wake(lane);
    }

    @Operation
    public void runOne() {
      Runnable next = submitted.poll();
      if (next != null) {
        next.run();
      }
    }

    @Validate
    public void no_wake_is_lost() {
      while (!submitted.isEmpty()) {
        runOne();
      }
      actor.check();
    }
  }

  /** A driver whose embedder runs everything whenever it is notified. */
  public static class Driven {
    private final AtomicInteger notices = new AtomicInteger();
    private final CallerDriver driver =
        new CallerDriver(new SystemClock(), notices::incrementAndGet);
    private final WakeWitness witness = new WakeWitness("loop");
    private final Driver.Lane lane = driver.attach(new Visible(witness), Driver.Kind.EVENT_LOOP);

    /** The witness as an actor that shows whether it has work. */
    private record Visible(WakeWitness witness) implements Actor {
      @Override
      public String name() {
        return witness.name();
      }

      @Override
      public boolean runTurn() {
        return witness.runTurn();
      }

      @Override
      public boolean hasWork() {
        return witness.hasUnhandledWake();
      }
    }

    @Operation
    public void wake() {
      witness.wake(lane);
    }

    @Operation
    public void handleNotice() {
      if (notices.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
        int unused = driver.runUntilIdle();
      }
    }

    @Validate
    public void no_wake_is_lost() {
      while (notices.get() > 0) {
        handleNotice();
      }
      witness.check();
    }
  }
}
