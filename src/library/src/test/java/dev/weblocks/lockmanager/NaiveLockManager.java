package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A literal implementation of the draft's algorithms with plain lists and linear scans, for
 * comparison. All managers share one held list in grant order and one list of queues in order of
 * creation, which are filtered by manager and name. Deliberately shares no design with the real
 * implementation. Variants change the corresponding lines.
 */
final class NaiveLockManager {
  /** A request, and later the lock granted to it. */
  record Item(RequestId id, ManagerId manager, String name, LockMode mode, boolean reentrant) {
    static Item of(RequestLock request) {
      LockOptions options = request.options();
      return new Item(
          request.id(), request.manager(), options.name(), options.mode(), options.reentrant());
    }

    ClientId client() {
      return id.client();
    }

    LockInfo info() {
      return new LockInfo(name, mode, client().value());
    }
  }

  /** An entry of a lock request queue map. */
  record Queue(ManagerId manager, String name, List<Item> items) {}

  private final Set<Variant> variants;

  /** The registered clients. */
  final Set<ClientId> clients = new HashSet<>();

  final List<Item> held = new ArrayList<>();
  final List<Queue> queues = new ArrayList<>();
  private List<LockEffect> effects = new ArrayList<>();

  NaiveLockManager(Set<Variant> variants) {
    this.variants = variants;
  }

  private boolean has(Variant variant) {
    return variants.contains(variant);
  }

  List<LockEffect> apply(LockCommand command) {
    effects = new ArrayList<>();
    if (command instanceof RegisterClient) {
      clients.add(command.client());
    } else if (!clients.contains(command.client())) {
      return effects;
    }
    if (command instanceof RequestLock r) {
      WaitMode wait = r.options().waitMode();
      request(Item.of(r), wait == WaitMode.IF_AVAILABLE, wait == WaitMode.STEAL);
    } else if (command instanceof ReleaseLock r) {
      for (Item lock : List.copyOf(held)) {
        if (lock.id().equals(r.id())) {
          release(lock, true);
          effects.add(
              has(Variant.SETTLE_BEFORE_GRANT) ? 0 : effects.size(),
              new Released(lock.id(), SpecStep.RELEASED_RESOLVES));
        }
      }
    } else if (command instanceof AbortRequest a) {
      for (Item request : pending()) {
        if (request.id().equals(a.id()) && !has(Variant.ABORTED_STAYS_PENDING)) {
          Queue queue = queueOf(request.manager(), request.name());
          queue.items().remove(request);
          if (!has(Variant.ABORT_GRANTS_NOTHING)) {
            process(queue);
          }
        }
      }
    } else if (command instanceof EndClient e) {
      terminate(e.client());
    } else if (command instanceof TakeSnapshot s) {
      effects.add(
          new SnapshotTaken(s.id(), snapshot(s.manager(), s.client()), SpecStep.SNAPSHOT_RESOLVES));
    }
    // Text decision: a name is dropped with its last lock or request.
    queues.removeIf(queue ->
        queue.items().isEmpty()
            && held.stream().noneMatch(lock -> isIn(lock, queue.manager(), queue.name())));
    return effects;
  }

  /** Returns all waiting requests, in the order of queues. */
  List<Item> pending() {
    List<Item> all = new ArrayList<>();
    for (Queue queue : queues) {
      all.addAll(queue.items());
    }
    return all;
  }

  LockManagerSnapshot snapshot(ManagerId manager, ClientId client) {
    List<LockInfo> pendingInfos = new ArrayList<>();
    for (Queue queue : queues) {
      if (queue.manager().equals(manager)) {
        for (Item request : queue.items()) {
          if (shows(request, client)) {
            pendingInfos.add(request.info());
          }
        }
      }
    }
    List<LockInfo> heldInfos = new ArrayList<>();
    for (Item lock : held) {
      if (lock.manager().equals(manager) && shows(lock, client)) {
        heldInfos.add(lock.info());
      }
    }
    return new LockManagerSnapshot(heldInfos, pendingInfos);
  }

