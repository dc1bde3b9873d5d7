package dev.weblocks.harness.cli;

import dev.weblocks.harness.compare.OwnServer;
import dev.weblocks.harness.wpt.IoProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command of the Weblocks process that {@code bench} measures. */
@Command(
    name = "bench-engine",
    hidden = true,
    description = "Execute the commands of weblocks bench, one per input line.",
    sortOptions = false)
final class BenchEngineCommand implements Callable<Integer> {

  private final CliEnvironment cli;
  private final RunEnvironment own;

  @Parameters(
      paramLabel = "DIRECTORY",
      arity = "0..1",
      description = "The directory of the workloads.")
  private Path directory = Path.of("");

  @Mixin private final HelpOption help = new HelpOption();

  BenchEngineCommand(CliEnvironment cli, RunEnvironment own) {
    this.cli = cli;
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Path files = own.workingDirectory().resolve(directory);
    if (!Files.isRegularFile(files.resolve("adapters/page.html"))) {
      throw new CommandFailure(
          "'" + directory + "' holds no workloads; use weblocks bench, which starts this command");
    }
    String version = BenchEngineCommand.class.getPackage().getImplementationVersion();
    try {
      OwnServer.serve(
          files, version == null ? "(development build)" : version, own.in(), cli.out(), cli.err());
      return Main.AS_EXPECTED;
    } catch (IOException e) {
      throw new CommandFailure("the workloads cannot be run: " + IoProblem.text(e));
    }
  }
}
