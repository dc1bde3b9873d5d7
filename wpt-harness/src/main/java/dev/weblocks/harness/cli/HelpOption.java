package dev.weblocks.harness.cli;

import picocli.CommandLine.Option;

/** The help option of every command. */
final class HelpOption {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;
}