  private boolean shows(Item item, ClientId client) {
    return !has(Variant.QUERY_OWN_LOCKS) || item.client().equals(client);
  }

  private void request(Item request, boolean ifAvailable, boolean steal) {
    Queue queue = queueOf(request.manager(), request.name());
    if (steal) {
      for (Item lock : List.copyOf(held)) {
        if (isIn(lock, request.manager(), request.name())) {
          held.remove(lock);
          effects.add(new Stolen(lock.id(), SpecStep.REQUEST_REJECTS_STOLEN));
        }
      }
      queue.items().add(0, request);
    } else {
      boolean available =
          has(Variant.IF_AVAILABLE_JOINS_QUEUE)
              ? reenters(request) || !isBlockedByLocks(request)
              : grantable(request);
      if (ifAvailable && !available) {
        effects.add(new Unavailable(request.id(), SpecStep.REQUEST_MISSES));
        return;
      }
      queue.items().add(request);
    }
    process(queue);
  }

  private void release(Item lock, boolean grants) {
    held.remove(lock);
    if (grants) {
      process(queueOf(lock.manager(), lock.name()));
    }
  }

  private void terminate(ClientId client) {
    // Text decision: all requests are removed, oldest first, before any queue is processed.
    List<Item> aborted = new ArrayList<>(pending());
    aborted.removeIf(request -> !request.client().equals(client));
    aborted.sort((a, b) -> Long.compare(a.id().sequence(), b.id().sequence()));
    for (Item request : aborted) {
      queueOf(request.manager(), request.name()).items().remove(request);
    }
    boolean grants = !has(Variant.END_GRANTS_NOTHING);
    for (Item request : aborted) {
      if (grants && !has(Variant.ABORT_GRANTS_NOTHING)) {
        process(queueOf(request.manager(), request.name()));
      }
    }
    for (Item lock : List.copyOf(held)) {
      if (lock.client().equals(client)) {
        release(lock, grants);
      }
    }
    clients.remove(client);
  }

  private void process(Queue queue) {
    while (!queue.items().isEmpty()) {
      Item request =
          queue.items().stream().filter(this::reenters).findFirst().orElse(queue.items().get(0));
      if (!grantable(request)) {
        return;
      }
      queue.items().remove(request);
      held.add(request);
      effects.add(new Granted(request.id(), SpecStep.QUEUE_GRANTS));
    }
  }

  private boolean grantable(Item request) {
    if (reenters(request)) {
      return true;
    }
    Queue queue = queueOf(request.manager(), request.name());
    if (!queue.items().isEmpty() && !queue.items().get(0).equals(request)) {
      return false;
    }
    return !isBlockedByLocks(request);
  }

  private boolean isBlockedByLocks(Item request) {
    return held.stream().anyMatch(lock -> isInTheWay(lock, request));
  }

  private static boolean isInTheWay(Item lock, Item request) {
    return isIn(lock, request.manager(), request.name())
        && (request.mode() == LockMode.EXCLUSIVE || lock.mode() == LockMode.EXCLUSIVE);
  }

  private boolean reenters(Item request) {
    if (!has(Variant.REENTRANT)) {
      return false;
    }
    boolean mayEnter = false;
    for (Item lock : held) {
      boolean own = lock.client().equals(request.client());
      if (!own && isInTheWay(lock, request)) {
        return false;
      }
      mayEnter |= own && lock.reentrant() && isIn(lock, request.manager(), request.name());
    }
    return mayEnter;
  }

  private Queue queueOf(ManagerId manager, String name) {
    for (Queue queue : queues) {
      if (queue.manager().equals(manager) && queue.name().equals(name)) {
        return queue;
      }
    }
    Queue queue = new Queue(manager, name, new ArrayList<>());
    queues.add(queue);
    return queue;
  }

  private static boolean isIn(Item lock, ManagerId manager, String name) {
    return lock.manager().equals(manager) && lock.name().equals(name);
  }
}
