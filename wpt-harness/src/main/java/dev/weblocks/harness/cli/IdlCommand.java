package dev.weblocks.harness.cli;

import dev.weblocks.embed.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that prints the code generated from the IDL of an interface. */
@Command(
    name = "idl",
    description = {
      "Print the JavaScript that the binding generates from the IDL of an interface or a"
          + " namespace. It is the code in windows, or in workers if only these have the interface.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 success, 2 the interface does not exist.",
      "",
      "Example:",
      "  weblocks idl LockManager"
    })
final class IdlCommand extends CliCommand {

  private final RunEnvironment ofRun;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "The identifier of the interface or namespace, such as LockManager.")
  private @Nullable String name;

  @Mixin private final HelpOption help = new HelpOption();

  IdlCommand(CliEnvironment cli, RunEnvironment ofRun) {
    super(cli);
    this.ofRun = ofRun;
  }

  @Override
  public Integer call() {
    String wanted = name;
    if (wanted == null) {
      throw usage("no interface is given; name one, such as LockManager");
    }
    try (Environment environment = ofRun.environments().get()) {
      String code = environment.generatedCode(wanted);
      if (code == null) {
        throw usage("no interface is called '" + wanted + "'; names are those of the IDL, as Lock");
      }
      cli.printExactly(code);
    }
    return Main.AS_EXPECTED;
  }
}
