package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a request and the lock that it becomes, for whoever watches.
 *
 * @param kind which step; a forced release is {@link Kind#STOLEN}
 * @param requestId of the request, and of the lock
 * @param origin whose queue and set it is about
 * @param scope asked for or held
 * @param mode asked for or held
 * @param ifAvailable whether it was to be granted without waiting or not at all
 * @param client whose it is
 * @param source as the request has it; null if it is not known
 * @param nanos as {@link LockTransition#nanos} has it
 * @param clientEnded whether it was aborted or released because its client has ended
 * @param byWhom who released it by force; null unless somebody did
 * @param roomBy of a grant, the id of the request or lock that has gone last of those that were in
 *     its way, or its own where nothing was; 0 of all else
 */
public record Transition(
    Kind kind,
    long requestId,
    ManagerId origin,
    Scope scope,
    LockMode mode,
    boolean ifAvailable,
    ClientId client,
    @Nullable RequestSource source,
    long nanos,
    boolean clientEnded,
    @Nullable ClientId byWhom,
    long roomBy) {

  /** How the request was asked for. */
  public WaitMode waitMode() {
    return ifAvailable ? WaitMode.IF_AVAILABLE : WaitMode.WAIT;
  }

  /** The same as those tell it who know locks of one name: once for each name of the scope. */
  public List<LockTransition> byName() {
    return scope.names().stream().map(this::on).toList();
  }

  private LockTransition on(String name) {
    RequestSource known = RequestSource.of(source);
    return new LockTransition(
        kind,
        new RequestId(client, requestId),
        origin,
        new LockOptions(name, mode, waitMode(), false, known.position()),
        known.requester(),
        nanos,
        clientEnded,
        byWhom);
  }
}
