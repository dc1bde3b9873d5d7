package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.harness.cluster.ClusterAgent;
import dev.weblocks.harness.cluster.TrialSecurity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command of the processes that hold locks in a trial of a cluster. */
@Command(
    name = "cluster-agent",
    hidden = true,
    description = "Execute the commands of weblocks stress cluster, one per input line.",
    sortOptions = false)
final class ClusterAgentCommand extends CliCommand {

  private final RunEnvironment own;

  @Parameters(
      paramLabel = "PEERS MILLISECONDS [KEY CERTIFICATE AUTHORITY]",
      arity = "0..5",
      description = "The members, the lease, and the files for TLS.")
  private List<String> arguments = new ArrayList<>();

  @Mixin private final HelpOption help = new HelpOption();

  ClusterAgentCommand(CliEnvironment cli, RunEnvironment own) {
    super(cli);
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure {
    if (arguments.size() != 2 && arguments.size() != 5) {
      throw new CommandFailure(
          "members and a lease are needed; use weblocks stress cluster, which starts this command");
    }
    try (LockCluster cluster = start()) {
      ClusterAgent.serve(cluster, own.in(), cli.out());
      return Main.AS_EXPECTED;
    } catch (IOException failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()));
    }
  }

  private LockCluster start() throws IOException {
    String lease = arguments.get(1);
    if (!lease.matches("[0-9]{1,9}")) {
      throw usage("the lease is '" + lease + "'; a number of milliseconds is needed");
    }
    try {
      return TrialSecurity.secured(LockCluster.builder(), arguments.subList(2, arguments.size()))
          .peers(arguments.getFirst())
          .lease(Duration.ofMillis(Long.parseLong(lease)))
          .start();
    } catch (IllegalArgumentException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }
}
