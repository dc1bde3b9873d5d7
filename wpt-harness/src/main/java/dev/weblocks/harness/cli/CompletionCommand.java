package dev.weblocks.harness.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that prints a completion script for a shell. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in bash and zsh.",
    sortOptions = false,
    footer = {
      "",
      "For the current shell:",
      "  source <(weblocks completion)",
      "It completes a command called weblocks: put scripts/, or a directory with a link",
      "to scripts/weblocks, on the PATH."
    })
final class CompletionCommand implements Runnable {

  private static final String HEADER =
      """
      #!/usr/bin/env bash
      # Completes the command weblocks in bash and zsh: source <(weblocks completion)
      # shellcheck disable=SC2207 # compgen prints a word per line, and IFS is a newline
      """;

  /**
   * The generated line that disables the completion of file names. It is removed, so that names of
   * scripts, reports and tests are completed.
   */
  private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

  private final CliEnvironment cli;

  @Spec private CommandSpec spec;

  @Mixin private final HelpOption help = new HelpOption();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  CompletionCommand(CliEnvironment cli) {
    this.cli = cli;
  }

  @Override
  public void run() {
    String script = AutoComplete.bash("weblocks", spec.root().commandLine());
    cli.printExactly(HEADER + script.substring(script.indexOf("\nif [ -n")).replace(NO_FILES, ""));
  }
}
