package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An index of the requests and locks of one client: the cost of the end of the client depends only
 * on their number. An index exists only while the client has a request or lock.
 */
final class Client {
  final ClientId id;

  /** The waiting requests of the client, by id, in the order in which they were made. */
  final Map<Long, LockRequest> requests = new LinkedHashMap<>();

  /** The locks of the client, by id, in the order of their grants. */
  final Map<Long, HeldLock> locks = new LinkedHashMap<>();

  Client(ClientId id) {
    this.id = id;
  }

  boolean isIdle() {
    return requests.isEmpty() && locks.isEmpty();
  }
}
