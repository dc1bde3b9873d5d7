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
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;
import java.util.ArrayList;
import java.util.List;

/** A test bed of lock states: short methods for commands. */
final class StatesBed {

  static final RequestSource UNKNOWN = new RequestSource(new LockRequester("", "", ""), null);
  static final ManagerId ORIGIN = new ManagerId("origin", "default");
  static final ClientId ANN = new ClientId("ann");
  static final ClientId BEN = new ClientId("ben");

  final LockStates states = new LockStates(() -> 0);
  private long lastId;

  List<Effect> apply(Command command) {
    List<Effect> effects = new ArrayList<>();
    states.apply(command, effects::add, null);
    return effects;
  }

  /** Requests a lock that may wait; grants nothing yet. */
  long request(ClientId client, LockMode mode, String... scope) {
    long id = ++lastId;
    assertEquals(
        List.of(),
        apply(new RequestLock(id, client, ORIGIN, Scope.of(scope), mode, false, false, UNKNOWN)));
    return id;
  }

  long exclusive(String... scope) {
    return request(ANN, LockMode.EXCLUSIVE, scope);
  }

  long shared(String... scope) {
    return request(ANN, LockMode.SHARED, scope);
  }

  /** Returns whether a lock is available; if so, its request awaits its grant. */
  boolean isAvailable(LockMode mode, String... scope) {
    long id = ++lastId;
    List<Effect> effects =
        apply(new RequestLock(id, ANN, ORIGIN, Scope.of(scope), mode, true, false, UNKNOWN));
    if (effects.isEmpty()) {
      return true;
    }
    assertEquals(List.of(new Unavailable(id, ANN, DraftStep.REQUEST_MISSES)), effects);
    return false;
  }

  /** Proceeds; returns the ids of the granted requests. */
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
    return apply(new ForceRelease(++lastId, BEN, ORIGIN, Scope.of(scope), UNKNOWN));
  }

  List<Effect> end(ClientId client) {
    return apply(new EndClient(client));
  }

  QueriedState query() {
    List<Effect> effects = apply(new QueryState(++lastId, ANN, ORIGIN));
    assertEquals(1, effects.size());
    return ((StateTaken) effects.getFirst()).state();
  }

  /** Returns effects of an abort or a forced release as short texts. */
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
