package dev.weblocks.bench;

import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Globals;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
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
 * Requests, holds and releases a free lock: by Java code, and by script in a context of the
 * embedder, whose loop the measured thread runs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RequestBenchmark {

  private static final Duration LONG = Duration.ofSeconds(60);

  private Driver driver;
  private UserAgent userAgent;
  private LockClient client;
  private Context context;
  private CallerDrivenInstallation installation;
  private Value request;
  private Value finished;
  private Value nothing;
  private long requests;

  @Setup(Level.Trial)
  public void setUp() {
    driver = Driver.threadPool(1);
    userAgent = UserAgent.newBuilder().driver(driver).build();
    client = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
    context = Context.newBuilder("js").build();
    installation = userAgent.installInto(context).globals(Globals.LOCKS).install();
    Value functions =
        context.eval(
            "js",
            """
            let finished = 0;
            ({
              request() { navigator.locks.request('name', () => {}).then(() => { finished++; }); },
              finished: () => finished,
              nothing() {},
            })
            """);
    request = functions.getMember("request");
    finished = functions.getMember("finished");
    nothing = functions.getMember("nothing");
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    long done = finished.execute().asLong();
    if (done != requests) {
      throw new IllegalStateException(requests + " requests by script, " + done + " finished");
    }
    installation.close();
    context.close();
    userAgent.close();
    driver.close();
  }

  /** {@code acquire(...).close()}. */
  @Benchmark
  public void byJava() throws Exception {
    client.acquire("name", LONG).close();
  }

  /** {@code navigator.locks.request(...)} until its promise is fulfilled. */
  @Benchmark
  public long byScript() {
    requests++;
    request.executeVoid();
    return installation.runUntilIdle();
  }

  /** The part of {@link #byScript} without the lock: a function call and an idle loop. */
  @Benchmark
  public long callOfScript() {
    nothing.executeVoid();
    return installation.runUntilIdle();
  }
}
