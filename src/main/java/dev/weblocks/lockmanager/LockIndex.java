package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds requests, locks and clients by id, over all lock managers of one user agent.
 *
 * <p>A request and the lock that it becomes have one id, and one entry. The client that lost its
 * last entry most recently is kept: often it is the next one to ask.
 */
final class LockIndex {
  private final OperationCount operations;

  /** Those that wait, and those that have become locks which are held. */
  private final Map<Long, LockRequest> requests = new HashMap<>();

  private int lockCount;
  private long highestId;
  private final Map<ClientId, Client> clients = new HashMap<>();
  private @Nullable Client idle;

  LockIndex(OperationCount operations) {
    this.operations = operations;
  }

  /** Whether there is a request or a lock of that id. */
  boolean isInUse(long id) {
    if (id > highestId) { // most ids are new ones
      return false;
    }
    operations.add();
    return requests.containsKey(id);
  }

  /** Returns the waiting request of that id, or null. */
  @Nullable LockRequest request(long id) {
    operations.add();
    LockRequest request = requests.get(id);
    return request == null || request.lock != null ? null : request;
  }

  /** Returns the held lock of that id, or null. */
  @Nullable HeldLock lock(long id) {
    operations.add();
    LockRequest request = requests.get(id);
    return request == null ? null : request.lock;
  }

  /** Returns the client of that id, or null when it has nothing. */
  @Nullable Client client(ClientId id) {
    operations.add();
    Client client = clients.get(id);
    return client == idle ? null : client;
  }

  /** Returns the client of that id, which is forgotten again unless something is added to it. */
  Client obtainClient(ClientId id) {
    operations.add();
    Client known = idle != null && idle.id.equals(id) ? idle : clients.get(id);
    return known == null ? new Client(id, operations) : known;
  }

  void add(LockRequest request) {
    operations.add();
    requests.put(request.id, request);
    highestId = Math.max(highestId, request.id);
    know(request.client);
    request.client.requests.append(request.inClient);
  }

  /** The request is a lock from now on. */
  void grant(LockRequest request, HeldLock lock) {
    request.lock = lock;
    lockCount++;
    lock.client.requests.remove(request.inClient);
    lock.client.locks.append(lock.inClient);
  }

  void remove(LockRequest request) {
    operations.add();
    requests.remove(request.id);
    request.client.requests.remove(request.inClient);
    forgetIfIdle(request.client);
  }

  void remove(HeldLock lock) {
    operations.add();
    requests.remove(lock.id);
    lockCount--;
    lock.client.locks.remove(lock.inClient);
    forgetIfIdle(lock.client);
  }

  int requestCount() {
    return requests.size() - lockCount;
  }

  int lockCount() {
    return lockCount;
  }

  int clientCount() {
    return clients.size() - (idle == null ? 0 : 1);
  }

  private void know(Client client) {
    if (client == idle) {
      idle = null;
    } else if (client.requests.isEmpty() && client.locks.isEmpty()) {
      operations.add();
      clients.put(client.id, client);
    }
  }

  private void forgetIfIdle(Client client) {
    if (client.requests.isEmpty() && client.locks.isEmpty()) {
      if (idle != null) {
        operations.add();
        clients.remove(idle.id);
      }
      idle = client;
    }
  }
}
