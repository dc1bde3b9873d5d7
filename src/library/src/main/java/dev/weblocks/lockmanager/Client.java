package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockRequester;

/**
 * A registered client with its locks and requests in all lock managers. The cost of its end depends
 * only on the number of these locks and requests.
 */
final class Client {
  final ClientId id;
  final LockRequester requester;

  /** The waiting requests of the client, in the order in which they were made. */
  final Chain<LockRequest> requests;

  /** The locks of the client, in the order in which they were granted. */
  final Chain<HeldLock> locks;

  /** The highest sequence number of a request of the client so far; 0 before the first request. */
  long lastSequence;

  Client(ClientId id, LockRequester requester, OperationCount operations) {
    this.id = id;
    this.requester = requester;
    requests = new Chain<>(operations);
    locks = new Chain<>(operations);
  }
}
