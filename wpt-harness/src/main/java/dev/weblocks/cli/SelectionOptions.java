package dev.weblocks.cli;

import dev.weblocks.wpt.TestSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that narrow down which tests run. */
final class SelectionOptions {

  @Option(
      names = "--exclude",
      paramLabel = "TEST-PATH",
      description = "Leave out what TEST-PATH names. May be given several times.")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description =
          "Only tests in whose id REGEX is found (java.util.regex). May be given several times: all"
              + " have to be found.")
  private List<Pattern> filters = new ArrayList<>();

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      description =
          "Only tests of that variant: a query such as ?1-10, or the global of an .any.js file, such"
              + " as window, dedicatedworker, sharedworker-module. May be given several times: one"
              + " of them has to fit.")
  private List<String> variants = new ArrayList<>();

  @Option(names = "--list", description = "List the tests instead of running them.")
  boolean list;

  TestSelection of(List<String> paths) {
    return new TestSelection(paths, excluded, filters, variants);
  }
}
