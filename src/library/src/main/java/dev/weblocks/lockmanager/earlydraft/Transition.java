package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a request and the lock that it becomes, for observers.
 *
 * @param kind the step; a forced release is {@link Kind#STOLEN}
 * @param requestId of the request, and of the lock
 * @param scope the scope of the request or lock
 * @param mode the mode of the request or lock
 * @param ifAvailable whether the request fails if it cannot be granted at once
 * @param client the client that made the request
 * @param source the source of the request
 * @param nanos as {@link LockTransition#nanos}
 * @param clientEnded whether the reason of an abort or release is the end of the client
 * @param releasedBy the client that released the lock by force; null for all other kinds
 * @param roomBy for a grant, the id of the blocking request or lock that was removed last, or
 *     {@code requestId} if there was none; 0 for all other kinds
 */
public record Transition(
    Kind kind,
    long requestId,
    ManagerId origin,
    Scope scope,
    LockMode mode,
    boolean ifAvailable,
    ClientId client,
    RequestSource source,
    long nanos,
    boolean clientEnded,
    @Nullable ClientId releasedBy,
    long roomBy) {

  /** Returns the behaviour that was requested for the case that the lock is not free. */
  public WaitMode waitMode() {
    return ifAvailable ? WaitMode.IF_AVAILABLE : WaitMode.WAIT;
  }

  /**
   * Returns this transition as transitions of locks with a single name: one for each name of the
   * scope.
   */
  public List<LockTransition> byName() {
    return scope.names().stream().map(this::on).toList();
  }

  private LockTransition on(String name) {
    return new LockTransition(
        kind,
        new RequestId(client, requestId),
        origin,
        new LockOptions(name, mode, waitMode(), false, source.position()),
        source.requester(),
        nanos,
        clientEnded,
        releasedBy == null ? null : new RequestId(releasedBy, 0),
        null);
  }
}
