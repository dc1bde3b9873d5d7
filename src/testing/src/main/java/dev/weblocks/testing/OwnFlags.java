package dev.weblocks.testing;

import java.lang.management.ManagementFactory;
import java.util.List;

/** Flags of this JVM that a JVM started by a test must have, too. */
public final class OwnFlags {
  private static final List<String> OF_THE_ENGINE =
      List.of(
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:+EnableJVMCI",
          "--upgrade-module-path=",
          "-Xlog:cds=",
          "-Xlog:aot=");

  private OwnFlags() {}

  /** Returns the flags that enable the optimising compiler; none in a run that interprets. */
  public static List<String> ofTheEngine() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> OF_THE_ENGINE.stream().anyMatch(flag::startsWith))
        .toList();
  }
}
