package dev.weblocks.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Throws at each allocation of a protocol, and at each call of embedder code, in turn. After each
 * fault no lock is leaked, and everything can be closed. Each living agent runs, unless the user
 * agent has said to its error listener that it ends.
 */
@Tag("alone")
class FaultInjectionTest {

  private static final long HANG_SECONDS = 60;

  private static final FaultyClasses CLASSES =
      new FaultyClasses(FaultInjectionTest.class.getClassLoader());

  /** The scenario of all tests, since its environment is most of their cost. */
  private static Object scenario;

  @BeforeAll
  static void makeScenario() throws ReflectiveOperationException {
    scenario = scenario();
  }

  @AfterAll
  static void closeScenario() throws Exception {
    ((AutoCloseable) scenario).close();
  }

  private record Fault(FaultPoints.Call at, Supplier<? extends Throwable> what) {}

  @ParameterizedTest
  @ValueSource(strings = {"deterministic", "traced", "caller", "pool"})
  void no_fault_leaks_a_lock_or_stops_another_agent(String driver) throws Exception {
    List<String> table = new ArrayList<>();
    int failed = 0;
    FaultPoints.begin(null, OutOfMemoryError::new, 0);
    assertEquals(List.of(), run(scenario, driver), "without a fault, to load classes");
    FaultPoints.begin(null, OutOfMemoryError::new, 0);
    assertEquals(List.of(), run(scenario, driver), "without a fault");
    Map<String, Integer> calls = FaultPoints.calls();
    List<Fault> faults = faults(driver, calls);
    int notReached = 0;
    for (Fault fault : faults) {
      FaultPoints.begin(fault.at, fault.what, 1);
      List<String> violations = run(scenario, driver);
      String name = fault.at + " throws " + fault.what.get().getClass().getSimpleName();
      if (FaultPoints.thrown() == null) {
        notReached++;
        table.add("not reached  " + name);
      } else if (violations.isEmpty()) {
        table.add("green        " + name);
      } else {
        failed++;
        table.add("RED          " + name + "\n      " + String.join("\n      ", violations));
        scenario = scenario(); // an agent may hang in the engine of the last one
      }
    }
    long embedder =
        calls.keySet().stream().filter(place -> place.startsWith(FaultPoints.EMBEDDER)).count();
    String summary =
        "fault injection, %s: %d places (%d calls of embedder code, %d allocations), %d faults, %d not reached, %d red"
            .formatted(
                driver,
                calls.size(),
                embedder,
                calls.size() - embedder,
                faults.size(),
                notReached,
                failed);
    System.out.println(summary);
    write(driver, summary, table);
    assertEquals(
        List.of(), table.stream().filter(line -> line.startsWith("RED")).toList(), summary);
  }

  private static Object scenario() throws ReflectiveOperationException {
    return CLASSES.loadClass(FaultScenario.class.getName()).getConstructor().newInstance();
  }

  @SuppressWarnings("unchecked")
  private static List<String> run(Object scenario, String driver) throws Exception {
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("fault-scenario")
            .start(
                () -> result.complete(((Function<String, List<String>>) scenario).apply(driver)));
    try {
      return result.get(HANG_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException hangs) {
      FaultPoints.end();
      StringBuilder text = new StringBuilder("hangs");
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("\n        at ").append(frame);
      }
      return List.of(text.toString());
    }
  }

  /**
   * Returns the faults of a run, from the numbers of calls in a run without one. Embedder code
   * throws each kind of exception in its first calls; memory is exhausted at the first call of an
   * allocation and at some later ones. A sample in quick runs, and on drivers with real time.
   */
  private static List<Fault> faults(String driver, Map<String, Integer> calls) {
    int stride =
        Integer.getInteger(
            "weblocks.faultStride",
            driver.equals("deterministic") ? TestSize.of(100, 3) : TestSize.of(250, 15));
    List<Fault> allocations = new ArrayList<>();
    List<Fault> embedder = new ArrayList<>();
    calls.forEach((place, count) -> {
      if (place.startsWith(FaultPoints.EMBEDDER)) {
        for (int n = 1; n <= 2; n++) {
          FaultPoints.Call call = new FaultPoints.Call(place, n);
          embedder.add(new Fault(call, OutOfMemoryError::new));
          embedder.add(new Fault(call, NoClassDefFoundError::new));
          embedder.add(new Fault(call, IllegalStateException::new));
          embedder.add(new Fault(call, RejectedExecutionException::new));
        }
      } else {
        for (int n = 1; n <= count; n = 2 * n + 1) {
          allocations.add(new Fault(new FaultPoints.Call(place, n), OutOfMemoryError::new));
        }
      }
    });
    List<Fault> chosen = new ArrayList<>();
    for (int i = 0; i < allocations.size(); i++) {
      Fault fault = allocations.get(i);
      // calls that may start a thread are the first to fail, so no sample leaves them out
      String place = fault.at.place();
      boolean startsThread = place.contains(".execute()") || place.contains(".schedule()");
      if (i % stride == stride / 2 || (startsThread && fault.at.n() <= 7)) {
        chosen.add(fault);
      }
    }
    for (int i = 0; i < embedder.size(); i++) {
      Fault fault = embedder.get(i);
      int place = i / 8;
      boolean isSampled =
          fault.at.n() == 1 && (i % 4 == place % 4 || fault.at.place().contains("executor"));
      if (isSampled || TestSize.of(0, 1) == 1) {
        chosen.add(fault);
      }
    }
    return chosen;
  }

  private static void write(String driver, String summary, List<String> table) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "fault-injection"));
    List<String> lines = new ArrayList<>(List.of(summary, ""));
    lines.addAll(table);
    Files.write(folder.resolve(driver + ".txt"), lines);
  }
}
