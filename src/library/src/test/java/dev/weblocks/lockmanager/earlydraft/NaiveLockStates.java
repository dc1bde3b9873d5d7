package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
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
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A literal implementation of the early draft's algorithms with plain lists and linear scans, for
 * comparison. All origins share one queue and one set, which are filtered by origin. Deliberately
 * shares no design with the real implementation.
 */
final class NaiveLockStates {

  /** A request, and later the lock granted to it. */
  record Item(long id, ClientId client, ManagerId origin, List<String> scope, LockMode mode) {
    boolean intersects(List<String> other) {
      Set<String> both = new HashSet<>(scope);
      both.retainAll(other);
      return !both.isEmpty();
    }
  }

  final List<Item> held = new ArrayList<>();
  final List<Item> queue = new ArrayList<>();

  List<Effect> apply(Command command) {
    List<Effect> effects = new ArrayList<>();
    if (command instanceof RequestLock r) {
      Item request =
          new Item(
              r.requestId(),
              r.client(),
              r.origin(),
              r.scope().names().stream().distinct().toList(),
              r.mode());
      if (r.ifAvailable() && !isGrantable(request)) {
        effects.add(new Unavailable(request.id, request.client, DraftStep.REQUEST_MISSES));
      } else if (r.aborted()) {
        effects.add(new Aborted(request.id, request.client, DraftStep.REQUEST_ABORTS));
      } else {
        queue.add(request);
      }
    } else if (command instanceof Proceed) {
      for (Item request : List.copyOf(queue)) {
        if (isGrantable(request)) {
          queue.remove(request);
          held.add(request);
          effects.add(new Granted(request.id, request.client, DraftStep.REQUEST_GRANTS));
        }
      }
    } else if (command instanceof AbortRequest a) {
      for (Item request : List.copyOf(queue)) {
        if (request.id == a.requestId()) {
          queue.remove(request);
          effects.add(new Aborted(request.id, request.client, DraftStep.REQUEST_ABORTS));
        }
      }
    } else if (command instanceof WaitingPromiseSettles s) {
      held.removeIf(lock -> lock.id == s.requestId());
    } else if (command instanceof GiveUp g) {
      held.removeIf(lock -> lock.id == g.requestId());
      queue.removeIf(request -> request.id == g.requestId());
    } else if (command instanceof ForceRelease f) {
      for (Item lock : List.copyOf(held)) {
        if (lock.origin.equals(f.origin()) && lock.intersects(f.scope().names())) {
          held.remove(lock);
          effects.add(new ForceReleased(lock.id, lock.client, DraftStep.FORCE_REMOVES));
        }
      }
      effects.add(new ForceReleaseDone(f.releaseId(), f.client(), DraftStep.FORCE_ENDS));
    } else if (command instanceof QueryState q) {
      effects.add(
          new StateTaken(
              q.queryId(),
              q.client(),
              new QueriedState(entries(held, q.origin()), entries(queue, q.origin())),
              DraftStep.QUERY_RESOLVES));
    } else if (command instanceof EndClient e) {
      queue.removeIf(request -> request.client.equals(e.client()));
      held.removeIf(lock -> lock.client.equals(e.client()));
    }
    return effects;
  }

  boolean isAnyGrantable() {
    return queue.stream().anyMatch(this::isGrantable);
  }

  private static List<QueriedState.Entry> entries(List<Item> items, ManagerId origin) {
    return items.stream()
        .filter(item -> item.origin.equals(origin))
        .map(item -> new QueriedState.Entry(Scope.of(item.scope), item.mode))
        .toList();
  }

  private boolean isGrantable(Item request) {
    if (request.mode == LockMode.EXCLUSIVE) {
      for (Item lock : held) {
        if (lock.origin.equals(request.origin) && lock.intersects(request.scope)) {
          return false;
        }
      }
      for (Item entry : queue) {
        if (entry.id == request.id) {
          break;
        }
        if (entry.origin.equals(request.origin) && entry.intersects(request.scope)) {
          return false;
        }
      }
      return true;
    }
    for (Item lock : held) {
      if (lock.origin.equals(request.origin)
          && lock.mode == LockMode.EXCLUSIVE
          && lock.intersects(request.scope)) {
        return false;
      }
    }
    for (Item entry : queue) {
      if (entry.id == request.id) {
        break;
      }
      if (entry.origin.equals(request.origin)
          && entry.mode == LockMode.EXCLUSIVE
          && entry.intersects(request.scope)) {
        return false;
      }
    }
    return true;
  }
}
