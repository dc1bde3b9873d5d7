package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;

/**
 * What one client has in all lock managers together, so that its end costs as much as it has and no
 * more. Exists while it has something.
 */
final class Client {
  final ClientId id;

  /** Its requests that wait, in the order in which they were made. */
  final Chain<LockRequest> requests;

  /** The locks it holds, in the order in which they were granted. */
  final Chain<HeldLock> locks;

  Client(ClientId id, OperationCount operations) {
    this.id = id;
    requests = new Chain<>(operations);
    locks = new Chain<>(operations);
  }
}
