package dev.weblocks.embed;

import dev.weblocks.locks.HostLock;
import dev.weblocks.locks.HostLockClient;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client with which Java code uses the locks of an origin, as another document does; {@link
 * UserAgent#openLockClient(String)} opens one. Its requests enter the same queues as those of
 * {@code navigator.locks}, in order of arrival. Each client has its own id, which {@code query()}
 * returns to script.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="lockClient"}
 *
 * <p>Thread-safe; with a deterministic driver, only for use on the thread that runs the driver.
 *
 * <p><b>Threads of dependents.</b> Dependents of a future of a client, or of its locks, run on the
 * executor of the client ({@link LockClientOptions.Builder#executor}). Without an executor, a
 * thread pool driver runs them on a thread that runs no agent; any other driver runs them inside
 * the methods that run the driver. If a future is already complete, they run on the current thread,
 * as with any {@code CompletableFuture}. Dependents never delay the locks of others, and must not
 * block unless the client has an executor. Two dependents may run at the same time and in any
 * order.
 *
 * <p><b>Cancellation.</b> Cancelling a future, or completing it in any other way, such as by {@link
 * CompletableFuture#orTimeout}, aborts the request. A lock that is granted nevertheless is released
 * at once. Once a future has completed with a lock, cancellation has no effect: close the lock.
 *
 * <p>All names are allowed except those that begin with {@code -}, which Web Locks reserves: they
 * cause an {@link IllegalArgumentException}. Locks are not reentrant: a client that holds a lock
 * waits for itself if it requests that lock again. After {@link #close()}, and once the storage
 * bucket has been deleted, each method except {@code close()} throws an {@link
 * IllegalStateException}.
 */
public final class LockClient implements AutoCloseable {

  private final dev.weblocks.agent.UserAgent userAgent;
  private final HostLockClient client;

  LockClient(dev.weblocks.agent.UserAgent userAgent, HostLockClient client) {
    this.userAgent = userAgent;
    this.client = client;
  }

  /** Returns the id of this client in the result of {@code navigator.locks.query()}. */
  public String clientId() {
    return client.id();
  }

  /** Returns the name of this client, as in {@link LockEntry#agent()} and events. */
  public String name() {
    return client.name();
  }

  /** Requests a lock in exclusive mode. */
  public CompletableFuture<HeldLock> request(String name) {
    return request(name, LockMode.EXCLUSIVE);
  }

  /**
   * Requests a lock.
   *
   * @return a future that completes with the lock once it is granted; with a {@link
   *     CancellationException} if the client or the user agent is closed first
   */
  public CompletableFuture<HeldLock> request(String name, LockMode mode) {
    return client.request(
        checked(name), Objects.requireNonNull(mode, "mode"), WaitMode.WAIT, LockClient::granted);
  }

  /** Requests a lock in exclusive mode if it can be granted at once. */
  public CompletableFuture<Optional<HeldLock>> requestIfAvailable(String name) {
    return requestIfAvailable(name, LockMode.EXCLUSIVE);
  }

  /**
   * Requests a lock if it can be granted at once, as {@code ifAvailable} does.
   *
   * @return a future that completes with the lock, or with an empty result if it cannot be granted
   *     at once
   */
  public CompletableFuture<Optional<HeldLock>> requestIfAvailable(String name, LockMode mode) {
    return client.request(
        checked(name),
        Objects.requireNonNull(mode, "mode"),
        WaitMode.IF_AVAILABLE,
        lock -> Optional.ofNullable(lock).map(HeldLock::new));
  }

  /**
   * Takes a lock, in exclusive mode, from all its holders and ahead of all waiting requests, as
   * {@code steal} does. Script that held it gets an {@code AbortError}; for Java code, {@link
   * HeldLock#lost()} completes.
   */
  public CompletableFuture<HeldLock> steal(String name) {
    return client.request(checked(name), LockMode.EXCLUSIVE, WaitMode.STEAL, LockClient::granted);
  }

  /** Runs work while holding a lock in exclusive mode. */
  public <T> CompletableFuture<T> withLock(
      String name, Function<? super HeldLock, ? extends CompletionStage<T>> work) {
    return withLock(name, LockMode.EXCLUSIVE, work);
  }

  /**
   * Runs work while holding a lock: the lock is held until the stage that the work returns settles,
   * as with {@code navigator.locks.request(name, callback)}.
   *
   * @param work gets the lock; must return soon. If it throws, the lock is released
   * @return a future that completes as the stage of the work does, once the lock is released; with
   *     a {@link LockStolenException} as soon as the lock is stolen, or its session is lost. If
   *     this future is cancelled before the grant, the request is aborted and the work never runs;
   *     if it is cancelled later, the work continues, and the lock stays held until the stage of
   *     the work settles
   */
  public <T> CompletableFuture<T> withLock(
      String name, LockMode mode, Function<? super HeldLock, ? extends CompletionStage<T>> work) {
    Objects.requireNonNull(work, "work");
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<HeldLock> request = request(name, mode);
    request.whenComplete((lock, failure) -> {
      if (lock == null) {
        result.completeExceptionally(
            failure == null
                ? new IllegalStateException("the request ended with neither a lock nor a failure")
                : failure);
      } else if (result.isDone()) {
        lock.close();
      } else {
        work(lock, work, result);
      }
    });
    result.whenComplete((value, failure) -> request.cancel(false));
    return result;
  }

  private static <T> void work(
      HeldLock lock,
      Function<? super HeldLock, ? extends CompletionStage<T>> work,
      CompletableFuture<T> result) {
    lock.lost()
        .thenAccept(loss ->
            result.completeExceptionally(
                switch (loss) {
                  case STOLEN -> new LockStolenException(lock.name(), "stolen by another request");
                  case SESSION_LOST ->
                      new LockStolenException(
                          lock.name(), "lost, as the lock cluster could not be reached");
                  case CLIENT_CLOSED -> new CancellationException("the lock client was closed");
                }));
    CompletionStage<T> outcome;
    try {
      outcome = Objects.requireNonNull(work.apply(lock), "the work returned null, not a stage");
    } catch (Throwable thrown) {
      outcome = CompletableFuture.failedFuture(thrown);
    }
    outcome.whenComplete((value, failure) ->
        lock.release()
            .thenRun(() -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            }));
  }

  /** Acquires a lock in exclusive mode if it can be granted at once. */
  public Optional<HeldLock> tryAcquire(String name) throws InterruptedException {
    return tryAcquire(name, LockMode.EXCLUSIVE);
  }

  /**
   * Acquires a lock if it can be granted at once, as {@code ifAvailable} does. Waits only for the
   * decision, never for a release. Otherwise like {@link #acquire(String, LockMode, Duration)}.
   *
   * @return the lock; empty if it cannot be granted at once
   */
  public Optional<HeldLock> tryAcquire(String name, LockMode mode) throws InterruptedException {
    HostLock lock =
        client.await(checked(name), Objects.requireNonNull(mode, "mode"), WaitMode.IF_AVAILABLE);
    return Optional.ofNullable(lock).map(HeldLock::new);
  }

  /**
   * Waits for a lock in exclusive mode, without a time limit. Not reentrant: waits forever if this
   * client holds the lock.
   */
  public HeldLock acquire(String name) throws InterruptedException {
    return acquire(name, LockMode.EXCLUSIVE);
  }

  /**
   * Blocks the current thread until it gets a lock, without a time limit. Otherwise like {@link
   * #acquire(String, LockMode, Duration)}.
   *
   * @throws IllegalStateException also if a deterministic driver has nothing left to run that could
   *     release the lock
   */
  public HeldLock acquire(String name, LockMode mode) throws InterruptedException {
    return granted(
        client.await(checked(name), Objects.requireNonNull(mode, "mode"), WaitMode.WAIT));
  }

  /** Waits for a lock in exclusive mode, for a limited time. */
  public HeldLock acquire(String name, Duration timeout)
      throws InterruptedException, TimeoutException {
    return acquire(name, LockMode.EXCLUSIVE, timeout);
  }

  /**
   * Blocks the current thread, which may be a virtual one, until it gets a lock. Runs a
   * deterministic driver meanwhile; with a caller-driven one, another thread must run the driver if
   * script holds the lock or is ahead in the queue. Locks are not reentrant: if this client holds
   * the lock, in a conflicting mode, the call waits until another thread releases it.
   *
   * @param timeout positive; in virtual time with a deterministic driver
   * @throws TimeoutException if the lock was not granted in time; the request is aborted. The
   *     message has the name and mode, the time waited, and what is in the way
   * @throws InterruptedException if the thread is interrupted; the request is aborted
   * @throws CancellationException if the client or the user agent is closed meanwhile
   * @throws IllegalStateException if the current thread runs an agent of the user agent, or a
   *     dependent that the driver runs because its client has no executor: the thread would wait
   *     for itself
   */
  public HeldLock acquire(String name, LockMode mode, Duration timeout)
      throws InterruptedException, TimeoutException {
    if (Objects.requireNonNull(timeout, "timeout").isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException(
          "timeout is " + timeout + "; use a positive time, or tryAcquire()");
    }
    Objects.requireNonNull(mode, "mode");
    return granted(
        client.await(
            checked(name),
            mode,
            WaitMode.WAIT,
            Driver.nanos(timeout),
            request -> late(request, name, mode, timeout)));
  }

  /** Returns the message about a request that has timed out and is not aborted yet. */
  private String late(long requestId, String name, LockMode mode, Duration timeout) {
    List<LockEntry> locks = Observing.locks(userAgent);
    for (LockEntry entry : locks) {
      if (entry.requestId() == requestId && !entry.isHeld()) {
        return "%s waited %s for %s"
            .formatted(name(), Driver.text(entry.age()), DeadlockReport.describe(entry, locks));
      }
    }
    return "lock '%s' (%s) was not granted to %s within %s"
        .formatted(name, mode.idlValue(), name(), Driver.text(timeout));
  }

  /** Queries all held locks and waiting requests of this origin and bucket. */
  public CompletableFuture<LockManagerSnapshot> query() {
    return client.query();
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. Callable on any thread. */
  public boolean isClosed() {
    return client.isEnded();
  }

  /**
   * Ends this client like the end of a document, and returns at once: its locks are released, its
   * requests are aborted, and their futures complete with a {@link CancellationException}.
   * Idempotent.
   */
  @Override
  public void close() {
    client.end();
  }

  private static HeldLock granted(@Nullable HostLock lock) {
    return new HeldLock(Objects.requireNonNull(lock));
  }

  private static String checked(String name) {
    if (Objects.requireNonNull(name, "name").startsWith("-")) {
      throw new IllegalArgumentException(
          "the lock name '" + name + "' is reserved; use one that does not begin with '-'");
    }
    return name;
  }
}
