package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
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

  /** Returns the command that makes a client known. Its agent has the name of the client. */
  static RegisterClient registered(ClientId client) {
    return new RegisterClient(client, requester(client));
  }

  /** Returns the client as {@link #registered} registers it. */
  static LockRequester requester(ClientId client) {
    return new LockRequester(client.value(), "", "");
  }

  /** Returns a request as the draft has it, without a position. */
  static RequestLock request(
      RequestId id, ManagerId manager, String name, LockMode mode, WaitMode wait) {
    return new RequestLock(id, manager, LockOptions.of(name, mode, wait));
  }

  /** Applies a command at time 0, unwatched. */
  static void apply(LockManagers managers, LockCommand command, Consumer<LockEffect> effects) {
    managers.apply(command, 0, effects, null);
  }
}
