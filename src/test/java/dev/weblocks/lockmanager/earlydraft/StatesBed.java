package dev.weblocks.lockmanager.earlydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.earlydraft.Effect.Aborted;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleaseDone;
import dev.weblocks.lockmanager.earlydraft.Effect.ForceReleased;
import dev.weblocks.lockmanager.earlydraft.Effect.Granted;
import dev.weblocks.lockmanager.earlydraft.Effect.StateTaken;
import dev.weblocks.lockmanager.earlydraft.Effect.Unavailable;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.ManagerId;
import java.util.ArrayList;
import java.util.List;

/** Lock states, and short ways to give them commands. */
final class StatesBed {
  static final ManagerId ORIGIN = new ManagerId("origin");
  static final ClientId ANN = new ClientId("ann");
  static final ClientId BEN = new ClientId("ben");

  final LockStates states = new LockStates();
  private long lastId;

  List<Effect> apply(Command command) {
    List<Effect> effects = new ArrayList<>();
    states.apply(command, effects::add);
    return effects;
  }

  /** Requests a lock that is waited for; grants nothing yet. */
  long request(ClientId client, LockMode mode, String... scope) {
    long id = ++lastId;
    assertEquals(
        List.of(), apply(new RequestLock(id, client, ORIGIN, Scope.of(scope), mode, false)));
    return id;
  }

  long exclusive(String... scope) {
    return request(ANN, LockMode.EXCLUSIVE, scope);
  }

  long shared(String... scope) {
    return request(ANN, LockMode.SHARED, scope);
  }

  /** Whether a lock is available; the request waits or is granted then. */
  boolean isAvailable(LockMode mode, String... scope) {
    long id = ++lastId;
    List<Effect> effects = apply(new RequestLock(id, ANN, ORIGIN, Scope.of(scope), mode, true));
    if (effects.isEmpty()) {
      return true;
    }
    assertEquals(List.of(new Unavailable(id, ANN, DraftStep.REQUEST_MISSES)), effects);
    return false;
  }

  /** Which requests are granted now, by id. */
  List<Long> proceed() {
    return apply(new Proceed()).stream().map(effect -> ((Granted) effect).requestId()).toList();
  }

  List<Effect> settle(long requestId) {
    return apply(new WaitingPromiseSettles(requestId));
  }

  List<Effect> abort(long requestId) {
    return apply(new AbortRequest(requestId));
  }

  List<Effect> forceRelease(String... scope) {
    return apply(new ForceRelease(++lastId, BEN, ORIGIN, Scope.of(scope)));
  }

  List<Effect> end(ClientId client) {
    return apply(new EndClient(client));
  }

  QueriedState query() {
    List<Effect> effects = apply(new QueryState(++lastId, ANN, ORIGIN));
    assertEquals(1, effects.size());
    return ((StateTaken) effects.getFirst()).state();
  }

  /** What effects of an abort or a forced release are about. */
  static List<String> told(List<Effect> effects) {
    return effects.stream()
        .map(effect ->
            switch (effect) {
              case Aborted aborted -> "aborted " + aborted.requestId();
              case ForceReleased released -> "released " + released.requestId();
              case ForceReleaseDone done -> "done";
              default -> "unexpected " + effect;
            })
        .toList();
  }
}
