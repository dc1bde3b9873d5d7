package dev.weblocks.harness.cli;

import dev.weblocks.cluster.ClusterStatus;
import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.cluster.TrialCluster;
import dev.weblocks.harness.wpt.report.Columns;
import dev.weblocks.model.LockEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that try and observe a lock cluster. */
@Command(
    name = "cluster",
    description = "Try a lock cluster, or show what one does. 'weblocks node' runs its members.",
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
final class ClusterCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  ClusterCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command is given");
  }

  /** Runs a small cluster in this process. */
  @Command(
      name = "trial",
      description = {
        "Start a cluster in this process, with its data in a temporary folder, take a lock, and wait"
            + " for Ctrl-C. Meanwhile other programs of this machine can use it.",
        ""
      },
      sortOptions = false,
      footer = {
        "",
        "Exit status: 0 with --once, 2 the cluster could not start, 130 ended by Ctrl-C.",
        "",
        "Example, in two terminals:",
        "  weblocks cluster trial",
        "  weblocks run --cluster PEERS app.js       with the PEERS that the first one prints"
      })
  static final class Trial extends CliCommand {

    private final RunEnvironment.Interrupts interrupts;

    @Option(
        names = "--nodes",
        paramLabel = "N",
        description = "The number of members, from 1 to 9. Default: 3.")
    private int nodes = 3;

    @Option(names = "--once", description = "End after the first lock, without waiting.")
    private boolean once;

    @Mixin private final HelpOption help = new HelpOption();

    Trial(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
      super(cli);
      this.interrupts = interrupts;
    }

    @Override
    public Integer call() throws CommandFailure {
      requireRange("--nodes", nodes, 1, 9);
      try (Interruption interruption = new Interruption(cli, interrupts);
          TrialCluster trial = TrialCluster.start(nodes)) {
        cli.println("Members: " + trial.peers());
        takeOne(trial);
        if (once) {
          return Main.AS_EXPECTED;
        }
        cli.println("Try:     weblocks run --cluster " + trial.peers() + " app.js");
        cli.println("         weblocks cluster status --peers " + trial.peers() + " --watch");
        cli.println("Ctrl-C ends the cluster and deletes its data");
        cli.out().flush();
        interruption.await();
        return Main.INTERRUPTED;
      } catch (IOException failed) {
        throw new CommandFailure(String.valueOf(failed.getMessage()));
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
        return Main.INTERRUPTED;
      }
    }

    private void takeOne(TrialCluster trial) throws InterruptedException, CommandFailure {
      try (UserAgent userAgent = UserAgent.newBuilder().lockBackend(trial.client()).build();
          LockClient client = userAgent.openLockClient("https://trial.test")) {
        long began = System.nanoTime();
        try (HeldLock lock = client.acquire("first", Duration.ofSeconds(30))) {
          cli.printf(
              "A lock was granted after %.1f s, with the fencing token %d%n",
              (System.nanoTime() - began) / 1e9, lock.fencingToken());
        } catch (TimeoutException late) {
          throw new CommandFailure("no lock was granted within 30 s");
        }
      }
    }
  }

  /** Shows sessions and locks. */
  @Command(
      name = "status",
      description = {
        "Show the leader, the members, the sessions and the locks of a cluster.",
        "CODEC is the version of messages, logs and snapshots that a member reads.",
        ""
      },
      sortOptions = false,
      footer = {"", "Exit status: 0 success, 2 no leader could be reached."})
  static final class Status extends CliCommand {

    /** Longer than the time between two messages of the leader. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** The entries that may be in flight to a member that has received all others. */
    private static final int CAUGHT_UP = 100;

    private final RunEnvironment.Interrupts interrupts;

    @Option(
        names = "--peers",
        paramLabel = "PEERS",
        converter = ClusterOptions.Members.class,
        description =
            "The members, such as n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800. Must be given.")
    private @Nullable String peers;

    @Option(
        names = "--namespace",
        paramLabel = "NAME",
        converter = ClusterOptions.Namespace.class,
        description = "The namespace whose locks are listed. Default: default.")
    private String namespace = "default";

    @Option(names = "--watch", description = "Show it again each second, until Ctrl-C.")
    private boolean watch;

    @Mixin private final ClusterOptions cluster = new ClusterOptions();

    @Mixin private final HelpOption help = new HelpOption();

    Status(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
      super(cli);
      this.interrupts = interrupts;
    }

    @Override
    public Integer call() throws CommandFailure {
      try (Interruption interruption = new Interruption(cli, interrupts);
          LockCluster client = client()) {
        do {
          show(client);
          cli.out().flush();
        } while (watch && !interruption.await(Duration.ofSeconds(1)));
        return watch ? Main.INTERRUPTED : Main.AS_EXPECTED;
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
        return Main.INTERRUPTED;
      }
    }

    private LockCluster client() throws CommandFailure {
      if (peers == null) {
        throw usage(ClusterOptions.NO_PEERS);
      }
      return cluster.start(this, cluster.builder(this, peers).namespace(namespace));
    }

    private void show(LockCluster client) throws CommandFailure, InterruptedException {
      ClusterStatus status = ClusterOptions.answer(client.status());
      List<LockEntry> locks = ClusterOptions.answer(client.locks());
      cli.println("Leader " + status.leader());
      List<List<String>> members = new ArrayList<>();
      members.add(List.of("MEMBER", "ADDRESS", "CODEC", "STATE"));
      for (ClusterStatus.Member member : status.members()) {
        members.add(
            List.of(
                member.id(),
                member.address().isEmpty() ? "?" : member.address(),
                member.codecVersion() == 0 ? "?" : Integer.toString(member.codecVersion()),
                state(member)));
      }
      Columns.aligned(members, members.getFirst().size()).forEach(cli::println);
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("SESSION", "NAMESPACE", "NAME", "LEASE", "SILENT", "HELD", "WAITING"));
      for (ClusterStatus.Session session : status.sessions()) {
        rows.add(
            List.of(
                Long.toString(session.id()),
                session.namespace(),
                session.name(),
                seconds(session.lease()),
                seconds(session.silence()),
                Integer.toString(session.held()),
                Integer.toString(session.waiting())));
      }
      if (status.sessions().isEmpty()) {
        cli.println("No session");
      } else {
        Columns.aligned(rows, rows.getFirst().size()).forEach(cli::println);
      }
      String table = LockTable.text(locks);
      cli.printLines(table.isEmpty() ? "No lock is held or waited for" : table);
    }

    private static String state(ClusterStatus.Member member) {
      Duration silence = member.silence();
      if (silence == null) {
        return "?";
      }
      if (silence.compareTo(SILENCE) > 0) {
        return "has not answered for " + seconds(silence);
      }
      return member.missing() <= CAUGHT_UP
          ? "runs"
          : "runs, misses " + member.missing() + " entries";
    }

    private static String seconds(@Nullable Duration time) {
      return time == null ? "?" : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
  }
}
