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
 * What it takes to make a context that runs scripts, to install into it, and to close it. What one
 * takes without an installation is measured too: the difference is what the installation takes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class InstallationBenchmark {

  /** Whether all contexts have one engine, which keeps what it has parsed, or each its own. */
  @Param({"shared", "own"})
  public String engine = "shared";

  /** What is installed; some are timers, events and locks. */
  @Param({Installations.NOTHING, "some", "all"})
  public String globals = Installations.NOTHING;

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
      // nothing: most of what is installed is made at once
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
