package dev.weblocks.bench;

import dev.weblocks.agent.SystemClock;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.locks.LockTaskQueue;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.observe.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost to request and release a free lock, and the additional cost of observation. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LockBenchmark {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final ClientId CLIENT = new ClientId("client");
  private static final ManagerId MANAGER = new ManagerId("manager", "default");
  private static final LockRequester REQUESTER =
      new LockRequester("window-1", "https://one.test/", "https://one.test");

  /**
   * The observer: a queue made without any observation (only {@link #stepsOfTheQueue}), none, a
   * listener, a recording with the default settings of events, or a recording of all events.
   */
  @Param({"unobservable", "none", "listener", "recording", "recording-all"})
  public String observer = "none";

  private Recording recording;
  private Driver driver;
  private UserAgent userAgent;
  private LockClient client;
  private LockTaskQueue queue;
  private long heard;

  @Setup(Level.Trial)
  public void setUp() {
    if (observer.startsWith("recording")) {
      recording = new Recording();
      if (observer.endsWith("all")) {
        for (String each : new String[] {"Request", "Grant", "Miss", "Abort", "Held", "Steal"}) {
          recording.enable("dev.weblocks.Lock" + each).withoutThreshold();
        }
      }
      recording.start();
    }
    boolean listening = observer.equals("listener");
    driver = Driver.threadPool(1);
    UserAgent.Builder builder =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(Environment.newBuilder().warmUp(false).build());
    if (listening) {
      builder.lockListener(
          new LockListener() {
            @Override
            public void granted(LockEvent event) {
              heard++;
            }
          });
    }
    userAgent = builder.build();
    client = userAgent.openLockClient("https://one.test");
    SystemClock clock = new SystemClock();
    LockWatcher watcher =
        observer.equals("unobservable")
            ? null
            : new Observation(clock, listening ? new Counting() : null);
    queue =
        new LockTaskQueue(
            clock::nanoTime,
            Set.of(),
            null,
            watcher == null ? List.of() : List.of(watcher),
            null,
            failure -> {
              throw new IllegalStateException(failure);
            },
            actor -> new NoLane());
    queue.register(new RegisterClient(CLIENT, REQUESTER), effect -> heard++);
  }

  private final class Counting implements LockListener {
    @Override
    public void requested(LockEvent event) {
      heard++;
    }

    @Override
    public void granted(LockEvent event) {
      heard++;
    }

    @Override
    public void released(LockEvent event) {
      heard++;
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    userAgent.close();
    driver.close();
    if (recording != null) {
      recording.close();
    }
  }

  /** Acquires and closes a lock by the API for Java code. */
  @Benchmark
  public void acquireAndClose() throws Exception {
    if (observer.equals("unobservable")) {
      throw new IllegalStateException("a user agent is always observable");
    }
    client.acquire("name", LONG).close();
  }

  /** The two steps of the lock task queue alone. */
  @Benchmark
  public long stepsOfTheQueue() {
    RequestId id = queue.nextId(CLIENT);
    queue.enqueue(
        new RequestLock(id, MANAGER, LockOptions.of("name", LockMode.EXCLUSIVE, WaitMode.WAIT)));
    queue.runTurn();
    queue.enqueue(new ReleaseLock(id));
    queue.runTurn();
    return heard;
  }
}
