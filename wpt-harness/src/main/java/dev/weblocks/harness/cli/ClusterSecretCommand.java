package dev.weblocks.harness.cli;

import dev.weblocks.harness.cluster.SharedSecret;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that makes the file for option --secret. */
@Command(
    name = "secret",
    description = {
      "Make a file that protects a cluster on the loopback interface from other users of the"
          + " machine: members and clients that have it as --secret accept only each other. Only its"
          + " owner can read it.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 success, 2 the file exists, or could not be made.",
      "",
      "Example:",
      "  weblocks cluster secret locks.secret",
      "  weblocks node --id n1 --data DIR --peers n1=127.0.0.1:7800 --secret locks.secret",
      "  weblocks run --cluster n1=127.0.0.1:7800 --secret locks.secret app.js"
    })
final class ClusterSecretCommand extends CliCommand {

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file, which must not exist.")
  private @Nullable Path file;

  @Mixin private final HelpOption help = new HelpOption();

  ClusterSecretCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    if (file == null) {
      throw usage("FILE is missing: name the file to make");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure(folder + " is not a folder; create it first");
    }
    try {
      SharedSecret.create(file);
    } catch (FileAlreadyExistsException exists) {
      throw new CommandFailure(file + " exists; delete it first, or name another file");
    } catch (IOException failed) {
      throw new CommandFailure(file + " cannot be made: " + failed.getMessage());
    }
    cli.println("Give members and clients of this machine: --secret " + file);
    return Main.AS_EXPECTED;
  }
}
