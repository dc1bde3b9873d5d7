package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.cluster.MemberStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs a member of a lock cluster. */
@Command(
    name = "node",
    description = {
      "Run a member of a lock cluster, until Ctrl-C. Three members on three machines keep the locks"
          + " of all programs that use them, as long as two run and reach each other.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "A line says when the member begins or ceases to lead, or is in trouble.",
      "",
      "Exit status: 2 the member could not start or was refused, 130 ended by Ctrl-C.",
      "",
      "Example:",
      "  weblocks node --id n1 --data /var/lib/locks \\",
      "    --peers n1=10.0.0.1:7800,n2=10.0.0.2:7800,n3=10.0.0.3:7800 \\",
      "    --tls-key n1.key --tls-cert n1.crt --tls-ca ca.crt"
    })
final class NodeCommand extends CliCommand {

  private static final Duration LOOK = Duration.ofMillis(200);

  private final RunEnvironment.Interrupts interrupts;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The id of this member, one of --peers. Must be given.")
  private @Nullable String id;

  @Option(
      names = "--peers",
      paramLabel = "PEERS",
      converter = ClusterOptions.Members.class,
      description =
          "All members, the same list everywhere, such as n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800."
              + " If the cluster runs without this member, it waits until it is added. Must be"
              + " given.")
  private @Nullable String peers;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The folder for the data of this member and no other; created if it does not exist. Must"
              + " be given.")
  private @Nullable Path data;

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      converter = ClusterOptions.Host.class,
      description =
          "The address to listen on. If other machines can connect to it, TLS is needed. Default: the"
              + " host of this member in --peers.")
  private @Nullable String listen;

  @Option(
      names = "--accept-members-without-role",
      description =
          "Accept certificates without a role, and take them for those of members; until all"
              + " certificates are renewed with a role. A warning says so at each start.")
  private boolean acceptsWithoutRole;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final HelpOption help = new HelpOption();

  NodeCommand(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
    super(cli);
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() throws CommandFailure {
    try (Interruption interruption = new Interruption(cli, interrupts);
        LockCluster member = start()) {
      return follow(member, String.valueOf(id), interruption);
    }
  }

  private LockCluster start() throws CommandFailure {
    if (id == null) {
      throw usage("--id is missing: name the member, such as n1");
    }
    if (peers == null) {
      throw usage(ClusterOptions.NO_PEERS);
    }
    if (data == null) {
      throw usage("--data is missing: name a folder for the data of this member");
    }
    LockCluster.Builder builder = cluster.builder(this, peers).member(id, data);
    if (listen != null) {
      builder.listenOn(listen);
    }
    if (acceptsWithoutRole) {
      if (!cluster.hasTls()) {
        throw usage(
            "--accept-members-without-role is about certificates: give --tls-key, --tls-cert and"
                + " --tls-ca, or leave it out");
      }
      builder.acceptMembersWithoutRole();
    }
    try {
      return cluster.start(this, builder);
    } catch (IllegalArgumentException noMember) {
      throw usage("--id: " + noMember.getMessage());
    }
  }

  private int follow(LockCluster member, String name, Interruption interruption)
      throws CommandFailure {
    cli.println("The member " + name + " runs; Ctrl-C ends it");
    cli.out().flush();
    String before = "";
    try {
      while (!interruption.await(LOOK)) {
        MemberStatus state = Objects.requireNonNull(member.metrics().member());
        if (state.refusal() != null) {
          throw new CommandFailure(state.refusal());
        }
        String now = describe(name, state);
        if (!now.equals(before)) {
          cli.println(now);
          cli.out().flush();
          before = now;
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
    return Main.INTERRUPTED;
  }

  private static String describe(String name, MemberStatus state) {
    if (!state.isRunning()) {
      return name + " has failed, and starts again when it can";
    }
    if (!state.isAdded()) {
      return name + " waits for the other members, or until 'weblocks cluster replace' adds it";
    }
    return state.leads() ? name + " leads in term " + state.term() : name + " follows";
  }
}
