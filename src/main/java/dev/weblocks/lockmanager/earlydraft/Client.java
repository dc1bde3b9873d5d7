package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.ClientId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one client has, so that its end costs as much as it has and no more. Exists while it has
 * something.
 */
final class Client {
  final ClientId id;

  /** Its requests that wait, by id, in the order in which they were made. */
  final Map<Long, LockRequest> requests = new LinkedHashMap<>();

  /** The locks that it holds, by id, in the order of their grants. */
  final Map<Long, HeldLock> locks = new LinkedHashMap<>();

  Client(ClientId id) {
    this.id = id;
  }

  boolean isIdle() {
    return requests.isEmpty() && locks.isEmpty();
  }
}
