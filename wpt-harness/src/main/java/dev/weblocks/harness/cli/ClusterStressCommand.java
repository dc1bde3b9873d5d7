package dev.weblocks.harness.cli;

import dev.weblocks.harness.cluster.ClusterStorm;
import dev.weblocks.harness.cluster.ClusterStorm.Fault;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that kills and stops members of a lock cluster while clients use it. */
@Command(
    name = "cluster",
    description =
        "Kill and stop members of a lock cluster, each in a process of its own, while clients take"
            + " locks from each other. Checked: no two clients hold one lock, fencing tokens"
            + " grow, and no client waits for a minute. Shown: how long no lock was granted.",
    sortOptions = false,
    footer = {"", "Exit status: 0 no problem, 1 a problem was found, 2 the test could not be run."})
final class ClusterStressCommand extends CliCommand {

  private static final Duration LEAST_LEASE = Duration.ofSeconds(2);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many faults there are, six seconds each. Default: 10.")
  private int rounds = 10;

  @Option(
      names = "--fault",
      paramLabel = "FAULT",
      description =
          "What happens to members: kill-leader, kill-follower, kill-all, stop-leader or"
              + " stop-follower, which suspends a process for two to three seconds. May be given"
              + " several times. Default: each in turn.")
  private List<String> faults = new ArrayList<>();

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "How many clients take locks. Default: 8.")
  private int clients = 8;

  @Option(
      names = "--names",
      paramLabel = "N",
      description = "How many locks they share. Default: 2.")
  private int names = 2;

  @Option(
      names = "--lease",
      paramLabel = "DURATION",
      description = "The silence after which locks are lost; at least 2s. Default: 10s.")
  private String lease = "10s";

  @Option(names = "--seed", paramLabel = "S", description = "The seed of the choices. Default: 1.")
  private long seed = 1;

  @Mixin private final HelpOption help = new HelpOption();

  ClusterStressCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    requireRange("--rounds", rounds, 1, 10_000);
    requireRange("--clients", clients, 1, 1_000);
    requireRange("--names", names, 1, 1_000);
    List<Fault> wanted = chosen();
    Duration leaseOfClients = leaseOption();
    String launcher = cli.property().apply("weblocks.launcher");
    if (launcher == null) {
      throw new CommandFailure("only the launcher scripts/weblocks can start the members");
    }
    ClusterStorm.Settings settings =
        new ClusterStorm.Settings(
            List.of(launcher), wanted, rounds, clients, names, leaseOfClients, seed);
    cli.printf("%6s %-14s %-7s %s%n", "round", "fault", "member", "longest time without a grant");
    try {
      ClusterStorm.Report report =
          ClusterStorm.run(
              settings,
              round -> {
                cli.printf(
                    "%6d %-14s %-7s %.2f s%n",
                    round.number(),
                    name(round.fault()),
                    round.member(),
                    round.gap().toMillis() / 1e3);
                cli.out().flush();
              });
      cli.printf(
          "%,d grants, %d locks lost; longest time without a grant: median %.2f s, worst %.2f s%n",
          report.grants(), report.lost(), gap(report, 0.5), gap(report, 1));
      cli.println(printed(report.complaints()));
      return report.complaints().isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
    } catch (IOException | EngineFailure failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()));
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return Main.INTERRUPTED;
    }
  }

  private static double gap(ClusterStorm.Report report, double share) {
    List<Duration> gaps = report.rounds().stream().map(ClusterStorm.Round::gap).sorted().toList();
    int index = Math.min(gaps.size() - 1, (int) (gaps.size() * share));
    return gaps.get(index).toMillis() / 1e3;
  }

  private List<Fault> chosen() {
    if (faults.isEmpty()) {
      return List.of(Fault.values());
    }
    List<Fault> all = new ArrayList<>();
    for (String fault : faults) {
      all.add(
          List.of(Fault.values()).stream()
              .filter(each -> name(each).equals(fault))
              .findFirst()
              .orElseThrow(() -> usage("--fault is " + fault + ": use one of " + names())));
    }
    return all;
  }

  private static String names() {
    return String.join(", ", List.of(Fault.values()).stream().map(each -> name(each)).toList());
  }

  private static String name(Fault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Duration leaseOption() {
    try {
      Duration read = Values.duration(lease);
      if (read.compareTo(LEAST_LEASE) < 0) {
        throw usage("--lease is " + lease + "; use at least 2s");
      }
      return read;
    } catch (IllegalArgumentException wrong) {
      throw usage("--lease " + wrong.getMessage());
    }
  }
}
