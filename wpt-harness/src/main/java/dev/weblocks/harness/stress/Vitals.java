package dev.weblocks.harness.stress;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;

/** Measurements of the heap, the threads and the files of this process. */
final class Vitals {

  /** The class of filler objects, which garbage collectors put into gaps in the heap. */
  private static final String FILLER = "[Ljdk.internal.vm.FillerElement;";

  private static final String COMPILERS = "TruffleCompilerThread";

  private Vitals() {}

  static KillReport.Sample sample(int killed, int alive) {
    System.gc(); // what this one clears is freed by the second one, for the histogram
    Optional<String> histogram = histogram();
    return new KillReport.Sample(
        killed,
        alive,
        histogram
            .map(text -> sum(text, name -> !name.equals(FILLER), 2))
            .orElseGet(() -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()),
        threads(),
        histogram.map(Vitals::realms).orElse(-1));
  }

  /**
   * Returns the number of live platform threads. Compiler threads are not counted, because their
   * number varies with load.
   */
  static int threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return (int)
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(Objects::nonNull) // ended since it was listed
            .filter(thread -> !thread.getThreadName().startsWith(COMPILERS))
            .count();
  }

  /** Returns the number of open files and sockets; -1 if the JVM does not provide it. */
  static long openFiles() {
    try {
      return (Long)
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(
                  new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME),
                  "OpenFileDescriptorCount");
    } catch (JMException notThisJvm) {
      return -1;
    }
  }

  /** Returns the number of reachable JavaScript realms; -1 if the JVM does not provide it. */
  static int realms() {
    return histogram().map(Vitals::realms).orElse(-1);
  }

  private static int realms(String histogram) {
    return (int) sum(histogram, "com.oracle.truffle.js.runtime.JSRealm"::equals, 1);
  }

  /** Adds up a column of a histogram. Its columns are rank, instances, bytes and class. */
  private static long sum(String histogram, Predicate<String> classes, int column) {
    return histogram
        .lines()
        .map(line -> line.strip().split(" +"))
        .filter(line -> line.length > 3 && line[0].endsWith(":") && classes.test(line[3]))
        .mapToLong(line -> Long.parseLong(line[column]))
        .sum();
  }

  /**
   * Returns a class histogram of the heap after a garbage collection; empty if the JVM does not
   * provide it.
   */
  private static Optional<String> histogram() {
    try {
      return Optional.of(
          String.valueOf(
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()})));
    } catch (JMException notThisJvm) {
      return Optional.empty();
    }
  }
}
