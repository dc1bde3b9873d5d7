package dev.weblocks.stress;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** Looks at the heap and the threads of this process. */
final class Vitals {

  private static final Pattern REALMS =
      Pattern.compile(
          "(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+com\\.oracle\\.truffle\\.js\\.runtime\\.JSRealm(?=\\s|$)");

  private Vitals() {}

  /** Looks now; collects garbage before. */
  static KillReport.Sample sample(int killed, int alive) {
    int realms = realms(); // collects, too
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new KillReport.Sample(killed, alive, heap, threads(), realms);
  }

  static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /** How many JavaScript realms can be reached; -1 where the JVM does not tell. */
  static int realms() {
    try {
      Object histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      Matcher line = REALMS.matcher(String.valueOf(histogram));
      return line.find() ? Integer.parseInt(line.group(1)) : 0;
    } catch (JMException notThisJvm) {
      return -1;
    }
  }
}
