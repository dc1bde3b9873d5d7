package dev.weblocks.locks;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.UserAgent;
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
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.storage.Bucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A client of the lock task queue for Java code, with the same rights as an environment of script.
 * Thread-safe; with a deterministic driver, only the thread of the driver.
 *
 * <p>Futures of the embedder complete on the executor of the client; without one, on a thread on
 * which the driver runs blocking code. They never complete inside a lock step.
 */
public final class HostLockClient {

  static final String CLOSED = "the lock client was closed";

  private final UserAgent userAgent;
  private final HostLocks all;
  private final LockService service;
  private final ClientId id;
  private final Bucket bucket;
  private final ManagerId manager;
  private final LockRequester requester;
  private final EndClient endCommand;
  private final @Nullable Executor executor;
  private final Runnable endNow = this::endNow; // made now, as memory may be exhausted then

  // sorted, so that iteration has a deterministic order
  private final Map<Long, HostLock> locks = new ConcurrentSkipListMap<>();
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
  public HostLockClient(
      UserAgent userAgent, Bucket bucket, String origin, String name, @Nullable Executor executor) {
    this.userAgent = userAgent;
    this.bucket = bucket;
    this.executor = executor;
    this.manager = LockManager.managerOf(bucket);
    this.all = HostLocks.of(userAgent);
    this.service = LockServices.of(userAgent);
    this.id = new ClientId(userAgent.ids().nextUuid());
    this.endCommand = new EndClient(id);
    this.requester = new LockRequester(name.isEmpty() ? all.nextName() : name, "", origin);
    all.add(this);
    service.register(new RegisterClient(id, requester), effect -> receiveInStep(effect));
    if (ended.get()) { // the user agent was closed meanwhile
      service.enqueue(endCommand);
    }
  }

  public String id() {
    return id.value();
  }

  public String name() {
    return requester.agent();
  }

  /**
   * Requests a lock.
   *
   * @param result maps the lock to the value of the future; called with null if an {@code
   *     ifAvailable} request got no lock
   * @return the future; if other code completes it, the request is aborted, and a lock that is
   *     granted nevertheless is released
   * @throws IllegalStateException if the client has ended, or the bucket was deleted
   */
  public <T> CompletableFuture<T> request(
      String name, LockMode mode, WaitMode waitMode, Function<@Nullable HostLock, T> result) {
    CompletableFuture<T> future = new CompletableFuture<>();
    HostLock lock =
        newLock(
            name,
            mode,
            answered -> {
              if (answered.isMissed()) {
                future.complete(result.apply(null));
              } else if (answered.refusal() != null) {
                future.completeExceptionally(new IllegalStateException(answered.refusal()));
              } else if (!answered.hold()) { // the client ended, or other code completed the future
                future.completeExceptionally(new CancellationException(CLOSED));
              } else if (!future.complete(result.apply(answered))) {
                answered.giveBack();
              }
            });
    future.whenComplete((value, failure) -> lock.withdraw());
    enqueue(lock, waitMode);
    return future;
  }

