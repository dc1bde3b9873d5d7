package dev.weblocks.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that a test starts, with the engine and the classes of this one. */
public final class OtherJvm {
  private static final List<String> FLAGS_OF_THE_ENGINE =
      List.of(
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:+EnableJVMCI",
          "--upgrade-module-path=",
          "-Xlog:cds=",
          "-Xlog:aot=");

  private OtherJvm() {}

  /**
   * Returns the command that runs a program in another JVM.
   *
   * @param flags follow the flags that this JVM has for the engine
   */
  public static List<String> command(List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flagsOfTheEngine());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the flags that enable the optimising compiler; none in a run that interprets. */
  public static List<String> flagsOfTheEngine() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> FLAGS_OF_THE_ENGINE.stream().anyMatch(flag::startsWith))
        .toList();
  }
}
