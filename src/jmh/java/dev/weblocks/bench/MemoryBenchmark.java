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
 * How much of the heap an open context keeps, with and without an installation: many are held, and
 * the heap is looked at after a full collection. What all contexts share (parsed scripts of a
 * shared engine, the user agent, classes) is not counted, since one context is open all the time.
 * The time that JMH states has no meaning, as the collections are in it.
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

  /** Whether all contexts have one engine, which keeps what it has parsed, or each its own. */
  @Param({"shared", "own"})
  public String engine = "shared";

  /** What is installed; some are timers, events and locks. */
  @Param({Installations.NOTHING, "some", "all"})
  public String globals = Installations.NOTHING;

  private Installations installations;
  private Context first;
  private AutoCloseable firstInstalled;

  /** What JMH reports beside the time. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Retained {
    /** Of one context, in thousands of bytes. */
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

  /** After collections: what references of the first have let go of, the next ones free. */
  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
