package dev.weblocks.cluster.session;

import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.RequestId;

/** A request, the lock that it becomes, or a query, on the side of the user agent. */
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
  State state = State.WAITING;

  /** When the request was made or the lock was granted, by the clock of the driver. */
  long since;

  OpenRequest(RequestId id, LockCommand command, LockRequester requester, long since) {
    this.id = id;
    this.command = command;
    this.requester = requester;
    this.since = since;
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
        null);
  }

  /** Returns the line of a request in a diagnosis. */
  LockState describe(int place) {
    RequestLock request = request();
    return new LockState(id, request.manager(), request.options(), place, requester, since);
  }

  private RequestLock request() {
    if (command instanceof RequestLock request) {
      return request;
    }
    throw new IllegalStateException("not a request: " + command);
  }
}
