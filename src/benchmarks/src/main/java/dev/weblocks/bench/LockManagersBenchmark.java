package dev.weblocks.bench;

import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.locks.LockTaskQueue;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The state machine of the locks alone, and for each kind of work the JDK collections that would do
 * its bare minimum: a queue by name, a linked map, a copied list. An operation does not change how
 * many locks are held and how many requests wait.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LockManagersBenchmark {

  private static final int QUEUED = 10_000;
  private static final int HELD = 1_000;
  private static final ClientId CLIENT = new ClientId("client");
  private static final ManagerId MANAGER = new ManagerId("manager", "default");
  private static final RegisterClient REGISTRATION =
      new RegisterClient(CLIENT, new LockRequester("window-1", "", ""));

  private final SplittableRandom random = new SplittableRandom(1);
  private final RequestId[] waiting = new RequestId[QUEUED];
  private long lastId;
  private long count;
  private final Consumer<LockEffect> effects = effect -> count++;

  /** Managers without locks. */
  private LockManagers free;

  /** Managers with one held lock, for which {@value #QUEUED} requests wait. */
  private LockManagers contended;

  /** The ids of the lock and the requests in {@link #contended}, oldest first. */
  private ArrayDeque<RequestId> inOrder;

  /** Managers like {@link #contended}, whose requests are never granted. */
  private LockManagers blocked;

  /** Managers with {@value #HELD} held locks of different names. */
  private LockManagers holding;

  /** Managers with one held lock. */
  private LockManagers stolen;

  private LockTaskQueue queue;

  private record Plain(long id, String name) {}

  private final Map<String, ArrayDeque<Plain>> plainFree = new HashMap<>();
  private final Map<String, ArrayDeque<Plain>> plainContended = new HashMap<>();
  private final Map<Long, Plain> plainBlocked = new LinkedHashMap<>();
  private final long[] plainWaiting = new long[QUEUED];
  private final List<Plain> plainHolding = new ArrayList<>();

  @Setup(Level.Trial)
  public void setUp() {
    free = newManagers();
    contended = newManagers();
    inOrder = new ArrayDeque<>();
    for (int i = 0; i <= QUEUED; i++) {
      inOrder.add(request(contended, "name", WaitMode.WAIT));
    }
    blocked = newManagers();
    request(blocked, "name", WaitMode.WAIT);
    for (int i = 0; i < QUEUED; i++) {
      waiting[i] = request(blocked, "name", WaitMode.WAIT);
    }
    holding = newManagers();
    for (int i = 0; i < HELD; i++) {
      request(holding, "name " + i, WaitMode.WAIT);
    }
    stolen = newManagers();
    request(stolen, "name", WaitMode.WAIT);
    queue =
        new LockTaskQueue(
            () -> 0,
            Set.of(),
            null,
            List.of(),
            null,
            failure -> {
              throw new IllegalStateException(failure);
            },
            actor -> new NoLane());
    queue.register(REGISTRATION, effects);
    for (int i = 0; i <= QUEUED; i++) {
      plainAdd(plainContended, new Plain(++lastId, "name"));
    }
    for (int i = 0; i < QUEUED; i++) {
      plainWaiting[i] = ++lastId;
      plainBlocked.put(plainWaiting[i], new Plain(plainWaiting[i], "name"));
    }
    for (int i = 0; i < HELD; i++) {
      plainHolding.add(new Plain(++lastId, "name " + i));
    }
  }

  /** Checks the final states, since a missing grant would make a benchmark faster. */
  @TearDown(Level.Trial)
  public void check() {
    check("free", free, 0, 0);
    check("contended", contended, 1, QUEUED);
    check("blocked", blocked, 1, QUEUED);
    check("holding", holding, HELD, 0);
    check("stolen", stolen, 1, 0);
  }

  private static void check(String what, LockManagers managers, int held, int pending) {
    if (managers.heldCount() != held || managers.pendingCount() != pending) {
      throw new IllegalStateException(
          what + ": " + managers.heldCount() + " held, " + managers.pendingCount() + " pending");
    }
  }

  private LockManagers newManagers() {
    LockManagers managers = new LockManagers(Set.of());
    apply(managers, REGISTRATION);
    return managers;
  }

  private void apply(LockManagers managers, LockCommand command) {
    for (LockOutcome outcome : managers.apply(command, 0)) {
      LockEffect effect = outcome.effect();
      if (effect != null) {
        effects.accept(effect);
      }
    }
  }

  private RequestId nextId() {
    return new RequestId(CLIENT, ++lastId);
  }

  private RequestId request(LockManagers managers, String name, WaitMode wait) {
    RequestId id = nextId();
    apply(managers, new RequestLock(id, MANAGER, LockOptions.of(name, LockMode.EXCLUSIVE, wait)));
    return id;
  }

  private static void plainAdd(Map<String, ArrayDeque<Plain>> queues, Plain plain) {
    queues.computeIfAbsent(plain.name, name -> new ArrayDeque<>()).add(plain);
  }

  /** Requests and releases a free lock. */
  @Benchmark
  public long requestAndRelease() {
    RequestId id = request(free, "name", WaitMode.WAIT);
    apply(free, new ReleaseLock(id));
    return count;
  }

  /**
   * A release that grants one of {@value #QUEUED} requests, and a request at the end of the queue.
   */
  @Benchmark
  public long releaseGrantsNext() {
    apply(contended, new ReleaseLock(inOrder.remove()));
    inOrder.add(request(contended, "name", WaitMode.WAIT));
    return count;
  }

  /** Aborts one of {@value #QUEUED} requests, anywhere in the queue, and adds one at its end. */
  @Benchmark
  public long abortInTheMiddle() {
    int index = random.nextInt(QUEUED);
    apply(blocked, new AbortRequest(waiting[index]));
    waiting[index] = request(blocked, "name", WaitMode.WAIT);
    return count;
  }

  /** Steals a held lock. */
  @Benchmark
  public long steal() {
    request(stolen, "name", WaitMode.STEAL);
    return count;
  }

  /** A snapshot of {@value #HELD} locks, unchanged since the last one. */
  @Benchmark
  public long snapshotUnchanged() {
    apply(holding, new TakeSnapshot(nextId(), MANAGER));
    return count;
  }

  /** A snapshot of {@value #HELD} locks, after one more was requested and released. */
  @Benchmark
  public long snapshotChanged() {
    RequestId id = request(holding, "one more", WaitMode.WAIT);
    apply(holding, new ReleaseLock(id));
    apply(holding, new TakeSnapshot(nextId(), MANAGER));
    return count;
  }

  /** Enqueues and runs a step without effect: the cost of the lock task queue itself. */
  @Benchmark
  public boolean stepOfTheQueue() {
    queue.enqueue(new AbortRequest(queue.nextId(CLIENT)));
    return queue.runTurn();
  }

  /** Adds and removes a queue by name. */
  @Benchmark
  public long plainRequestAndRelease() {
    plainAdd(plainFree, new Plain(++lastId, "name"));
    ArrayDeque<Plain> queued = plainFree.get("name");
    count += queued.remove().id;
    if (queued.isEmpty()) {
      plainFree.remove("name");
    }
    return count;
  }

  /** Removes the head of a queue of {@value #QUEUED}, and adds an element at its end. */
  @Benchmark
  public long plainReleaseGrantsNext() {
    ArrayDeque<Plain> queued = plainContended.get("name");
    count += queued.remove().id;
    plainAdd(plainContended, new Plain(++lastId, "name"));
    return count;
  }

  /** Removes an entry of a linked map of {@value #QUEUED}, and adds another one. */
  @Benchmark
  public long plainAbortInTheMiddle() {
    int index = random.nextInt(QUEUED);
    count += plainBlocked.remove(plainWaiting[index]).id;
    long id = ++lastId;
    plainBlocked.put(id, new Plain(id, "name"));
    plainWaiting[index] = id;
    return count;
  }

  /** Creates a list of {@value #HELD} objects from others. */
  @Benchmark
  public List<LockInfo> plainSnapshot() {
    List<LockInfo> copied = new ArrayList<>(plainHolding.size());
    for (Plain each : plainHolding) {
      copied.add(new LockInfo(each.name, LockMode.EXCLUSIVE, CLIENT.value()));
    }
    return copied;
  }
}