  /** Waits as {@link #await(String, LockMode, WaitMode, long, LongFunction)}, without a limit. */
  public @Nullable HostLock await(String name, LockMode mode, WaitMode waitMode)
      throws InterruptedException {
    try {
      return await(name, mode, waitMode, Actor.NEVER, request -> "");
    } catch (TimeoutException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Requests a lock and waits for the answer.
   *
   * @param nanos the maximum waiting time: virtual with a deterministic driver, otherwise real
   * @param late returns the message of the {@link TimeoutException}; gets the sequence number of
   *     the request, which still waits
   * @return null if an {@code ifAvailable} request got no lock
   * @throws TimeoutException if the lock was not granted in time; the request is aborted
   * @throws CancellationException if the client ends meanwhile
   * @throws IllegalStateException if the current thread must not wait, or nothing is left to run
   *     that could grant the lock
   */
  public @Nullable HostLock await(
      String name, LockMode mode, WaitMode waitMode, long nanos, LongFunction<String> late)
      throws InterruptedException, TimeoutException {
    if (userAgent.isOnEventLoop() || all.isNeededHere()) {
      throw new IllegalStateException(
          "acquire() would block a thread that runs agents or lock steps; use request() and"
              + " continue in its stage, or give the client its own executor");
    }
    HostLock lock = newLock(name, mode, null);
    enqueue(lock, waitMode);
    try {
      userAgent.driver().await(lock.answer, nanos, name());
      lock.answer.join(); // throws if the client has ended
    } catch (TimeoutException timedOut) {
      try {
        throw new TimeoutException(late.apply(lock.id.sequence()));
      } finally {
        lock.withdraw();
      }
    } catch (InterruptedException | RuntimeException failed) {
      lock.withdraw();
      throw failed;
    }
    if (lock.isMissed()) {
      return null;
    }
    if (lock.refusal() != null) {
      throw new IllegalStateException(lock.refusal());
    }
    if (!lock.hold()) {
      throw new CancellationException(CLOSED); // the client ended between the grant and now
    }
    return lock;
  }

  /**
   * Queries the held locks and waiting requests.
   *
   * @throws IllegalStateException if the client has ended, or the bucket was deleted
   */
  public CompletableFuture<LockManagerSnapshot> query() {
    requireUsable();
    RequestId id = service.nextId(this.id);
    Long query = id.sequence();
    CompletableFuture<LockManagerSnapshot> answer = new CompletableFuture<>();
    queries.put(query, answer);
    service.enqueue(new TakeSnapshot(id, manager));
    if (ended.get()) { // ended meanwhile
      cancel(query);
    }
    return answer.copy();
  }

  /** Returns whether locks that were not lost are certainly held now. */
  boolean isCurrent() {
    return service.isCurrent();
  }

  public boolean isEnded() {
    return ended.get();
  }

  /**
   * Ends the client: its locks are released, its requests are aborted.
   *
   * @return a future that completes when all affected futures of the embedder have completed
   */
  public CompletableFuture<Void> end() {
    if (!ended.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    all.remove(this);
    service.enqueue(endCommand);
    List<CompletableFuture<Void>> completed = new ArrayList<>();
    for (HostLock lock : locks.values()) {
      locks.remove(lock.id.sequence());
      completed.add(lock.clientEnded());
    }
    for (Long query : queries.keySet()) {
      completed.add(cancel(query));
    }
    return HostLocks.allOf(completed);
  }

  private CompletableFuture<Void> cancel(Long query) {
    CompletableFuture<LockManagerSnapshot> answer = queries.remove(query);
    return answer == null
        ? CompletableFuture.completedFuture(null)
        : schedule(() -> answer.completeExceptionally(new CancellationException(CLOSED)));
  }

  private HostLock newLock(String name, LockMode mode, @Nullable Consumer<HostLock> onAnswer) {
    requireUsable();
    userAgent.endClosedContexts();
    return new HostLock(this, service.nextId(id), name, mode, onAnswer);
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

  private void enqueue(HostLock lock, WaitMode waitMode) {
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
      endNow(); // the caller gets the error
      throw exhausted;
    }
  }

  private void endNow() {
    CompletableFuture<Void> unused = end();
  }

  private void receiveInStep(LockEffect effect) {
    all.inStep(() -> receive(effect));
  }

  void forget(HostLock lock) {
    locks.remove(lock.id.sequence());
  }

  /** Handles an effect. Called on the thread that runs the lock step. */
  private void receive(LockEffect effect) {
    Long sequence = effect.id().sequence();
    switch (effect) {
      case Granted granted -> {
        HostLock lock = locks.get(sequence);
        if (lock == null) {
          service.enqueue(new ReleaseLock(granted.id()));
        } else {
          lock.granted(granted.token() == 0 ? all.nextToken() : granted.token());
        }
      }
      case Unavailable unavailable -> remove(sequence, HostLock::unavailable);
      case Stolen stolen -> remove(sequence, HostLock::stolen);
      case Released released -> remove(sequence, HostLock::wasReleased);
      case SessionLost lost -> remove(sequence, HostLock::sessionLost);
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

  private void remove(Long sequence, Consumer<HostLock> steps) {
    HostLock lock = locks.remove(sequence);
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
