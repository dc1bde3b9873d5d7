package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests, locks and clients of all lock managers of one user agent, by id. A request and the
 * lock that it becomes share one id and one entry.
 */
final class LockIndex {
  private final OperationCount operations;

  /** Waiting requests, and requests that have become held locks. */
  private final Map<RequestId, LockRequest> requests = new HashMap<>();

  private final Map<ClientId, Client> clients = new HashMap<>();
  private int lockCount;

  LockIndex(OperationCount operations) {
    this.operations = operations;
  }

  /** Registers a client if it is not registered yet; returns it. */
  Client register(ClientId id, LockRequester requester) {
    operations.add();
    return clients.computeIfAbsent(id, unknown -> new Client(id, requester, operations));
  }

  /** Removes a client, which must have neither locks nor requests. */
  void unregister(Client client) {
    operations.add();
    clients.remove(client.id);
  }

  @Nullable Client client(ClientId id) {
    operations.add();
    return clients.get(id);
  }

  Collection<Client> clients() {
    return Collections.unmodifiableCollection(clients.values());
  }

  /** Returns whether a request or a lock of this client has this id. */
  boolean isInUse(RequestId id, Client client) {
    if (id.sequence() > client.lastSequence) { // most ids are new ones
      return false;
    }
    operations.add();
    return requests.containsKey(id);
  }

  /** Returns the request with this id, waiting or held; null if there is none. */
  @Nullable LockRequest entry(RequestId id) {
    return requests.get(id);
  }

  @Nullable LockRequest request(RequestId id) {
    operations.add();
    LockRequest request = requests.get(id);
    return request == null || request.lock != null ? null : request;
  }

  @Nullable HeldLock lock(RequestId id) {
    operations.add();
    LockRequest request = requests.get(id);
    return request == null ? null : request.lock;
  }

  void add(LockRequest request) {
    operations.add();
    requests.put(request.id, request);
    Client client = request.client;
    client.lastSequence = Math.max(client.lastSequence, request.id.sequence());
    client.requests.append(request.inClient);
  }

  void grant(HeldLock lock) {
    LockRequest request = lock.request;
    request.lock = lock;
    lockCount++;
    request.client.requests.remove(request.inClient);
    request.client.locks.append(lock.inClient);
  }

  void remove(LockRequest request) {
    operations.add();
    requests.remove(request.id);
    request.client.requests.remove(request.inClient);
  }

  void remove(HeldLock lock) {
    operations.add();
    requests.remove(lock.request.id);
    lockCount--;
    lock.request.client.locks.remove(lock.inClient);
  }

  int requestCount() {
    return requests.size() - lockCount;
  }

  int lockCount() {
    return lockCount;
  }

  int clientCount() {
    return clients.size();
  }
}
