package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The interface of the lock managers for clients: the lock task queue of the draft. The commands of
 * all clients run in one order; each effect is delivered to its client. Thread-safe.
 *
 * <p>A client must be registered before its first command; it ends with {@link EndClient}. A
 * command of a client that is not registered, or has ended, does nothing.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-task-queue">lock task
 *     queue</a>
 */
public interface LockService {

  /** Returns a new, unique id for a request or a query of a client. */
  RequestId nextId(ClientId client);

  /**
   * Registers a client, until the step of its {@link EndClient} has run.
   *
   * @param sink gets the effects of the client, one at a time, on any thread; it must return soon,
   *     and may enqueue commands
   * @throws IllegalStateException if the client is registered and has not ended
   */
  default void register(RegisterClient client, Consumer<LockEffect> sink) {
    register(client, sink, null);
  }

  /**
   * Registers a client, like {@link #register(RegisterClient, Consumer)}.
   *
   * @param onLost called if a command of the client could not run, or its sink threw, usually
   *     because memory is exhausted: the client must end, as it may hold a lock that is missing
   *     from its table. Called on any thread; must not throw. If null, the driver gets the
   *     exception
   */
  void register(
      RegisterClient client, Consumer<LockEffect> sink, @Nullable Consumer<Throwable> onLost);

  void enqueue(LockCommand command);

  /**
   * Enqueues a command whose end is not awaited: remote lock managers may get it a moment later, so
   * that it travels with the next command.
   */
  default void enqueueUnhurried(LockCommand command) {
    enqueue(command);
  }

  /**
   * Returns whether a lock that was granted and not lost is certainly held now. False if remote
   * lock managers were silent for so long that others may have it, although no effect says so yet.
   */
  default boolean isCurrent() {
    return true;
  }

  /** Returns how many locks were held and how many requests waited after a recent step. */
  LockStats stats();

  /** Returns the number of transitions of each kind so far, and {@link #stats}. */
  LockCounts counts();

  /**
   * Returns the held locks and the waiting requests between two steps: sorted by lock manager, then
   * by name in the order of first use, the held locks before the queue.
   */
  List<LockState> diagnose();
}
