package dev.weblocks.stress;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;

/** Looks at the heap and the threads of this process. */
final class Vitals {

  /** What a collector puts where it leaves a gap: nothing that anybody keeps. */
  private static final String FILLER = "[Ljdk.internal.vm.FillerElement;";

  /** How the names of the threads begin on which the engine compiles script. */
  private static final String COMPILERS = "TruffleCompilerThread";

  private Vitals() {}

  /** Looks now; collects garbage before. */
  static KillReport.Sample sample(int killed, int alive) {
    System.gc(); // what its end clears is gone at the next one, which the histogram makes
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

  /** Live platform threads but for those that compile script, which come and go with its heat. */
  static int threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return (int)
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(Objects::nonNull) // has ended since it was listed
            .filter(thread -> !thread.getThreadName().startsWith(COMPILERS))
            .count();
  }

  /** How many JavaScript realms can be reached; -1 where the JVM does not tell. */
  static int realms() {
    return histogram().map(Vitals::realms).orElse(-1);
  }

  private static int realms(String histogram) {
    return (int) sum(histogram, "com.oracle.truffle.js.runtime.JSRealm"::equals, 1);
  }

  /** Adds up a column of the lines of rank, instances, bytes and class. */
  private static long sum(String histogram, Predicate<String> classes, int column) {
    return histogram
        .lines()
        .map(line -> line.strip().split(" +"))
        .filter(line -> line.length > 3 && line[0].endsWith(":") && classes.test(line[3]))
        .mapToLong(line -> Long.parseLong(line[column]))
        .sum();
  }

  /** What is in the heap after a collection; empty where the JVM does not tell. */
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
