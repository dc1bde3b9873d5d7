package dev.weblocks.agent;

import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Event loops without an agent, with nearly empty tasks in Java. Each task queues the next one,
 * {@value #BATCH} in a row, so that waking a sleeping thread has little effect. Benchmarks called
 * plain use the JDK's queue, executor or ordered set with as many tasks or timers.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventLoopBenchmark {

  static final int BATCH = 10_000;

  /** The number of timers that always wait. */
  private static final int TIMERS = 1000;

  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private ThreadPoolDriver pool;
  private EventLoop one;
  private EventLoop other;
  private DeterministicDriver deterministic;
  private EventLoop seeded;
  private ExecutorService executor;
  private final ArrayDeque<Runnable> plainQueue = new ArrayDeque<>();

  private record PlainTimer(long deadline, long order) implements Comparable<PlainTimer> {
    @Override
    public int compareTo(PlainTimer other) {
      int byDeadline = Long.compare(deadline, other.deadline);
      return byDeadline != 0 ? byDeadline : Long.compare(order, other.order);
    }
  }

  private final TreeSet<PlainTimer> plainTimers = new TreeSet<>();
  private long plainOrder;

  @Setup(Level.Trial)
  public void setUp() {
    pool = new ThreadPoolDriver(1);
    one = newLoop("one", pool);
    other = newLoop("other", pool);
    deterministic = new DeterministicDriver(1);
    seeded = newLoop("seeded", deterministic);
    executor = Executors.newFixedThreadPool(1);
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    one.close();
    other.close();
    seeded.close();
    pool.close();
    deterministic.close();
    executor.shutdown();
  }

  private static EventLoop newLoop(String name, Driver driver) {
    return new EventLoop(
        name,
        driver,
        new Activity(),
        null,
        (where, failure) -> {
          throw new IllegalStateException(where, failure);
        },
        EventLoop.Gate.OPEN);
  }

  /** A task that submits itself to two executors in turn until it has run {@link #BATCH} times. */
  private static final class Chain implements Runnable {
    private final Executor one;
    private final Executor other;
    private final Semaphore done = new Semaphore(0);
    private int left = BATCH;

    Chain(Executor one, Executor other) {
      this.one = one;
      this.other = other;
    }

    @Override
    public void run() {
      if (--left == 0) {
        done.release();
      } else {
        ((left & 1) == 0 ? one : other).execute(this);
      }
    }
  }

  private static Executor tasksOf(EventLoop loop) {
    return steps -> loop.queueTask(TaskSource.DOM_MANIPULATION, null, "next", steps);
  }

  private static void runChain(Executor one, Executor other) throws InterruptedException {
    Chain chain = new Chain(one, other);
    one.execute(chain);
    chain.done.acquire();
  }

  /** A task of a loop queues the next one of that loop, on one thread of a pool. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void taskOnPool() throws InterruptedException {
    runChain(tasksOf(one), tasksOf(one));
  }

  /** A task of a loop queues one of another loop, on one thread of a pool. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void handOverOnPool() throws InterruptedException {
    runChain(tasksOf(one), tasksOf(other));
  }

  /** A task of a loop queues the next one of that loop, in the order of a seed. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void taskDeterministic() {
    Executor tasks = tasksOf(seeded);
    Chain chain = new Chain(tasks, tasks);
    tasks.execute(chain);
    deterministic.runUntilQuiescent(2L * BATCH);
    if (!chain.done.tryAcquire()) {
      throw new IllegalStateException(chain.left + " tasks were not run");
    }
  }

  /** Timers that wait beside the measured one. */
  @State(Scope.Benchmark)
  public static class Timers {
    private final DeterministicDriver driver = new DeterministicDriver(1);
    private final EventLoop loop = newLoop("timers", driver);

    @Setup(Level.Trial)
    public void setUp() {
      loop.runOutsideOfTurns(() -> {
        for (int i = 0; i < TIMERS; i++) {
          loop.startTimer(HOUR_NANOS + i, () -> {});
        }
        return null;
      });
    }

    @TearDown(Level.Trial)
    public void tearDown() {
      loop.close();
      driver.close();
    }
  }

  /** A timer is started and cancelled before it is due, while {@value #TIMERS} others wait. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void startAndCancelTimer(Timers timers) {
    EventLoop loop = timers.loop;
    loop.runOutsideOfTurns(() -> {
      for (int i = 0; i < BATCH; i++) {
        loop.cancelTimer(loop.startTimer(HOUR_NANOS, () -> {}));
      }
      return null;
    });
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void plainTaskOnPool() throws InterruptedException {
    runChain(executor, executor);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void plainTask() {
    Chain chain = new Chain(plainQueue::add, plainQueue::add);
    plainQueue.add(chain);
    for (Runnable next = plainQueue.poll(); next != null; next = plainQueue.poll()) {
      next.run();
    }
  }

  @Setup(Level.Trial)
  public void setUpPlainTimers() {
    for (int i = 0; i < TIMERS; i++) {
      plainTimers.add(new PlainTimer(HOUR_NANOS + i, plainOrder++));
    }
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void plainStartAndCancelTimer() {
    for (int i = 0; i < BATCH; i++) {
      PlainTimer timer = new PlainTimer(HOUR_NANOS, plainOrder++);
      plainTimers.add(timer);
      plainTimers.remove(timer);
    }
  }
}
