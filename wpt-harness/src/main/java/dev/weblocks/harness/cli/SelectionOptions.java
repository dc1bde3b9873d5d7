package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.TestSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select tests. */
final class SelectionOptions {

  @Option(
      names = "--exclude",
      paramLabel = "TEST-PATH",
      description = "Exclude the tests that TEST-PATH names. May be given several times.")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description =
          "Only tests whose id contains a match of REGEX (java.util.regex). May be given several"
              + " times: all must match.")
  private List<Pattern> filters = new ArrayList<>();

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      description =
          "Only tests of variant NAME: a query such as ?1-10, or the global of an .any.js file,"
              + " such as window, dedicatedworker, sharedworker-module. May be given several times:"
              + " one of them must match.")
  private List<String> variants = new ArrayList<>();

  @Option(
      names = "--list",
      description =
          "List the tests instead of running them, with the reason for those that do not run.")
  boolean list;

  @Nullable String problem(List<String> paths) {
    if (paths.contains("")) {
      return "a TEST-PATH is empty: leave it out, or name a test";
    }
    for (String path : paths) {
      if (path.indexOf('\0') >= 0) {
        return "'" + path + "' is not a TEST-PATH: Nul character not allowed";
      }
    }
    if (excluded.contains("")) {
      return "--exclude '': a TEST-PATH is needed";
    }
    return variants.contains("") ? "--variant '': a NAME is needed" : null;
  }

  TestSelection of(List<String> paths) {
    return new TestSelection(paths, excluded, filters, variants);
  }
}
