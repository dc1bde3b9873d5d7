package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that replaces a member of a lock cluster. */
@Command(
    name = "replace",
    description = {
      "Replace a member whose data is lost by a new one, while the others run. First start the new"
          + " one on an empty folder, under an id that no member had before.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 the new member takes part, 2 it does not, or no answer says so. The command may",
      "be repeated.",
      "",
      "Example:",
      "  weblocks node --id n4 --data /var/lib/locks \\",
      "    --peers n1=10.0.0.1:7800,n2=10.0.0.2:7800,n4=10.0.0.4:7800 ...",
      "  weblocks cluster replace --remove n3 --add n4=10.0.0.4:7800 \\",
      "    --peers n1=10.0.0.1:7800,n2=10.0.0.2:7800,n3=10.0.0.3:7800 ..."
    })
final class ClusterReplaceCommand extends CliCommand {

  @Option(
      names = "--peers",
      paramLabel = "PEERS",
      converter = ClusterOptions.Members.class,
      description =
          "The members so far, such as n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800. Must be given.")
  private @Nullable String peers;

  @Option(
      names = "--remove",
      paramLabel = "ID",
      description = "The id of the member to remove. Must be given.")
  private @Nullable String removed;

  @Option(
      names = "--add",
      paramLabel = "MEMBER",
      converter = ClusterOptions.Members.class,
      description = "The new member, such as n4=HOST4:7800. Must be given.")
  private @Nullable String added;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final HelpOption help = new HelpOption();

  ClusterReplaceCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    if (peers == null) {
      throw usage(ClusterOptions.NO_PEERS);
    }
    if (removed == null) {
      throw usage("--remove is missing: name the member to remove, such as n3");
    }
    if (added == null) {
      throw usage("--add is missing: name the new member, such as n4=HOST4:7800");
    }
    List<String> ids = Arrays.stream(peers.split(",")).map(ClusterReplaceCommand::id).toList();
    if (!ids.contains(removed)) {
      throw usage(
          "--remove: '%s' is not a member; the members are %s"
              .formatted(removed, String.join(", ", ids)));
    }
    if (ids.contains(id(added))) {
      throw usage(
          "--add is %s, but '%s' is one of --peers; give the new member a new id"
              .formatted(added, id(added)));
    }
    try (LockCluster client = cluster.start(this, cluster.builder(this, peers))) {
      ClusterOptions.answer(client.replaceMember(removed, added));
      cli.println("The member " + added + " has replaced " + removed);
      return Main.AS_EXPECTED;
    } catch (IllegalArgumentException wrong) {
      throw usage("--add: " + wrong.getMessage());
    } catch (IllegalStateException isOpen) {
      throw usage(ClusterOptions.NO_TLS);
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return Main.INTERRUPTED;
    }
  }

  private static String id(String member) {
    return member.substring(0, member.indexOf('=')).strip();
  }
}
