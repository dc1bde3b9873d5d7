package dev.weblocks.harness.cli;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.HttpOptions;
import dev.weblocks.embed.LockBackend;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.run.HiddenTime;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import dev.weblocks.model.Limits;
import dev.weblocks.model.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The validated options of {@code weblocks run}, and factory methods for the parts of a run.
 *
 * @param programs each becomes an agent; empty at the prompt
 * @param hosts hosts that requests may reach over the real network
 * @param variants deviations of locks from the Working Draft
 * @param locks the lock managers of a cluster; null for those of the run itself
 * @param timeout time limit as typed by the user; null for none
 * @param limit the value of {@code timeout}
 * @param turnLimit real time after which a turn ends its agent; null for none
 * @param watchdog waiting time after which a lock request is reported; null for none
 * @param hidden when the windows are hidden; null for never
 * @param inspectorPort port for DevTools; negative for none
 * @param webAssembly whether scripts have {@code WebAssembly}
 * @param deterministic whether to run in virtual time, step by step
 * @param seed seed of the order of steps, and of identifiers
 */
record RunPlan(
    List<Program> programs,
    String origin,
    Set<String> hosts,
    Set<Variant> variants,
    @Nullable LockBackend locks,
    @Nullable String timeout,
    @Nullable Duration limit,
    @Nullable Duration turnLimit,
    @Nullable Duration watchdog,
    @Nullable HiddenTime hidden,
    int inspectorPort,
    boolean webAssembly,
    boolean deterministic,
    long seed,
    VirtualOptions virtual) {

  /**
   * Returns the site that serves the programs.
   *
   * @param notes receives a note for each resource that is refused or not found
   * @throws CommandFailure if no directory contains all programs
   */
  Site site(Path workingDirectory, Consumer<String> notes) throws CommandFailure {
    try {
      return site(Site.directoriesOf(programs), workingDirectory, notes);
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": run them separately");
    }
  }

  Site site(List<Path> directories, Path workingDirectory, Consumer<String> notes) {
    Executor reader = deterministic ? Runnable::run : ForkJoinPool.commonPool();
    HttpOptions options = // the user has named the hosts, wherever they are
        HttpOptions.newBuilder().addresses((request, address) -> true).build();
    return new Site(
        origin, directories, workingDirectory, hosts, ResourceLoader.http(options), reader, notes);
  }

  /** Returns the environment of the agents, with DevTools if the port is not negative. */
  Environment environment(CliEnvironment cli, RunEnvironment own) throws CommandFailure {
    if (inspectorPort < 0 && !webAssembly) {
      return own.environments().get();
    }
    Environment.Builder builder = Environment.newBuilder().webAssembly(webAssembly);
    if (inspectorPort >= 0) {
      builder.inspector(inspectorPort, cli.err());
    }
    try {
      return builder.build();
    } catch (UnsupportedOperationException | IllegalStateException impossible) {
      throw new CommandFailure(
          (inspectorPort < 0 ? "--wasm: " : "--inspect: ")
              + String.valueOf(impossible.getMessage()).lines().findFirst().orElse(""));
    }
  }

  /** Returns the name of the clock of the run, for messages with durations. */
  String clock() {
    return deterministic ? "virtual time" : "real time";
  }

  static Driver realTimeDriver() {
    return Driver.threadPool(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()));
  }

  /**
   * Creates a driver for the seed.
   *
   * @param disturbance receives a text for each step that another thread takes outside the schedule
   */
  DeterministicDriver seededDriver(Consumer<String> disturbance) {
    return virtual
        .configure(DeterministicDriver.newBuilder().seed(seed))
        .onForeignStep(step -> disturbance.accept(step.text()))
        .build();
  }

  ScriptRun.Scheduling scheduling(
      Driver driver, Environment environment, LateRequests late, Consumer<UserAgent.Builder> more) {
    return new ScriptRun.Scheduling(
        driver,
        deterministic ? new SplittableRandom(seed) : null,
        environment,
        hidden,
        builder -> {
          late.configure(builder);
          builder.variants(variants);
          if (locks != null) {
            builder.lockBackend(locks);
          }
          if (turnLimit != null) {
            builder.limits(Limits.newBuilder().turnLimit(turnLimit).build());
          }
          more.accept(builder);
        });
  }
}
