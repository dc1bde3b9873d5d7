package dev.weblocks.harness.cli;

import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the variants of locks, for commands that run scripts of the user. */
final class VariantOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      description =
          "Let locks follow the variant NAME instead of the Working Draft, or all variants of a"
              + " set, node or deno; 'weblocks variants' lists them. May be given several times."
              + " Default: none.")
  private List<String> names = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli fills in the spec
  VariantOptions() {}

  /** Returns these options for a shell, each with a preceding blank. */
  String words() {
    return names.stream().map(name -> " --variant " + name).collect(Collectors.joining());
  }

  Set<Variant> variants() {
    try {
      return VariantNames.together(names);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--variant: " + wrong.getMessage());
    }
  }
}
