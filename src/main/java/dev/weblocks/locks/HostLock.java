package dev.weblocks.locks;

import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.RequestId;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request by Java code, and the lock that it becomes. Any thread. */
public final class HostLock {

  /** How a lock ends that nobody gave back. */
  public enum Loss {
    /** Another request stole it. */
    STOLEN,
    /** Its client has ended. */
    CLIENT_ENDED
  }

  private enum State {
    /** In the queue of its name, or on its way there. */
    WAITING,
    /** A lock, of which nobody has heard. */
    GRANTED,
    /** A lock that somebody has. */
    HELD,
    /** Given back by who had it. */
    RELEASED,
    /** Will never be anybody's. */
    OVER
  }

  private final HostLockClient client;
  final RequestId id;
  private final String name;
  private final LockMode mode;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /** Completes inside the step of the queue; no code of the embedder depends on it. */
  final CompletableFuture<Boolean> answer = new CompletableFuture<>();

  /** Runs where code of the embedder may run; null if somebody waits for the answer. */
  private final @Nullable Consumer<HostLock> onAnswer;

  private volatile @Nullable Loss loss;
  private final CompletableFuture<Loss> lost = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /** Whether anybody may depend on the future above; guarded by it. */
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

  /** Whether somebody has it who has neither lost it nor given it back. */
  public boolean isHeld() {
    return state.get() == State.HELD && loss == null;
  }

  /** Completes when it is lost; never, if it is given back before. */
  public CompletionStage<Loss> lost() {
    return lost.minimalCompletionStage();
  }

  /** Gives it back, if that has not happened; the stage completes when others may have it. */
  public CompletionStage<Void> release() {
    synchronized (released) {
      releaseAwaited = true;
    }
    giveBack();
    return released.minimalCompletionStage();
  }

  /** Gives it back, if that has not happened. */
  public void giveBack() {
    if (state.compareAndSet(State.HELD, State.RELEASED) && loss == null) {
      client.enqueue(new ReleaseLock(id));
    }
  }

  /** Whether the request was over because the lock was not free. */
  boolean isMissed() {
    return !answer.isCompletedExceptionally() && !answer.getNow(true);
  }

  /**
   * Takes it over, from now on to be released.
   *
   * @return false if it was withdrawn before
   */
  boolean hold() {
    return state.compareAndSet(State.GRANTED, State.HELD);
  }

  /** Aborts the request; what was granted and nobody has goes back. Nothing once it is held. */
  void withdraw() {
    if (state.compareAndSet(State.WAITING, State.OVER)) {
      client.forget(this); // should a grant be on its way, it finds no request
      client.enqueue(new AbortRequest(id));
    } else if (state.compareAndSet(State.GRANTED, State.OVER)) {
      client.enqueue(new ReleaseLock(id));
    }
  }

  /** On the thread of the step. */
  void granted() {
    if (state.compareAndSet(State.WAITING, State.GRANTED)) {
      answer.complete(true);
      tellAnswer();
    } else {
      client.enqueue(new ReleaseLock(id));
    }
  }

  /** On the thread of the step. */
  void unavailable() {
    if (state.compareAndSet(State.WAITING, State.OVER)) {
      answer.complete(false);
      tellAnswer();
    }
  }

  private CompletableFuture<Void> tellAnswer() {
    return onAnswer == null
        ? CompletableFuture.completedFuture(null)
        : client.tell(() -> onAnswer.accept(this));
  }

  /** On the thread of the step. */
  void stolen() {
    lose(Loss.STOLEN);
  }

  /** On the thread of the step. */
  void wasReleased() {
    synchronized (released) {
      if (!releaseAwaited) {
        released.complete(null);
        return;
      }
    }
    client.tell(() -> released.complete(null));
  }

  /** The client has ended. */
  CompletableFuture<Void> clientEnded() {
    if (state.compareAndSet(State.WAITING, State.OVER)
        || state.compareAndSet(State.GRANTED, State.OVER)) {
      answer.completeExceptionally(new CancellationException(HostLockClient.CLOSED));
      return tellAnswer();
    }
    return lose(Loss.CLIENT_ENDED);
  }

  private CompletableFuture<Void> lose(Loss how) {
    if (state.get() == State.OVER) {
      return CompletableFuture.completedFuture(null);
    }
    loss = how;
    boolean givenBack = state.get() == State.RELEASED;
    return client.tell(() -> {
      if (!givenBack) {
        lost.complete(how);
      }
      released.complete(null);
    });
  }
}
