package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Buckets;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * A request, the lock that it becomes, a query, or a command about a bucket, on the side of the
 * user agent. The opening of a bucket stays until the bucket is deleted.
 */
final class OpenRequest {

  enum State {
    /** A request without a lock; a query without an answer. */
    WAITING,
    /** A lock whose grant has arrived, and was not delivered yet. */
    GRANTED,
    HELD,
    /** A lock whose release is in flight. */
    RELEASING
  }

  final RequestId id;
  final LockCommand command;
  private final LockRequester requester;

  /** The command that has opened the bucket of a request; null for a bucket without one. */
  private final @Nullable OpenRequest opening;

  State state = State.WAITING;

  /** When the request was made or the lock was granted, by the clock of the driver. */
  long since;

  /** The number of the incarnation of a bucket, if this command has opened one; otherwise 0. */
  long incarnation;

  OpenRequest(
      RequestId id,
      LockCommand command,
      LockRequester requester,
      @Nullable OpenRequest opening,
      long since) {
    this.id = id;
    this.command = command;
    this.requester = requester;
    this.opening = opening;
    this.since = since;
  }

  /** Returns the command for the next session. */
  LockCommand again() {
    return command instanceof OpenBucket open
        ? new OpenBucket(open.id(), open.bucket(), incarnation)
        : command;
  }

  boolean isQuery() {
    return !(command instanceof RequestLock);
  }

  boolean isLock() {
    return state != State.WAITING;
  }

  /** Returns a transition of a request. */
  LockTransition transition(Kind kind, long now, boolean clientEnded) {
    RequestLock request = request();
    return new LockTransition(
        kind,
        id,
        request.manager(),
        request.options(),
        requester,
        kind == Kind.REQUESTED || kind == Kind.MISSED ? 0 : now - since,
        clientEnded,
        null,
        null);
  }

  /** Returns the line of a request in a diagnosis. */
  LockState describe(int place) {
    RequestLock request = request();
    return new LockState(id, request.manager(), request.options(), place, requester, since);
  }

  /** Returns the line of a lock, with the key of its lock manager in the cluster. */
  LockState describeInCluster() {
    LockState state = describe(0);
    return opening != null && opening.command instanceof OpenBucket open
        ? new LockState(
            id,
            Buckets.managerOf(open.bucket(), opening.incarnation),
            state.options(),
            state.place(),
            requester,
            since)
        : state;
  }

  private RequestLock request() {
    if (command instanceof RequestLock request) {
      return request;
    }
    throw new IllegalStateException("not a request: " + command);
  }
}
