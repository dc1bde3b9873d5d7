package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.Variant;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The encoding of the state of lock managers as bytes; equal states have equal bytes. Clients and
 * managers are sorted. Names, queues, held lock sets and the lists of locks and requests of a
 * client keep their order, since later commands depend on it.
 */
final class StateCodec {

  private static final String WHAT = "a lock state";

  private StateCodec() {}

  static byte[] write(LockManagers state) {
    return Wire.write(state, StateCodec::write);
  }

  private static void write(DataOutputStream to, LockManagers state) throws IOException {
    Wire.list(to, Variant.ids(state.variants()), Wire::string);
    for (long count : state.outcomes().counts()) {
      to.writeLong(count);
    }
    List<LockManager> managers =
        state.inUse().stream().sorted(Comparator.comparing(each -> each.id.value())).toList();
    Map<LockManager, Integer> managerNumbers = new HashMap<>();
    Wire.list(
        to,
        managers,
        (out, manager) -> {
          managerNumbers.put(manager, managerNumbers.size());
          LockCodec.write(out, manager.id);
          Wire.list(out, manager.queues(), (names, queue) -> Wire.string(names, queue.name));
        });
    List<Client> clients =
        state.index().clients().stream()
            .sorted(Comparator.comparing(each -> each.id.value()))
            .toList();
    Map<Client, Integer> clientNumbers = new HashMap<>();
    Wire.list(
        to,
        clients,
        (out, client) -> {
          clientNumbers.put(client, clientNumbers.size());
          LockCodec.write(out, client.id);
          LockCodec.write(out, client.requester);
          out.writeLong(client.lastSequence);
          Wire.list(
              out,
              client.locks.items(),
              (locks, lock) -> writeEntry(locks, lock.request, lock.grantedAt, managerNumbers));
          Wire.list(
              out,
              client.requests.items(),
              (requests, request) ->
                  writeEntry(requests, request, request.requestedAt, managerNumbers));
        });
    for (LockManager manager : managers) {
      for (LockRequestQueue queue : manager.queues()) {
        Wire.list(
            to,
            queue.requests.items(),
            (out, request) -> writeReference(out, request, clientNumbers));
      }
      Wire.list(
          to, manager.heldLocks(), (out, lock) -> writeReference(out, lock.request, clientNumbers));
    }
  }

  private static void writeEntry(
      DataOutputStream out, LockRequest request, long since, Map<LockManager, Integer> managers)
      throws IOException {
    out.writeLong(request.id.sequence());
    out.writeInt(Objects.requireNonNull(managers.get(request.manager)));
    LockCodec.write(out, request.options);
    out.writeLong(since);
  }

  private static void writeReference(
      DataOutputStream out, LockRequest request, Map<Client, Integer> clients) throws IOException {
    out.writeInt(Objects.requireNonNull(clients.get(request.client)));
    out.writeLong(request.id.sequence());
  }

  /** Returns lock managers with the encoded state. */
  static LockManagers read(byte[] bytes, Set<Variant> variants) {
    return Wire.read(bytes, WHAT, in -> new Reader(variants).read(in));
  }

  private static final class Reader {
    private final LockManagers state;
    private final Set<Variant> variants;
    private final List<LockManager> managers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final Set<LockRequest> listed = new HashSet<>();

    Reader(Set<Variant> variants) {
      this.variants = variants;
      this.state = new LockManagers(variants);
    }

    LockManagers read(DataInputStream in) throws IOException {
      List<String> ids = Wire.list(in, Wire::string);
      if (!ids.equals(Variant.ids(variants))) {
        throw new IllegalArgumentException(
            "%s was written under the variants %s, but is read under %s"
                .formatted(WHAT, ids, Variant.ids(variants)));
      }
      long[] counts = state.outcomes().counts();
      for (int i = 0; i < counts.length; i++) {
        counts[i] = in.readLong();
      }
      List<LockManager> unused = Wire.list(in, this::manager);
      List<Client> none = Wire.list(in, this::client);
      for (LockManager manager : managers) {
        for (LockRequestQueue queue : manager.queues()) {
          for (LockRequest request : Wire.list(in, this::reference)) {
            check(request.queue == queue && request.lock == null, request, "in the wrong queue");
            queue.requests.append(request.inQueue);
          }
        }
        for (LockRequest request : Wire.list(in, this::reference)) {
          HeldLock lock = request.lock;
          check(lock != null && request.manager == manager, request, "in the wrong held lock set");
          manager.restoreHeld(Objects.requireNonNull(lock));
        }
        check(
            manager.queues().stream().noneMatch(LockRequestQueue::isUnused),
            "has a name without locks and requests");
      }
      check(listed.size() == state.heldCount() + state.pendingCount(), "misses a request");
      return state;
    }

    private LockManager manager(DataInputStream in) throws IOException {
      LockManager manager = state.obtainManager(LockCodec.manager(in));
      check(manager.isUnused(), "lists a lock manager twice");
      managers.add(manager);
      Wire.list(in, Wire::string).forEach(manager::getLockRequestQueue);
      return manager;
    }

    private Client client(DataInputStream in) throws IOException {
      ClientId id = LockCodec.client(in);
      check(state.index().client(id) == null, "lists a client twice");
      Client client = state.index().register(id, LockCodec.requester(in));
      clients.add(client);
      long lastSequence = in.readLong();
      for (LockRequest granted : Wire.list(in, lock -> request(lock, client))) {
        state
            .index()
            .grant(new HeldLock(granted, granted.requestedAt)); // writeEntry: since the grant
      }
      List<LockRequest> unused = Wire.list(in, request -> request(request, client));
      client.lastSequence = lastSequence;
      return client;
    }

    private LockRequest request(DataInputStream in, Client client) throws IOException {
      RequestId id = new RequestId(client.id, in.readLong());
      check(state.index().entry(id) == null, "has two requests with the id " + id);
      LockManager manager = element(managers, in.readInt());
      LockOptions options = LockCodec.options(in);
      LockRequestQueue queue = manager.getLockRequestQueue(options.name());
      LockRequest request = new LockRequest(id, client, manager, queue, options, in.readLong());
      state.index().add(request);
      return request;
    }

    private LockRequest reference(DataInputStream in) throws IOException {
      Client client = element(clients, in.readInt());
      LockRequest request = state.index().entry(new RequestId(client.id, in.readLong()));
      if (request == null) {
        throw new IllegalArgumentException(WHAT + " lists a request that it does not contain");
      }
      check(listed.add(request), request, "listed twice");
      return request;
    }

    private static void check(boolean condition, LockRequest request, String otherwise) {
      check(condition, "has " + request + " " + otherwise);
    }

    private static void check(boolean condition, String otherwise) {
      if (!condition) {
        throw new IllegalArgumentException(WHAT + " " + otherwise);
      }
    }

    private static <T> T element(List<T> list, int number) {
      if (number < 0 || number >= list.size()) {
        throw new IllegalArgumentException(WHAT + " has no element " + number);
      }
      return list.get(number);
    }
  }
}
