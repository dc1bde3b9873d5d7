package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a request and its lock. A request is made; then it is granted, refused
 * because the lock is not free, or aborted. A granted lock is released or stolen. No step recurs.
 *
 * @param kind the step
 * @param id of the request, and of the lock
 * @param options of the request
 * @param nanos for a grant or abort, the time that the request had waited; for a release or steal,
 *     the time that the lock had been held; 0 for all other kinds. By the clock of the driver
 * @param clientEnded whether the reason of an abort or release is the end of the client
 * @param cause for a grant, the request or lock whose transition made it possible: itself, or one
 *     that has left; for a steal, the request that steals, whose sequence is 0 after a forced
 *     release of the early draft; null for all other kinds, and for grants of the early draft
 * @param effect the effect on the client; null for none
 */
public record LockTransition(
    Kind kind,
    RequestId id,
    ManagerId manager,
    LockOptions options,
    LockRequester requester,
    long nanos,
    boolean clientEnded,
    @Nullable RequestId cause,
    @Nullable LockEffect effect)
    implements LockOutcome {

  /** Returns the resource name. */
  public String name() {
    return options.name();
  }

  /** Returns the mode of the request. */
  public LockMode mode() {
    return options.mode();
  }

  /** Returns the behaviour that was requested for the case that the lock is not free. */
  public WaitMode waitMode() {
    return options.waitMode();
  }

  /** Returns the client that made the request. */
  public ClientId client() {
    return id.client();
  }

  /** Returns the client that stole the lock; null for all kinds but a steal. */
  public @Nullable ClientId thief() {
    return kind == Kind.STOLEN && cause != null ? cause.client() : null;
  }

  /** Returns the event for the listener of the embedder. */
  public LockEvent event() {
    ClientId thief = thief();
    return new LockEvent(
        id.sequence(),
        requester.origin(),
        manager.bucket(),
        options.name(),
        options.mode(),
        id.client().value(),
        requester.agent(),
        requester.url(),
        Duration.ofNanos(nanos),
        clientEnded,
        thief == null ? null : thief.value());
  }

  /** The kind of a transition. */
  public enum Kind {
    REQUESTED,
    GRANTED,
    /** The lock was not free, and the request was {@code ifAvailable}. */
    MISSED,
    /** The request left its queue: its signal was aborted, or its client has ended. */
    ABORTED,
    /** The lock was released, or its client has ended. */
    RELEASED,
    STOLEN
  }
}
