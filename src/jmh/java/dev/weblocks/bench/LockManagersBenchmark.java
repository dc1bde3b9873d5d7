package dev.weblocks.bench;

import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.LockTaskQueue;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockInfo;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.WaitMode;
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
  private static final ManagerId MANAGER = new ManagerId("manager");

  private final SplittableRandom random = new SplittableRandom(1);
  private final long[] waiting = new long[QUEUED];
  private long lastId;
  private long count;
  private final Consumer<LockEffect> effects = effect -> count++;

  /** Managers without locks. */
  private LockManagers free;

  /** Managers with one held lock, for which {@value #QUEUED} requests wait. */
  private LockManagers contended;

  /** The ids of the lock and the requests in {@link #contended}, oldest first. */
  private ArrayDeque<Long> inOrder;

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
  private final List<Plain> plainHolding = new ArrayList<>();

  @Setup(Level.Trial)
  public void setUp() {
    free = new LockManagers(Set.of());
    contended = new LockManagers(Set.of());
    inOrder = new ArrayDeque<>();
    for (int i = 0; i <= QUEUED; i++) {
      inOrder.add(request(contended, "name", WaitMode.WAIT));
    }
    blocked = new LockManagers(Set.of());
    request(blocked, "name", WaitMode.WAIT);
    for (int i = 0; i < QUEUED; i++) {
      waiting[i] = request(blocked, "name", WaitMode.WAIT);
    }
    holding = new LockManagers(Set.of());
    for (int i = 0; i < HELD; i++) {
      request(holding, "name " + i, WaitMode.WAIT);
    }
    stolen = new LockManagers(Set.of());
    request(stolen, "name", WaitMode.WAIT);
    queue = new LockTaskQueue(() -> {}, null, () -> 0, null, Set.of());
    queue.register(CLIENT, effects);
    for (int i = 0; i <= QUEUED; i++) {
      plainAdd(plainContended, new Plain(++lastId, "name"));
    }
    for (int i = 0; i < QUEUED; i++) {
      Plain plain = new Plain(waiting[i], "name");
      plainBlocked.put(plain.id, plain);
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

  private long request(LockManagers managers, String name, WaitMode wait) {
    long id = ++lastId;
    managers.apply(
        new RequestLock(id, CLIENT, MANAGER, name, LockMode.EXCLUSIVE, wait), 0, effects, null);
    return id;
  }

  private static void plainAdd(Map<String, ArrayDeque<Plain>> queues, Plain plain) {
    queues.computeIfAbsent(plain.name, name -> new ArrayDeque<>()).add(plain);
  }

  /** Requests and releases a free lock. */
  @Benchmark
  public long requestAndRelease() {
    long id = request(free, "name", WaitMode.WAIT);
    free.apply(new ReleaseLock(id), 0, effects, null);
    return count;
  }

  /**
   * A release that grants one of {@value #QUEUED} requests, and a request at the end of the queue.
   */
  @Benchmark
  public long releaseGrantsNext() {
    contended.apply(new ReleaseLock(inOrder.remove()), 0, effects, null);
    inOrder.add(request(contended, "name", WaitMode.WAIT));
    return count;
  }

  /** Aborts one of {@value #QUEUED} requests, anywhere in the queue, and adds one at its end. */
  @Benchmark
  public long abortInTheMiddle() {
    int index = random.nextInt(QUEUED);
    blocked.apply(new AbortRequest(waiting[index]), 0, effects, null);
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
    holding.apply(new TakeSnapshot(++lastId, CLIENT, MANAGER), 0, effects, null);
    return count;
  }

  /** A snapshot of {@value #HELD} locks, after one more was requested and released. */
  @Benchmark
  public long snapshotChanged() {
    long id = request(holding, "one more", WaitMode.WAIT);
    holding.apply(new ReleaseLock(id), 0, effects, null);
    holding.apply(new TakeSnapshot(++lastId, CLIENT, MANAGER), 0, effects, null);
    return count;
  }

  /** Enqueues and runs a step without effect: the cost of the lock task queue itself. */
  @Benchmark
  public boolean stepOfTheQueue() {
    queue.enqueue(new AbortRequest(queue.nextId()));
    return queue.runStep();
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
    count += plainBlocked.remove(waiting[index]).id;
    long id = ++lastId;
    plainBlocked.put(id, new Plain(id, "name"));
    waiting[index] = id;
    return count;
  }

  /** Makes a list of {@value #HELD} objects from others. */
  @Benchmark
  public List<LockInfo> plainSnapshot() {
    List<LockInfo> copied = new ArrayList<>(plainHolding.size());
    for (Plain each : plainHolding) {
      copied.add(new LockInfo(each.name, LockMode.EXCLUSIVE, CLIENT.value()));
    }
    return copied;
  }
}
