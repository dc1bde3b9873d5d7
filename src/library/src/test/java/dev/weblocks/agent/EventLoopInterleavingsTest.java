package dev.weblocks.agent;

import dev.weblocks.lincheck.Interleavings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The task queues of event loops and the count of activities, in many interleavings. */
@Tag("interleaved")
@Tag("interpreting") // runs no script
class EventLoopInterleavingsTest {

  /** The result of a turn without a task. */
  private static final int NOTHING = 0;

  @Test
  void tasks_run_once_and_in_the_order_in_which_they_were_queued() {
    Interleavings.check(Mailbox.class, MailboxInOrder.class);
  }

  @Test
  void rest_completes_only_when_nothing_is_counted() {
    Interleavings.check(Count.class, CountInOrder.class);
  }

  @Test
  void rest_completes_when_all_work_of_a_lane_is_done() {
    Interleavings.check(WatchedWork.class);
  }

  /** An event loop; each task is a number. */
  @Param(name = "task", gen = IntGen.class, conf = "1:9")
  public static class Mailbox {
    private final EventLoop loop =
        new EventLoop(
            "loop",
            new CallerDriver(new SystemClock(), null),
            new Activity(),
            null,
            (where, failure) -> {
              throw new IllegalStateException(where, failure);
            },
            EventLoop.Gate.OPEN);

    /** The task of the current turn; on the thread of the turn only. */
    private int ran;

    @Operation
    public void queueForNetworking(int task) {
      loop.queueTask(TaskSource.NETWORKING, null, "task", () -> ran = task);
    }

    @Operation
    public void queueForLocks(int task) {
      loop.queueTask(TaskSource.WEB_LOCKS, null, "task", () -> ran = task);
    }

    @Operation
    public void queueBeforeOthers(int task) {
      loop.runBeforeOthers("task", () -> ran = task);
    }

    @Operation(nonParallelGroup = "loop")
    public int turn() {
      ran = NOTHING;
      boolean found = loop.runTurn();
      return found ? ran : NOTHING;
    }

    @Operation
    public boolean hasWork() {
      return loop.hasWork();
    }

    @Operation(runOnce = true)
    public void close() {
      loop.close();
    }
  }

  /** The specification of {@link Mailbox}. */
  public static class MailboxInOrder {
    private final Deque<Integer> first = new ArrayDeque<>();
    private final Deque<Integer> others = new ArrayDeque<>();
    private boolean closed;

    private void add(Deque<Integer> queue, int task) {
      if (!closed) {
        queue.add(task);
      }
    }

    public void queueForNetworking(int task) {
      add(others, task);
    }

    public void queueForLocks(int task) {
      add(others, task);
    }

    public void queueBeforeOthers(int task) {
      add(first, task);
    }

    public int turn() {
      Integer task = first.isEmpty() ? others.poll() : first.poll();
      return task == null ? NOTHING : task;
    }

    public boolean hasWork() {
      return !first.isEmpty() || !others.isEmpty();
    }

    public void close() {
      closed = true;
      first.clear();
      others.clear();
    }
  }

  /** A count of two activities. */
  public static class Count {
    private final Activity activity = new Activity();
    private final Queue<CompletableFuture<Void>> rests = new ConcurrentLinkedQueue<>();
    private boolean first;
    private boolean second;

    @Operation(nonParallelGroup = "first")
    public void switchFirst() {
      first = switched(first);
    }

    @Operation(nonParallelGroup = "second")
    public void switchSecond() {
      second = switched(second);
    }

    private boolean switched(boolean counted) {
      if (counted) {
        activity.end();
      } else {
        activity.begin();
      }
      return !counted;
    }

    @Operation
    public boolean isAtRest() {
      CompletableFuture<Void> rest = activity.rest();
      rests.add(rest);
      return rest.isDone();
    }

    @Validate
    public void all_rests_complete_in_the_end() {
      if (first) {
        switchFirst();
      }
      if (second) {
        switchSecond();
      }
      requireDone(rests);
    }
  }

  private static void requireDone(Queue<CompletableFuture<Void>> rests) {
    if (!rests.stream().allMatch(CompletableFuture::isDone)) {
      throw new IllegalStateException("nothing is pending, but a future is incomplete");
    }
  }

  /** The specification of {@link Count}. */
  public static class CountInOrder {
    private boolean first;
    private boolean second;

    public void switchFirst() {
      first = !first;
    }

    public void switchSecond() {
      second = !second;
    }

    public boolean isAtRest() {
      return !first && !second;
    }
  }

  /** A lane whose work is counted. */
  public static class WatchedWork {
    private final Activity activity = new Activity();
    private final Queue<CompletableFuture<Void>> rests = new ConcurrentLinkedQueue<>();
    private final CallerDriver driver = new CallerDriver(new SystemClock(), null);
    private final AtomicInteger work = new AtomicInteger();
    private final Driver.Lane lane = activity.attach(driver, new Worker(), Driver.Kind.EVENT_LOOP);

    private final class Worker implements Actor {
      @Override
      public String name() {
        return "worker";
      }

      @Override
      public boolean runTurn() {
        return work.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      }

      @Override
      public boolean hasWork() {
        return work.get() > 0;
      }
    }

    @Operation
    public void addWork() {
      work.incrementAndGet();
      lane.wake();
    }

    @Operation(nonParallelGroup = "driver")
    public void turn() {
      driver.runOne();
    }

    /** Adds work that no turn can do before this method returns. */
    @Operation(nonParallelGroup = "driver")
    public void addWorkAndWait() {
      addWork();
      CompletableFuture<Void> rest = activity.rest();
      rests.add(rest);
      if (rest.isDone()) {
        throw new IllegalStateException("the future is complete, but work is pending");
      }
    }

    @Operation
    public void await() {
      rests.add(activity.rest());
    }

    @Validate
    public void rests_complete_when_the_work_is_done() {
      int unused = driver.runUntilIdle();
      rests.add(activity.rest());
      requireDone(rests);
    }
  }
}
