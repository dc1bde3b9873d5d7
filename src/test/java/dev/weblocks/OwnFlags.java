package dev.weblocks;

import java.lang.management.ManagementFactory;
import java.util.List;

/** What a JVM that a test starts must have of this one's flags. */
public final class OwnFlags {
  private static final List<String> OF_THE_ENGINE =
      List.of(
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:+EnableJVMCI",
          "--upgrade-module-path=",
          "-Xlog:cds=",
          "-Xlog:aot=");

  private OwnFlags() {}

  /** The flags that put the engine on the optimising compiler; none in a run that interprets. */
  public static List<String> ofTheEngine() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> OF_THE_ENGINE.stream().anyMatch(flag::startsWith))
        .toList();
  }
}
