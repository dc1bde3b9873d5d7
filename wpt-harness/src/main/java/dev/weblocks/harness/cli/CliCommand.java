package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A command with its environment; {@link #call} returns the exit status. */
abstract class CliCommand implements Callable<Integer> {

  final CliEnvironment cli;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  CliCommand(CliEnvironment cli) {
    this.cli = cli;
  }

  final CommandSpec spec() {
    return spec;
  }

  /** Returns the exception for an error in the command line. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Throws if an option is given and its value is out of range. */
  final void requireRange(String option, @Nullable Integer value, int least, int most) {
    if (value != null && Values.outOfRange(option, value, least, most) instanceof String wrong) {
      throw usage(wrong);
    }
  }

  /** Returns the paths that arguments name. */
  final List<Path> paths(String label, List<String> names) {
    List<Path> paths = new ArrayList<>();
    for (String name : names) {
      try {
        paths.add(Values.path(name));
      } catch (TypeConversionException e) {
        throw usage(label + " '" + name + "': " + e.getMessage());
      }
    }
    return paths;
  }

  /** Prints the problems that a stress run found, and returns a phrase with their number. */
  final Shown printed(List<String> problems) {
    problems.forEach(problem -> cli.println(cli.red("wrong").plus(" " + problem)));
    return problems.isEmpty()
        ? cli.green("No problem")
        : Shown.of(HarmlessText.count(problems.size(), "problem"));
  }
}
