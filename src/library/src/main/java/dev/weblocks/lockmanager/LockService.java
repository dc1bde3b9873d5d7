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
   *     and may enqueue commands. If it throws, the user agent ends
   * @throws IllegalStateException if the client is registered and has not ended
   */
  void register(RegisterClient client, Consumer<LockEffect> sink);

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

  /** Returns the number of transitions of each kind so far, of held locks and waiting requests. */
  LockCounts counts();

  /**
   * Returns the held locks and the waiting requests between two steps: sorted by lock manager, then
   * by name in the order of first use, the held locks before the queue.
   */
  List<LockState> diagnose();
}
