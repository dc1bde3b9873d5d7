package dev.weblocks.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * The heap retained by an open context, with and without an installation. Many contexts are held,
 * and the used heap is read after a full collection. Memory shared by all contexts (parsed scripts
 * of a shared engine, the user agent, classes) is not included, since one context is always open.
 * The time that JMH reports is meaningless, since it includes the collections.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class MemoryBenchmark {

  private static final int CONTEXTS_OF_ONE_ENGINE = 200;
  private static final int CONTEXTS_WITH_ENGINES = 30;
  private static final double KILOBYTE = 1000;

  /** Whether all contexts share an engine, which caches parsed scripts, or each has its own. */
  @Param({"shared", "own"})
  public String engine = "shared";

  /** The installed globals; {@code some} are timers, events and locks. */
  @Param({Installations.NONE, "some", "all"})
  public String globals = Installations.NONE;

  private Installations installations;
  private Context first;
  private AutoCloseable firstInstalled;

  /** The metric that JMH reports beside the time. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Retained {
    /** Retained heap of one context, in thousands of bytes. */
    public double retainedKB;
  }

  @Setup(Level.Trial)
  public void setUp() {
    installations = new Installations(engine, globals);
    first = installations.newContext();
    firstInstalled = installations.install(first);
  }

  @TearDown(Level.Trial)
  public void tearDown() throws Exception {
    firstInstalled.close();
    first.close();
    installations.close();
  }

  @Benchmark
  public void hold(Retained retained) throws Exception {
    int count = engine.equals("shared") ? CONTEXTS_OF_ONE_ENGINE : CONTEXTS_WITH_ENGINES;
    List<Context> contexts = new ArrayList<>(count);
    List<AutoCloseable> installed = new ArrayList<>(count);
    long before = usedHeap();
    for (int i = 0; i < count; i++) {
      Context context = installations.newContext();
      contexts.add(context);
      installed.add(installations.install(context));
    }
    retained.retainedKB = (usedHeap() - before) / KILOBYTE / count;
    for (AutoCloseable each : installed) {
      each.close();
    }
    contexts.forEach(Context::close);
  }

  /** Returns the used heap after three collections, since freed references release more objects. */
  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
