package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockWatcher;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Lock task queues whose turns a test runs. */
final class TestQueues {

  private TestQueues() {}

  static LockTaskQueue queue(Runnable wake) {
    return queue(wake, TestQueues::fail);
  }

  static LockTaskQueue queue(Runnable wake, Consumer<Throwable> onFailure) {
    return queue(() -> 0, List.of(), onFailure, actor -> lane(wake));
  }

  static LockTaskQueue queue(Function<Actor, Driver.Lane> attach) {
    return queue(() -> 0, List.of(), TestQueues::fail, attach);
  }

  static LockTaskQueue queue(LongSupplier nanoTime) {
    return queue(nanoTime, List.of(), TestQueues::fail, actor -> lane(() -> {}));
  }

  static LockTaskQueue watchedQueue(LongSupplier nanoTime, LockWatcher watcher) {
    return queue(nanoTime, List.of(watcher), TestQueues::fail, actor -> lane(() -> {}));
  }

  private static LockTaskQueue queue(
      LongSupplier nanoTime,
      List<LockWatcher> watchers,
      Consumer<Throwable> onFailure,
      Function<Actor, Driver.Lane> attach) {
    return new LockTaskQueue(nanoTime, Set.of(), null, watchers, null, onFailure, attach);
  }

  private static Driver.Lane lane(Runnable wake) {
    return new Driver.Lane() {
      @Override
      public void wake() {
        wake.run();
      }

      @Override
      public void detach() {}
    };
  }

  private static void fail(Throwable failure) {
    throw new AssertionError("a step has failed", failure);
  }

  static List<Integer> heldAndPending(LockTaskQueue queue) {
    LockCounts counts = queue.counts();
    return List.of(counts.held(), counts.pending());
  }
}
