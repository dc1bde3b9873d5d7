package dev.weblocks.bench;

import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
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

/**
 * The time to make a context that runs scripts, install into it, and close it. Contexts without an
 * installation are measured, too; the difference is the time of the installation.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class InstallationBenchmark {

  /** Whether all contexts share an engine, which caches parsed scripts, or each has its own. */
  @Param({"shared", "own"})
  public String engine = "shared";

  /** The installed globals; {@code some} are timers, events and locks. */
  @Param({Installations.NONE, "some", "all"})
  public String globals = Installations.NONE;

  private Installations installations;

  @Setup(Level.Trial)
  public void setUp() {
    installations = new Installations(engine, globals);
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    installations.close();
  }

  @Benchmark
  public void openAndClose() {
    try (Context context = installations.newContext();
        AutoCloseable installed = installations.install(context)) {
      // empty, since most globals are created by the installation itself
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
