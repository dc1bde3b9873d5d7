package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.Variant;
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
 * managers are sorted. Names, queues, held lock sets and the chains of a client keep their order,
 * since later commands depend on it.
 */
final class StateCodec {

  private static final String WHAT = "a lock state";

  private StateCodec() {}

  static byte[] write(LockManagers state) {
    WireOutput out = new WireOutput();
    out.list(Variant.ids(state.variants()), out::string);
    for (long count : state.transitions().counts()) {
      out.number64(count);
    }
    List<LockManager> managers =
        state.inUse().stream().sorted(Comparator.comparing(each -> each.id.value())).toList();
    Map<LockRequestQueue, Integer> queueNumbers = new HashMap<>();
    out.list(
        managers,
        manager -> {
          LockCodec.write(out, manager.id);
          out.list(
              manager.queues(),
              queue -> {
                queueNumbers.put(queue, queueNumbers.size());
                out.string(queue.name);
              });
        });
    List<Client> clients =
        state.index().clients().stream()
            .sorted(Comparator.comparing(each -> each.id.value()))
            .toList();
    Map<Client, Integer> clientNumbers = new HashMap<>();
    out.list(
        clients,
        client -> {
          clientNumbers.put(client, clientNumbers.size());
          LockCodec.write(out, client.id);
          LockCodec.write(out, client.requester);
          out.number64(client.lastSequence);
          out.list(
              client.locks.items(),
              lock ->
                  writeEntry(
                      out,
                      lock.id,
                      number(queueNumbers, lock.queue),
                      lock.options,
                      lock.grantedAt));
          out.list(
              client.requests.items(),
              request ->
                  writeEntry(
                      out,
                      request.id,
                      number(queueNumbers, request.queue),
                      request.options,
                      request.requestedAt));
        });
    for (LockManager manager : managers) {
      for (LockRequestQueue queue : manager.queues()) {
        out.list(
            queue.requests.items(),
            request -> writeReference(out, number(clientNumbers, request.client), request.id));
      }
      out.list(
          manager.heldLocks(),
          lock -> writeReference(out, number(clientNumbers, lock.client), lock.id));
    }
    return out.toBytes();
  }

  private static <T> int number(Map<T, Integer> numbers, T element) {
    return Objects.requireNonNull(numbers.get(element));
  }

  private static void writeEntry(
      WireOutput out, RequestId id, int queue, LockOptions options, long since) {
    out.number64(id.sequence());
    out.number32(queue);
    LockCodec.write(out, options);
    out.number64(since);
  }

  private static void writeReference(WireOutput out, int client, RequestId id) {
    out.number32(client);
    out.number64(id.sequence());
  }

  /** Returns lock managers in the encoded state. */
  static LockManagers read(byte[] bytes, Set<Variant> variants) {
    return WireInput.read(bytes, WHAT, in -> new Reader(in, variants).read());
  }

  private static final class Reader {
    private final WireInput in;
    private final LockManagers state;
    private final Set<Variant> variants;
    private final List<LockManager> managers = new ArrayList<>();
    private final List<LockRequestQueue> queues = new ArrayList<>();
    private final List<LockManager> managersOfQueues = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final Set<LockRequest> listed = new HashSet<>();

    Reader(WireInput in, Set<Variant> variants) {
      this.in = in;
      this.variants = variants;
      this.state = new LockManagers(variants);
    }

    LockManagers read() {
      List<String> ids = in.list(in::string);
      if (!ids.equals(Variant.ids(variants))) {
        throw new IllegalArgumentException(
            "%s was written under the variants %s, but is read under %s"
                .formatted(WHAT, ids, Variant.ids(variants)));
      }
      long[] counts = state.transitions().counts();
      for (int i = 0; i < counts.length; i++) {
        counts[i] = in.number64();
      }
      List<LockManager> unused = in.list(this::manager);
      List<Client> none = in.list(this::client);
      for (LockManager manager : managers) {
        for (LockRequestQueue queue : manager.queues()) {
          for (LockRequest request : in.list(this::reference)) {
            check(request.queue == queue && request.lock == null, request, "in another queue");
            queue.requests.append(request.inQueue);
          }
        }
        for (LockRequest request : in.list(this::reference)) {
          HeldLock lock = request.lock;
          check(lock != null && lock.manager == manager, request, "in another held lock set");
          manager.restoreHeld(Objects.requireNonNull(lock));
        }
      }
      check(listed.size() == state.heldCount() + state.pendingCount(), "misses a request");
      check(queues.stream().noneMatch(LockRequestQueue::isUnused), "has a name without requests");
      return state;
    }

    private LockManager manager() {
      LockManager manager = state.obtainManager(LockCodec.manager(in));
      check(manager.isUnused(), "lists a lock manager twice");
      managers.add(manager);
      for (String name : in.list(in::string)) {
        queues.add(manager.getLockRequestQueue(name));
        managersOfQueues.add(manager);
      }
      return manager;
    }

    private Client client() {
      ClientId id = LockCodec.client(in);
      check(state.index().client(id) == null, "lists a client twice");
      Client client = state.index().register(id, LockCodec.requester(in));
      clients.add(client);
      long lastSequence = in.number64();
      for (LockRequest granted : in.list(() -> request(client))) {
        state.index().grant(granted, new HeldLock(granted, granted.requestedAt));
      }
      List<LockRequest> unused = in.list(() -> request(client));
      client.lastSequence = lastSequence;
      return client;
    }

    private LockRequest request(Client client) {
      long sequence = in.number64();
      int queue = in.number32();
      LockOptions options = LockCodec.options(in);
      long since = in.number64();
      RequestId id = new RequestId(client.id, sequence);
      check(state.index().entry(id) == null, "has two requests with the id " + id);
      LockRequest request =
          new LockRequest(
              id, client, element(managersOfQueues, queue), element(queues, queue), options, since);
      state.index().add(request);
      return request;
    }

    private LockRequest reference() {
      Client client = element(clients, in.number32());
      LockRequest request = state.index().entry(new RequestId(client.id, in.number64()));
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
