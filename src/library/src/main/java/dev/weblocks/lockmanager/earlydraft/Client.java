package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The requests and locks of one client, so that the cost of its end depends only on their number.
 * Exists while the client has any.
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
