package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockEffect;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lock task queues and commands without what a test does not need. */
final class TestQueues {

  private TestQueues() {}

  static LockTaskQueue queue(Runnable wake) {
    return queue(wake, null, Set.of());
  }

  static LockTaskQueue queue(
      Runnable wake, @Nullable LockTraceListener trace, Set<Variant> variants) {
    return new LockTaskQueue(wake, trace, () -> 0, null, variants);
  }

  static LockTaskQueue watchedQueue(LongSupplier nanoTime, @Nullable LockWatcher watcher) {
    return new LockTaskQueue(() -> {}, null, nanoTime, watcher, Set.of());
  }

  /** Applies a command at time 0, unwatched. */
  static void apply(LockManagers managers, LockCommand command, Consumer<LockEffect> effects) {
    managers.apply(command, 0, effects, null);
  }
}
