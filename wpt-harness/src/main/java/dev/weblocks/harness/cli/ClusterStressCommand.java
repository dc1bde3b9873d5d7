package dev.weblocks.harness.cli;

import dev.weblocks.harness.cluster.ClusterStorm;
import dev.weblocks.harness.cluster.Fault;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that disturbs a lock cluster while clients use it. */
@Command(
    name = "cluster",
    description = {
      "Disturb a lock cluster of three members, each in a process of its own, while clients take"
          + " locks from each other. Checked: no two clients hold one lock, fencing tokens grow,"
          + " requests are granted once and in the order of the log, no lock passes on before the"
          + " lease of a dead holder is over, no turn begins with a lost lock, no client waits for a"
          + " minute, and no lock is left at the end. Shown: how long no lock was granted.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Faults of members: kill-leader, kill-follower, kill-all; stop-leader and stop-follower"
          + " suspend a process for two to three seconds; restart-each ends and starts one after the"
          + " other.",
      "Faults of a holder: kill-holder; stop-holder suspends it for longer than the lease, and"
          + " stop-holder-briefly for a quarter of it; terminate ends a worker. The time is that"
          + " until the next client gets the lock.",
      "Faults of connections of clients: delay, by 100 ms; loss cuts them at random; black-hole"
          + " drops all bytes to and from the leader.",
      "Faults that need --namespaces: partition-leader and partition-follower, of one member from"
          + " all others and the clients; partition-minority, of the leader from the other members;"
          + " partition-one-way, of packets from (out) or to (in) the leader;"
          + " partition-client-from-leader; partition-holder.",
      "Faults of the network last for two to three seconds or longer than the lease, at random.",
      "",
      "Exit status: 0 no problem, 1 a problem was found, 2 the test could not be run, 130 ended by"
          + " Ctrl-C."
    })
final class ClusterStressCommand extends CliCommand {

  private static final String LINE = "%5s  %-28s  %-6s  %15s  %s";
  private static final Duration LEAST_LEASE = Duration.ofSeconds(2);

  private final RunEnvironment.Interrupts interrupts;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many faults there are, six seconds each at least. Default: one of each.")
  private @Nullable Integer rounds;

  @Option(
      names = "--fault",
      paramLabel = "FAULT",
      description =
          "What happens; see below. May be given several times. Default: each that is possible, in"
              + " turn.")
  private List<String> faults = new ArrayList<>();

  @Option(
      names = "--namespaces",
      description =
          "Run members and holders in network namespaces of Linux, which makes partitions possible."
              + " Needs root and the command ip. Default: on the loopback interface, with proxies"
              + " between clients and members.")
  private boolean namespaces;

  @Option(
      names = "--tls",
      description =
          "Connect with TLS, with a certificate for members and one for clients. Default: without.")
  private boolean tls;

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

  @Option(
      names = "--upgrade-to",
      paramLabel = "LAUNCHER",
      description =
          "The file scripts/weblocks or bin/weblocks of another build, for restart-each and"
              + " everything started after it: a trial of a rolling upgrade. Default: this build.")
  private @Nullable Path upgradeTo;

  @Option(names = "--seed", paramLabel = "S", description = "The seed of the choices. Default: 1.")
  private long seed = 1;

  @Mixin private final HelpOption help = new HelpOption();

  ClusterStressCommand(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
    super(cli);
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() throws CommandFailure {
    requireRange("--rounds", rounds, 1, 10_000);
    requireRange("--clients", clients, 1, 1_000);
    requireRange("--names", names, 1, 1_000);
    List<Fault> wanted = chosen();
    int count = rounds == null ? wanted.size() : rounds;
    if (upgradeTo != null && wanted.stream().limit(count).noneMatch(Fault.RESTART_EACH::equals)) {
      throw usage("--upgrade-to needs a round with --fault " + Fault.RESTART_EACH);
    }
    Duration leaseOfClients = leaseOption();
    String next = upgradeTo == null ? null : nextLauncher(upgradeTo);
    String launcher = cli.property().apply("weblocks.launcher");
    if (launcher == null) {
      throw new CommandFailure("only the launcher scripts/weblocks can start the members");
    }
    return run(
        new ClusterStorm.Settings(
            List.of(launcher),
            List.of(next == null ? launcher : next),
            wanted,
            namespaces,
            tls,
            count,
            clients,
            names,
            leaseOfClients,
            seed));
  }

  private static String nextLauncher(Path file) throws CommandFailure {
    if (!Files.isExecutable(file) || Files.isDirectory(file)) {
      throw new CommandFailure(
          "--upgrade-to is "
              + file
              + ", which is no program: give the file scripts/weblocks or"
              + " bin/weblocks of a build");
    }
    return file.toAbsolutePath().toString();
  }

  private int run(ClusterStorm.Settings settings) throws CommandFailure {
    CountDownLatch ended = new CountDownLatch(1);
    Runnable deafen = interrupts.listen(Thread.currentThread()::interrupt, ended);
    try {
      cli.println(String.format(LINE, "round", "fault", "hit", "without a grant", "").strip());
      ClusterStorm.Report report = ClusterStorm.run(settings, this::show);
      cli.printf(
          "%,d grants, %,d of them with a known place in the queue; %d locks lost%n",
          report.grants(), report.placed(), report.lost());
      showGaps(report);
      cli.println(printed(report.complaints()));
      return report.complaints().isEmpty() ? Main.AS_EXPECTED : Main.UNEXPECTED;
    } catch (IOException | EngineFailure failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()));
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return Main.INTERRUPTED;
    } finally {
      ended.countDown();
      deafen.run();
    }
  }

  private void show(ClusterStorm.Round round) {
    String gap = String.format(Locale.ROOT, "%.2f s", round.gap().toMillis() / 1e3);
    cli.println(
        String.format(LINE, round.number(), round.fault(), round.member(), gap, round.note())
            .stripTrailing());
    cli.out().flush();
  }

  /** Shows the longest and the median time without a grant, unless all faults hit holders. */
  private void showGaps(ClusterStorm.Report report) {
    List<Duration> gaps =
        report.rounds().stream()
            .filter(round -> !round.fault().hitsHolder())
            .map(ClusterStorm.Round::gap)
            .sorted()
            .toList();
    if (!gaps.isEmpty()) {
      cli.printf(
          "Longest time without a grant: median %.2f s, worst %.2f s%n",
          gaps.get(gaps.size() / 2).toMillis() / 1e3, gaps.getLast().toMillis() / 1e3);
    }
  }

  private List<Fault> chosen() {
    if (faults.isEmpty()) {
      return Fault.possible(namespaces);
    }
    List<Fault> all = new ArrayList<>();
    for (String name : faults) {
      Fault fault =
          Stream.of(Fault.values())
              .filter(each -> each.toString().equals(name))
              .findFirst()
              .orElseThrow(() -> usage("--fault is " + name + ": use one of " + names()));
      if (!fault.isPossible(namespaces)) {
        throw usage(
            namespaces
                ? "--fault " + fault + " and --namespaces exclude each other: leave one out"
                : "--fault " + fault + " needs --namespaces");
      }
      all.add(fault);
    }
    return all;
  }

  private static String names() {
    return Stream.of(Fault.values()).map(Fault::toString).collect(Collectors.joining(", "));
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
