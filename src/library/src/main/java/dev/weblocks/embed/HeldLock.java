package dev.weblocks.embed;

import dev.weblocks.agent.StackReserve;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.LockMode;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was granted to Java code by a {@link LockClient}. It is held until {@link #close()},
 * {@link #release()}, the end of its client, or a steal. Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="heldLock"}
 */
public final class HeldLock implements AutoCloseable {

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

  private final LockClient client;
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
  private final @Nullable Consumer<HeldLock> onAnswer;

  private volatile @Nullable LockLoss loss;

  /** Why remote lock managers did not accept the request; null if they did. */
  private volatile @Nullable String refusal;

  private volatile long fencingToken;
  private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /**
   * Whether {@link #release} has returned a future to the embedder; guarded by {@code released}.
   */
  private boolean releaseAwaited;

  /** Creates a request; the embedder gets it once it is a lock. */
  HeldLock(
      LockClient client,
      RequestId id,
      String name,
      LockMode mode,
      @Nullable Consumer<HeldLock> onAnswer) {
    this.client = client;
    this.id = id;
    this.name = name;
    this.mode = mode;
    this.onAnswer = onAnswer;
  }

  /** Returns the resource name. */
  public String name() {
    return name;
  }

  /** Returns the mode in which the lock was granted. */
  public LockMode mode() {
    return mode;
  }

  /**
   * Returns whether the lock is held: neither released nor lost. A steal changes the result only
   * after a short delay.
   */
  public boolean isHeld() {
    // in this order: without a session, all losses were delivered
    return client.isCurrent() && state.get() == State.HELD && loss == null;
  }

  /**
   * Returns the fencing token of this lock: a positive number, greater than those of all locks that
   * were granted before. A resource that remembers the greatest token it has seen, and refuses
   * smaller ones, is safe from a holder that has lost its lock without knowing it yet. With a
   * {@link LockBackend}, it counts the grants of all that share the locks; otherwise those to Java
   * code in this user agent.
   */
  public long fencingToken() {
    return fencingToken;
  }

  /**
   * Returns a future that completes if the lock is lost before it is released; otherwise never.
   * Dependents run as described in {@link LockClient}.
   */
  public CompletableFuture<LockLoss> lost() {
    return lost.copy();
  }

  /**
   * Releases the lock; no-op if it has already been released or lost.
   *
   * @return a future that completes when the lock can be granted to others
   */
  public CompletableFuture<Void> release() {
    synchronized (released) {
      releaseAwaited = true;
    }
    giveBack(client::enqueue);
    return released.copy();
  }

  /**
   * Releases the lock; no-op if it has already been released or lost. Returns at once: later
   * requests of the same user agent see the lock free, those of others a moment later.
   */
  @Override
  public void close() {
    giveBack(client::enqueueUnhurried);
  }

  private void giveBack(Consumer<ReleaseLock> way) {
    StackReserve.requireForStep();
    ReleaseLock command = new ReleaseLock(id);
    if (state.compareAndSet(State.HELD, State.RELEASED) && loss == null) {
      way.accept(command);
    }
  }

  /**
   * Runs work, and releases the lock when the stage of the work settles. The result completes as
   * that stage does, or when the lock is lost.
   */
  <T> void holdWhile(
      Function<? super HeldLock, ? extends CompletionStage<T>> work, CompletableFuture<T> result) {
    lost()
        .thenAccept(loss ->
            result.completeExceptionally(
                switch (loss) {
                  case STOLEN -> new LockStolenException(name, "stolen by another request");
                  case SESSION_LOST ->
                      new LockStolenException(
                          name, "lost, as the lock cluster could not be reached");
                  case CLIENT_CLOSED -> new CancellationException("the lock client was closed");
                }));
    CompletionStage<T> outcome;
    try {
      outcome = Objects.requireNonNull(work.apply(this), "the work returned null, not a stage");
    } catch (Throwable thrown) {
      outcome = CompletableFuture.failedFuture(thrown);
    }
    outcome.whenComplete((value, failure) ->
        release()
            .thenRun(() -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            }));
  }

  /**
   * Passes the lock to the embedder, which must release it. Called after the answer.
   *
   * @return null if the lock was not free
   * @throws IllegalStateException if the request was not accepted
   * @throws CancellationException if the request was withdrawn, or the client has ended
   */
  @Nullable HeldLock take() {
    if (!answer.isCompletedExceptionally() && !answer.getNow(true)) {
      return null;
    }
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
    if (!state.compareAndSet(State.GRANTED, State.HELD)) {
      throw new CancellationException(LockClient.CLOSED);
    }
    return this;
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
      answer.completeExceptionally(new CancellationException(LockClient.CLOSED));
      return deliverAnswer();
    }
    return lose(LockLoss.CLIENT_CLOSED);
  }

  /** Handles a loss. Called on the thread that runs the lock step, or that ends the client. */
  CompletableFuture<Void> lose(LockLoss how) {
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

  @Override
  public String toString() {
    return "lock '" + name + "', " + mode + (isHeld() ? ", held" : ", no longer held");
  }
}
