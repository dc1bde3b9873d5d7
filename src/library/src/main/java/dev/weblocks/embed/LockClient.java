package dev.weblocks.embed;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.Trace;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.locks.LockServices;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.storage.Bucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

  static final String CLOSED = "the lock client was closed";

  private final dev.weblocks.agent.UserAgent userAgent;
  private final LockClients all;
  private final LockService service;
  private final ClientId id;
  private final Bucket bucket;
  private final ManagerId manager;
  private final LockRequester requester;
  private final EndClient endCommand;
  private final @Nullable Executor executor;
  private final Runnable endNow = this::close; // made now, as memory may be exhausted then

  // sorted, so that iteration has a deterministic order
  private final Map<Long, HeldLock> locks = new ConcurrentSkipListMap<>();
  private final Map<Long, CompletableFuture<LockManagerSnapshot>> queries =
      new ConcurrentSkipListMap<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * Creates a client of the lock manager of a bucket.
   *
   * @param origin serialized, for diagnoses
   * @param name for diagnoses; if it is empty, a name is generated
   * @param executor runs code of the embedder; if it is null, the driver runs it as blocking code
   * @throws IllegalStateException if the user agent is closed
   */
  LockClient(
      dev.weblocks.agent.UserAgent userAgent,
      Bucket bucket,
      String origin,
      String name,
      @Nullable Executor executor) {
    this.userAgent = userAgent;
    this.bucket = bucket;
    this.executor = executor;
    this.manager = LockServices.managerOf(bucket);
    this.all = LockClients.of(userAgent);
    this.service = LockServices.of(userAgent);
    this.id = new ClientId(userAgent.ids().nextUuid());
    this.endCommand = new EndClient(id);
    this.requester = new LockRequester(name.isEmpty() ? all.nextName() : name, "", origin);
    all.add(this);
    service.register(
        new RegisterClient(id, requester), effect -> all.inStep(() -> receive(effect)));
    if (ended.get()) { // the user agent was closed meanwhile
      service.enqueue(endCommand);
    }
  }

  /** Returns the id of this client in the result of {@code navigator.locks.query()}. */
  public String clientId() {
    return id.value();
  }

  /** Returns the name of this client, as in {@link LockEntry#agent()} and events. */
  public String name() {
    return requester.agent();
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
    return request(name, mode, WaitMode.WAIT, Objects::requireNonNull);
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
    return request(name, mode, WaitMode.IF_AVAILABLE, Optional::ofNullable);
  }

  /**
   * Takes a lock, in exclusive mode, from all its holders and ahead of all waiting requests, as
   * {@code steal} does. Script that held it gets an {@code AbortError}; for Java code, {@link
   * HeldLock#lost()} completes.
   */
  public CompletableFuture<HeldLock> steal(String name) {
    return request(name, LockMode.EXCLUSIVE, WaitMode.STEAL, Objects::requireNonNull);
  }

  /**
   * Requests a lock. If other code completes the future, the request is aborted, and a lock that is
   * granted nevertheless is released.
   *
   * @param result maps the lock to the value of the future; called with null if an {@code
   *     ifAvailable} request got no lock
   */
  private <T> CompletableFuture<T> request(
      String name, LockMode mode, WaitMode waitMode, Function<@Nullable HeldLock, T> result) {
    CompletableFuture<T> future = new CompletableFuture<>();
    HeldLock request =
        newRequest(
            name,
            mode,
            answered -> {
              HeldLock lock;
              try {
                lock = answered.take();
              } catch (IllegalStateException notGranted) {
                future.completeExceptionally(notGranted);
                return;
              }
              if (!future.complete(result.apply(lock)) && lock != null) {
                lock.close();
              }
            });
    future.whenComplete((value, failure) -> request.withdraw());
    enqueue(request, waitMode);
    return future;
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
        result.completeExceptionally(Objects.requireNonNull(failure));
      } else if (result.isDone()) {
        lock.close();
      } else {
        lock.holdWhile(work, result);
      }
    });
    result.whenComplete((value, failure) -> request.cancel(false));
    return result;
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
    return Optional.ofNullable(await(name, mode, WaitMode.IF_AVAILABLE));
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
    return Objects.requireNonNull(await(name, mode, WaitMode.WAIT));
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
    return Objects.requireNonNull(await(name, mode, WaitMode.WAIT, Driver.nanos(timeout)));
  }

  private @Nullable HeldLock await(String name, LockMode mode, WaitMode waitMode)
      throws InterruptedException {
    try {
      return await(name, mode, waitMode, Actor.NEVER);
    } catch (TimeoutException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Requests a lock and waits for the answer; returns null if it is not free. */
  private @Nullable HeldLock await(String name, LockMode mode, WaitMode waitMode, long nanos)
      throws InterruptedException, TimeoutException {
    if (userAgent.isOnEventLoop() || all.isNeededHere()) {
      throw new IllegalStateException(
          "acquire() would block a thread that runs agents or lock steps; use request() and"
              + " continue in its stage, or give the client its own executor");
    }
    HeldLock lock = newRequest(name, mode, null);
    enqueue(lock, waitMode);
    try {
      userAgent.driver().await(lock.answer, nanos, name());
      lock.answer.join(); // throws if the client has ended
    } catch (TimeoutException timedOut) {
      try {
        throw new TimeoutException(late(lock, nanos));
      } finally {
        lock.withdraw();
      }
    } catch (InterruptedException | RuntimeException failed) {
      lock.withdraw();
      throw failed;
    }
    return lock.take();
  }

  /** Returns the message about a request that has timed out and is not aborted yet. */
  private String late(HeldLock request, long nanos) {
    List<LockEntry> locks = Observing.locks(userAgent);
    for (LockEntry entry : locks) {
      if (entry.requestId() == request.id.sequence() && !entry.isHeld()) {
        return "%s waited %s for %s"
            .formatted(name(), Driver.text(entry.age()), DeadlockReport.describe(entry, locks));
      }
    }
    return "lock '%s' (%s) was not granted to %s within %s"
        .formatted(
            request.name(),
            request.mode().idlValue(),
            name(),
            Driver.text(Duration.ofNanos(nanos)));
  }

  /** Queries all held locks and waiting requests of this origin and bucket. */
  public CompletableFuture<LockManagerSnapshot> query() {
    requireUsable();
    RequestId query = service.nextId(id);
    CompletableFuture<LockManagerSnapshot> answer = new CompletableFuture<>();
    queries.put(query.sequence(), answer);
    service.enqueue(new TakeSnapshot(query, manager));
    if (ended.get()) { // ended meanwhile
      cancel(query.sequence());
    }
    return answer.copy();
  }

  /** Returns whether the end has begun, by {@link #close} or otherwise. Callable on any thread. */
  public boolean isClosed() {
    return ended.get();
  }

  /**
   * Ends this client like the end of a document, and returns at once: its locks are released, its
   * requests are aborted, and their futures complete with a {@link CancellationException}.
   * Idempotent.
   */
  @Override
  public void close() {
    CompletableFuture<Void> unused = end();
  }

  /**
   * Ends this client; idempotent.
   *
   * @return a future that completes when all affected futures of the embedder have completed
   */
  CompletableFuture<Void> end() {
    if (!ended.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    all.remove(this);
    service.enqueue(endCommand);
    List<CompletableFuture<Void>> completed = new ArrayList<>();
    for (HeldLock lock : locks.values()) {
      locks.remove(lock.id.sequence());
      completed.add(lock.clientEnded());
    }
    for (Long query : queries.keySet()) {
      completed.add(cancel(query));
    }
    return LockClients.allOf(completed);
  }

  private CompletableFuture<Void> cancel(Long query) {
    CompletableFuture<LockManagerSnapshot> answer = queries.remove(query);
    return answer == null
        ? CompletableFuture.completedFuture(null)
        : schedule(() -> answer.completeExceptionally(new CancellationException(CLOSED)));
  }

  private HeldLock newRequest(String name, LockMode mode, @Nullable Consumer<HeldLock> onAnswer) {
    if (Objects.requireNonNull(name, "name").startsWith("-")) {
      throw new IllegalArgumentException(
          "the lock name '" + name + "' is reserved; use one that does not begin with '-'");
    }
    Objects.requireNonNull(mode, "mode");
    requireUsable();
    userAgent.endClosedContexts();
    return new HeldLock(this, service.nextId(id), name, mode, onAnswer);
  }

  /** Returns whether locks that were not lost are certainly held now. */
  boolean isCurrent() {
    return service.isCurrent();
  }

  private void requireUsable() {
    StackReserve.requireForStep(); // before the first change
    if (ended.get()) {
      throw new IllegalStateException(CLOSED + "; open another one");
    }
    if (bucket.isRemoved()) {
      throw new IllegalStateException(bucket.whyRemoved());
    }
  }

  private void enqueue(HeldLock lock, WaitMode waitMode) {
    locks.put(lock.id.sequence(), lock);
    enqueue(new RequestLock(lock.id, manager, LockOptions.of(lock.name(), lock.mode(), waitMode)));
    if (ended.get() && locks.remove(lock.id.sequence()) != null) { // ended meanwhile
      lock.clientEnded();
    }
  }

  void enqueue(LockCommand command) {
    enqueue(command, service::enqueue);
  }

  /** Enqueues a command whose end is not awaited. */
  void enqueueUnhurried(LockCommand command) {
    enqueue(command, service::enqueueUnhurried);
  }

  private void enqueue(LockCommand command, Consumer<LockCommand> way) {
    try {
      way.accept(command);
    } catch (Error exhausted) {
      close(); // the caller gets the error
      throw exhausted;
    }
  }

  void forget(HeldLock lock) {
    locks.remove(lock.id.sequence());
  }

  /** Handles an effect. Called on the thread that runs the lock step. */
  private void receive(LockEffect effect) {
    Long sequence = effect.id().sequence();
    switch (effect) {
      case Granted granted -> {
        HeldLock lock = locks.get(sequence);
        if (lock == null) {
          service.enqueue(new ReleaseLock(granted.id()));
        } else {
          lock.granted(granted.token() == 0 ? all.nextToken() : granted.token());
        }
      }
      case Unavailable unavailable -> remove(sequence, HeldLock::unavailable);
      case Stolen stolen -> remove(sequence, lock -> lock.lose(LockLoss.STOLEN));
      case Released released -> remove(sequence, HeldLock::wasReleased);
      case SessionLost lost -> remove(sequence, lock -> lock.lose(LockLoss.SESSION_LOST));
      case Refused refused -> refused(sequence, refused.message());
      case BucketDeleted deleted -> refused(sequence, bucket.whyRemoved());
      case BucketOpened opened ->
          throw new IllegalStateException("not for a client of locks: " + opened);
      case SnapshotTaken taken -> {
        CompletableFuture<LockManagerSnapshot> answer = queries.remove(sequence);
        if (answer != null) {
          schedule(() -> answer.complete(taken.snapshot()));
        }
      }
    }
  }

  private void refused(Long sequence, String message) {
    remove(sequence, lock -> lock.refused(message));
    CompletableFuture<LockManagerSnapshot> answer = queries.remove(sequence);
    if (answer != null) {
      schedule(() -> answer.completeExceptionally(new IllegalStateException(message)));
    }
  }

  private void remove(Long sequence, Consumer<HeldLock> steps) {
    HeldLock lock = locks.remove(sequence);
    if (lock != null) {
      steps.accept(lock);
    }
  }

  /** Counts scheduled code as activity of the user agent, until {@link #endActivity}. */
  private void beginActivity() {
    if (executor == null) {
      userAgent.activity().begin(userAgent.driver());
    } else {
      userAgent.activity().begin();
    }
  }

  private void endActivity() {
    if (executor == null) {
      userAgent.activity().end(userAgent.driver());
    } else {
      userAgent.activity().end();
    }
  }

  /**
   * Schedules code of the embedder, outside the current step.
   *
   * @return a future that completes when the code has run
   */
  CompletableFuture<Void> schedule(Runnable code) {
    CompletableFuture<Void> completed = new CompletableFuture<>();
    Trace trace = userAgent.trace();
    Runnable caused = trace == null ? code : trace.caused(code);
    AtomicBoolean begun = new AtomicBoolean();
    Runnable counted =
        () -> {
          if (begun.getAndSet(true)) {
            return; // the executor ran it, and threw
          }
          try {
            caused.run();
          } finally {
            completed.complete(null);
            endActivity();
          }
        };
    beginActivity();
    if (executor != null) {
      try {
        executor.execute(counted);
        return completed;
      } catch (RuntimeException | Error refused) {
        // the driver runs it instead, since other code may wait for it
      }
    }
    try {
      userAgent.driver().runBlocking("locks of " + name(), () -> all.runCode(counted));
    } catch (RuntimeException | Error exhausted) {
      endActivity();
      throw exhausted;
    }
    return completed;
  }
}
