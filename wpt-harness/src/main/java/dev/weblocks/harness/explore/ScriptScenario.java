package dev.weblocks.harness.explore;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.LockBackend;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.DrivenPlay;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.explore.schedule.LockLines;
import dev.weblocks.explore.schedule.Scenario;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that runs scripts of the user as agents of one user agent. Its preparation opens
 * windows and loads their documents, one step after the other, until the scripts are about to run.
 * Scripts cannot observe the progress of a window before its first script.
 */
public final class ScriptScenario implements Scenario {

  /** The seed of identifiers: constant, so that a replay string needs no seed. */
  public static final long ID_SEED = 1;

  private final Site site;
  private final List<Program> programs;
  private final Environment environment;
  private final Consumer<UserAgent.Builder> configuration;
  private final Consumer<ScriptRun> runs;
  private final BiFunction<ScriptRun, List<LockEntry>, String> lockText;
  private final @Nullable Function<Consumer<String>, LockBackend> clusters;

  /**
   * Creates a scenario.
   *
   * @param site serves the programs; reads files on the calling thread
   * @param programs each becomes an agent
   * @param environment the environment of all runs; not closed
   * @param configuration further configuration of the user agents
   * @param runs receives each run before it starts
   * @param lockText returns a text about the locks of a run whose agents are idle
   * @param clusters makes a simulated lock cluster for each run, which reports violations of its
   *     promises; each program then runs in a user agent of its own. Null to share one user agent
   */
  public ScriptScenario(
      Site site,
      List<Program> programs,
      Environment environment,
      Consumer<UserAgent.Builder> configuration,
      Consumer<ScriptRun> runs,
      BiFunction<ScriptRun, List<LockEntry>, String> lockText,
      @Nullable Function<Consumer<String>, LockBackend> clusters) {
    this.clusters = clusters;
    this.site = site;
    this.programs = List.copyOf(programs);
    this.environment = environment;
    this.configuration = configuration;
    this.runs = runs;
    this.lockText = lockText;
  }

  /** Returns whether the next turn of an actor comes before the script of its window. */
  public static boolean preparesScript(Schedule.Actor actor) {
    return !actor.name().equals(Schedule.CLOCK)
        && !(actor.nextStep().startsWith("networking: response ")
            || actor.nextStep().startsWith("networking: module "));
  }

  @Override
  public boolean prepares(Schedule.Actor actor) {
    return preparesScript(actor);
  }

  @Override
  public Play begin(Schedule schedule, @Nullable TraceListener trace) {
    ScriptPlay play = new ScriptPlay(schedule);
    play.start(trace);
    return play;
  }

  private final class ScriptPlay extends DrivenPlay implements ScriptRun.Output {
    private final List<ScriptRun> all = new ArrayList<>();

    ScriptPlay(Schedule schedule) {
      super(Driver.deterministic(schedule));
    }

    void start(@Nullable TraceListener trace) {
      if (clusters == null) {
        prepare(trace, -1, null);
      } else {
        LockBackend cluster = clusters.apply(this::broken);
        for (int i = 0; i < programs.size(); i++) {
          prepare(trace, i, cluster);
        }
      }
      all.forEach(ScriptRun::start);
    }

    /** Prepares a run of all programs, or of one that uses the cluster. */
    private void prepare(@Nullable TraceListener trace, int index, @Nullable LockBackend cluster) {
      ScriptRun.Scheduling scheduling =
          new ScriptRun.Scheduling(
              driver,
              new SplittableRandom(ID_SEED + Math.max(0, index)),
              environment,
              null,
              builder -> {
                configuration.accept(builder);
                int number = all.size();
                Function<LockEvent, String> labels =
                    event -> all.get(number).label(event.agent(), event.url());
                // the locks of one user agent alone would look as if they broke rules of the queue
                builder.lockListener(
                    cluster == null
                        ? new CheckedLockLines(labels, this::happened, this::broken)
                        : new LockLines(labels, this::happened));
                if (cluster != null) {
                  builder.lockBackend(cluster);
                }
                if (trace != null) {
                  builder.traceListener(trace);
                }
              });
      ScriptRun prepared =
          index < 0
              ? new ScriptRun(site, programs, scheduling, this)
              : ScriptRun.ofOne(site, programs, index, scheduling, this);
      all.add(prepared);
      runs.accept(prepared);
    }

    @Override
    public void out(String text) {
      happened("prints " + text);
    }

    @Override
    public void err(String text) {
      happened("prints " + text);
    }

    @Override
    public void uncaught(UncaughtError error, String text) {
      happened(firstLine(error.message()));
      found(new Finding(kindOf(error), error.message(), text));
    }

    @Override
    public @Nullable Finding findingAtRest() {
      if (finding() != null) {
        return finding();
      }
      if (all.stream().anyMatch(ScriptRun::hasFailed)) {
        return new Finding(
            Finding.Kind.ASSERTION, "not loaded", "a script, or its page, could not be loaded");
      }
      TreeSet<String> awaited = new TreeSet<>();
      StringBuilder texts = new StringBuilder();
      for (ScriptRun each : all) {
        List<LockEntry> locks = each.locks();
        for (LockEntry entry : locks) {
          if (!entry.isHeld()) {
            awaited.add(entry.manager() + " " + entry.name());
          }
        }
        texts.append('\n').append(lockText.apply(each, locks));
      }
      return awaited.isEmpty()
          ? null
          : new Finding(
              Finding.Kind.DEADLOCK,
              String.join(", ", awaited),
              "all agents are idle, but lock requests are still pending" + texts);
    }

    @Override
    public long state() {
      return Coverage.hash(all.stream().flatMap(each -> each.locks().stream()).toList());
    }

    @Override
    public String label(String actor) {
      int slash = clusters == null ? -1 : actor.indexOf('/');
      if (slash < 0) {
        return all.getFirst().labelOf(actor);
      }
      int number = Integer.parseInt(actor.substring(0, slash));
      return all.get(number - 1).labelOf(actor.substring(slash + 1));
    }

    @Override
    public String described(String step) {
      int url = step.indexOf("https://");
      return url < 0 ? step : step.substring(0, url) + site.name(step.substring(url));
    }

    @Override
    public void close() {
      all.forEach(ScriptRun::closeUserAgent);
      if (!all.isEmpty()) {
        all.getLast().closeAgents();
      }
    }
  }
}
