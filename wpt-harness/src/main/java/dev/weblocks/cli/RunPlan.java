package dev.weblocks.cli;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Variant;
import dev.weblocks.run.Program;
import dev.weblocks.run.ScriptRun;
import dev.weblocks.run.Site;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code weblocks run} is to do: its options, once they are known to be right, and the parts
 * of a run as they want them.
 *
 * @param programs each is an agent; none at the prompt
 * @param origin of the windows
 * @param hosts that requests may reach over the real network
 * @param variants how locks deviate from the Working Draft
 * @param timeout when to end, as the user has typed it; null for never
 * @param limit the same
 * @param watchdog how long a request may wait before it is told of; null for ever
 * @param inspectorPort where DevTools are waited for; negative for nowhere
 * @param deterministic whether in virtual time, step by step
 * @param seed of that order, and of identifiers
 * @param virtual when that time begins
 */
record RunPlan(
    List<Program> programs,
    String origin,
    Set<String> hosts,
    Set<Variant> variants,
    @Nullable String timeout,
    @Nullable Duration limit,
    @Nullable Duration watchdog,
    int inspectorPort,
    boolean deterministic,
    long seed,
    VirtualOptions virtual) {

  /**
   * Where the programs come from.
   *
   * @param notes hears what was not found or was refused
   * @throws CommandFailure if no directory holds all of them
   */
  Site site(Path workingDirectory, Consumer<String> notes) throws CommandFailure {
    try {
      return site(Site.directoriesOf(programs), workingDirectory, notes);
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": run them apart");
    }
  }

  /**
   * Where resources come from.
   *
   * @param notes hears what was not found or was refused
   * @throws IllegalArgumentException if no directory holds all directories
   */
  Site site(List<Path> directories, Path workingDirectory, Consumer<String> notes) {
    return deterministic
        ? Site.reading(origin, directories, workingDirectory, hosts, ResourceLoader.http(), notes)
        : new Site(origin, directories, workingDirectory, hosts, ResourceLoader.http(), notes);
  }

  /** The engine of the agents; with a port that is not negative, one for DevTools. */
  UserAgent.Environment environment(Surroundings surroundings, RunSurroundings own)
      throws CommandFailure {
    if (inspectorPort < 0) {
      return own.environments().get();
    }
    try {
      return UserAgent.Environment.inspected(inspectorPort, surroundings.err());
    } catch (UnsupportedOperationException | IllegalStateException impossible) {
      throw new CommandFailure(
          "--inspect: " + String.valueOf(impossible.getMessage()).lines().findFirst().orElse(""));
    }
  }

  /** A driver for real time. */
  static Driver realTimeDriver() {
    return Driver.threadPool(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()));
  }

  /**
   * A driver of the seed.
   *
   * @param disturbance hears what no schedule has decided
   */
  Driver seededDriver(Consumer<String> disturbance) {
    return virtual
        .configure(Driver.newDeterministic().seed(seed))
        .onForeignStep(step -> disturbance.accept(step.text()))
        .build();
  }

  /**
   * How a run is run.
   *
   * @param late tells of its requests
   * @param more sets what else its user agent is to have
   */
  ScriptRun.Scheduling scheduling(
      Driver driver,
      UserAgent.Environment environment,
      LateRequests late,
      Consumer<UserAgent.Builder> more) {
    return new ScriptRun.Scheduling(
        driver,
        deterministic ? new SplittableRandom(seed) : null,
        environment,
        builder -> {
          late.configure(builder);
          builder.variants(variants);
          more.accept(builder);
        });
  }
}
