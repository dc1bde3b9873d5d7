package dev.weblocks.harness.cli;

import dev.weblocks.embed.DeterministicDriver;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code weblocks run} for virtual time, and for late lock requests. */
final class VirtualOptions {

  private static final int MAX_RUNS = 1_000_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--start-time",
      paramLabel = "T",
      description =
          "The time that scripts see at the start of a run with --deterministic, such as"
              + " 2031-01-31T23:59:59Z. Default: 2025-09-24T00:00:00Z.")
  private @Nullable String startTime;

  @Option(
      names = "--check-deterministic",
      paramLabel = "N",
      description =
          "Run the scripts N times with the same seed, and compare every step and all output, byte"
              + " by byte. Shows the first difference instead of the output of the scripts. Exit"
              + " status 1 if there is one.")
  private @Nullable Integer runs;

  @Option(
      names = "--watchdog",
      paramLabel = "DURATION",
      description =
          "Report each lock request that has waited for DURATION, once, with the locks and requests"
              + " that block it and any cycle among them. The run continues. With --deterministic,"
              + " DURATION is virtual time.")
  private @Nullable String watchdog;

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  VirtualOptions() {}

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  void check(ScriptArguments arguments, boolean deterministic, boolean traces) {
    if (startTime != null && !deterministic) {
      throw usage("--start-time " + startTime + " needs --deterministic");
    }
    if (runs != null && !deterministic) {
      throw usage("--check-deterministic " + runs + " needs --deterministic");
    }
    String range =
        runs == null ? null : Values.outOfRange("--check-deterministic", runs, 2, MAX_RUNS);
    if (range != null) {
      throw usage(range);
    }
    if (runs != null && traces) {
      throw usage(
          "--trace and --check-deterministic exclude each other: there would be many traces;"
              + " leave one out");
    }
    configure(DeterministicDriver.newBuilder());
    watchdog(arguments);
  }

  @Nullable String needsScript() {
    return runs != null ? "--check-deterministic" : watchdog != null ? "--watchdog" : null;
  }

  @Nullable String ofSeeds() {
    return runs != null ? "--check-deterministic" : startTime != null ? "--start-time" : null;
  }

  DeterministicDriver.Builder configure(DeterministicDriver.Builder driver) {
    if (startTime == null) {
      return driver;
    }
    try {
      return driver.startTime(Instant.parse(startTime));
    } catch (DateTimeException | IllegalArgumentException none) {
      throw usage(
          "--start-time '"
              + startTime
              + "' is not a time; use one such as "
              + DeterministicDriver.START_TIME);
    }
  }

  int runs() {
    return runs == null ? 0 : runs;
  }

  @Nullable Duration watchdog(ScriptArguments arguments) {
    return watchdog == null ? null : arguments.duration("--watchdog", watchdog);
  }
}
