package dev.weblocks.locks;

import dev.weblocks.agent.StackReserve;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.LockMode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lock request of Java code, and the lock that it becomes. Thread-safe. */
public final class HostLock {

  private enum State {
    /** A request in the queue of its name, or about to enter it. */
    WAITING,
    /** A granted lock that was not yet passed to the embedder. */
    GRANTED,
    HELD,
    RELEASED,
    /** A request or lock that ended without being passed to the embedder. */
    OVER
  }

  private final HostLockClient client;
  final RequestId id;
  private final String name;
  private final LockMode mode;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /**
   * The answer: whether the lock was granted. Completes in a lock step, so its dependents must not
   * run code of the embedder.
   */
  final CompletableFuture<Boolean> answer = new CompletableFuture<>();

  /** The handler of the answer, which may run embedder code; null if a thread waits instead. */
  private final @Nullable Consumer<HostLock> onAnswer;

  private volatile @Nullable LockLoss loss;

  /** Why remote lock managers did not accept the request; null if they did. */
  private volatile @Nullable String refusal;

  private volatile long fencingToken;
  private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /** Whether {@link #release} has returned a stage to the embedder; guarded by {@code released}. */
  private boolean releaseAwaited;

  HostLock(
      HostLockClient client,
      RequestId id,
      String name,
      LockMode mode,
      @Nullable Consumer<HostLock> onAnswer) {
    this.client = client;
    this.id = id;
    this.name = name;
    this.mode = mode;
    this.onAnswer = onAnswer;
  }

  public String name() {
    return name;
  }

  public LockMode mode() {
    return mode;
  }

  /** Returns whether the embedder has the lock, and has neither lost nor released it. */
  public boolean isHeld() {
    // in this order: without a session, all losses were delivered
    return client.isCurrent() && state.get() == State.HELD && loss == null;
  }

  /** Returns the fencing token of the lock; 0 before the grant. */
  public long fencingToken() {
    return fencingToken;
  }

  @Nullable String refusal() {
    return refusal;
  }

  /** Returns a stage that completes when the lock is lost; never if the lock is released first. */
  public CompletionStage<LockLoss> lost() {
    return lost.minimalCompletionStage();
  }

  /** Releases the lock; idempotent. The stage completes when the lock is no longer held. */
  public CompletionStage<Void> release() {
    synchronized (released) {
      releaseAwaited = true;
    }
    giveBack(client::enqueue);
    return released.minimalCompletionStage();
  }

  /** Does the same as {@link #release()}, but returns no stage. */
  public void giveBack() {
    giveBack(client::enqueueUnhurried);
  }

  private void giveBack(Consumer<ReleaseLock> way) {
    StackReserve.requireForStep();
    ReleaseLock command = new ReleaseLock(id);
    if (state.compareAndSet(State.HELD, State.RELEASED) && loss == null) {
      way.accept(command);
    }
  }

  boolean isMissed() {
    return !answer.isCompletedExceptionally() && !answer.getNow(true);
  }

  /**
   * Marks the lock as passed to the embedder, which must release it.
   *
   * @return false if the request was withdrawn or the client has ended
   */
  boolean hold() {
    return state.compareAndSet(State.GRANTED, State.HELD);
  }

  /**
   * Aborts the request, or releases the lock if it was granted but not passed to the embedder.
   * No-op once the embedder has the lock.
   */
  void withdraw() {
    if (state.compareAndSet(State.WAITING, State.OVER)) {
      client.forget(this); // if a grant is in flight, it finds no request
      client.enqueue(new AbortRequest(id));
    } else if (state.compareAndSet(State.GRANTED, State.OVER)) {
      client.enqueue(new ReleaseLock(id));
    }
  }

  /**
   * Handles the grant. Called on the thread that runs the lock step.
   *
   * @param token the fencing token
   */
  void granted(long token) {
    fencingToken = token;
    if (state.compareAndSet(State.WAITING, State.GRANTED)) {
      answer.complete(true);
      deliverAnswer();
    } else {
      client.enqueue(new ReleaseLock(id));
    }
  }

  /**
   * Handles the answer that the lock was not free. Called on the thread that runs the lock step.
   */
  void unavailable() {
    if (state.compareAndSet(State.WAITING, State.OVER)) {
      answer.complete(false);
      deliverAnswer();
    }
  }

  private CompletableFuture<Void> deliverAnswer() {
    return onAnswer == null
        ? CompletableFuture.completedFuture(null)
        : client.schedule(() -> onAnswer.accept(this));
  }

  /**
   * Handles that the request was not accepted. Called on the thread that runs the lock step.
   *
   * @param message says why
   */
  void refused(String message) {
    refusal = message;
    if (state.compareAndSet(State.WAITING, State.OVER)) {
      answer.complete(true);
      deliverAnswer();
    }
  }

  /** Handles a steal. Called on the thread that runs the lock step. */
  void stolen() {
    lose(LockLoss.STOLEN);
  }

  /** Handles the loss of the session. Called on the thread that runs the lock step. */
  void sessionLost() {
    lose(LockLoss.SESSION_LOST);
  }

  /** Handles the completed release. Called on the thread that runs the lock step. */
  void wasReleased() {
    synchronized (released) {
      if (!releaseAwaited) {
        released.complete(null);
        return;
      }
    }
    client.schedule(() -> released.complete(null));
  }

  /** Handles the client's end; the future completes once all affected futures have completed. */
  CompletableFuture<Void> clientEnded() {
    if (state.compareAndSet(State.WAITING, State.OVER)
        || state.compareAndSet(State.GRANTED, State.OVER)) {
      answer.completeExceptionally(new CancellationException(HostLockClient.CLOSED));
      return deliverAnswer();
    }
    return lose(LockLoss.CLIENT_CLOSED);
  }

  private CompletableFuture<Void> lose(LockLoss how) {
    if (state.get() == State.OVER) {
      return CompletableFuture.completedFuture(null);
    }
    loss = how;
    boolean givenBack = state.get() == State.RELEASED;
    return client.schedule(() -> {
      if (!givenBack) {
        lost.complete(how);
      }
      released.complete(null);
    });
  }
}
