package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds requests, locks and clients by id, over all lock managers of one user agent. */
final class LockIndex {
  private final OperationCount operations;
  private final Map<Long, LockRequest> requests = new HashMap<>();
  private final Map<Long, HeldLock> locks = new HashMap<>();
  private final Map<ClientId, Client> clients = new HashMap<>();

  LockIndex(OperationCount operations) {
    this.operations = operations;
  }

  /** Returns the waiting request of that id, or null. */
  @Nullable LockRequest request(long id) {
    operations.add();
    return requests.get(id);
  }

  /** Returns the held lock of that id, or null. */
  @Nullable HeldLock lock(long id) {
    operations.add();
    return locks.get(id);
  }

  /** Returns the client of that id, or null when it has nothing. */
  @Nullable Client client(ClientId id) {
    operations.add();
    return clients.get(id);
  }

  /** Returns the client of that id, which is forgotten again unless something is added to it. */
  Client obtainClient(ClientId id) {
    Client known = client(id);
    return known == null ? new Client(id, operations) : known;
  }

  void add(LockRequest request) {
    operations.add();
    requests.put(request.id, request);
    know(request.client);
    request.client.requests.append(request.inClient);
  }

  void add(HeldLock lock) {
    operations.add();
    locks.put(lock.id, lock);
    know(lock.client);
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
    locks.remove(lock.id);
    lock.client.locks.remove(lock.inClient);
    forgetIfIdle(lock.client);
  }

  int requestCount() {
    return requests.size();
  }

  int lockCount() {
    return locks.size();
  }

  int clientCount() {
    return clients.size();
  }

  private void know(Client client) {
    if (client.requests.isEmpty() && client.locks.isEmpty()) {
      operations.add();
      clients.put(client.id, client);
    }
  }

  private void forgetIfIdle(Client client) {
    if (client.requests.isEmpty() && client.locks.isEmpty()) {
      operations.add();
      clients.remove(client.id);
    }
  }
}
