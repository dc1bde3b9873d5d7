package dev.weblocks.harness.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that shows the help of a command; same as {@code --help} of that command. */
@Command(
    name = "help",
    description = "Show the help of a command: weblocks help stress kill.",
    sortOptions = false)
final class HelpCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command. Default: weblocks.")
  private List<String> names = new ArrayList<>();

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  HelpCommand() {}

  @Override
  public void run() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        CommandSpec known = command.getCommandSpec();
        throw new ParameterException(
            command,
            known.subcommands().isEmpty()
                ? "unknown command '" + name + "' of " + known.qualifiedName()
                : UsageError.unknownCommand(name, known));
      }
      command = next;
    }
    command.usage(command.getOut(), command.getColorScheme());
  }
}
