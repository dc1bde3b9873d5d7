package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.Comparison.Column;
import dev.weblocks.harness.wpt.report.Comparison.Difference;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.model.Variant;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows which subtests of web-platform-tests change under each variant. */
@Command(
    name = "measure",
    description = {
      "Run the web-platform-tests of /web-locks/ under each variant, as 'weblocks wpt"
          + " --deterministic' does, and show which subtests have other results than under the"
          + " Working Draft. Takes about 15 seconds for each variant.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 all variants were measured, 2 the tests could not be run.",
      "",
      "Examples:",
      "  weblocks variants measure settle-at-once",
      "  weblocks variants measure --write docs/VARIANTS.md"
    })
final class VariantsMeasureCommand extends CliCommand {

  /** The maximum number of differences to list; more are counted by test file. */
  private static final int MAX_LISTED = 24;

  private static final String TESTS = "/web-locks/";

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "Variants to measure. Default: all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--wpt",
      paramLabel = "DIR",
      description = "The directory of web-platform-tests. Default: the fetched one.")
  private @Nullable Path wpt;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description =
          "Replace the paragraphs of FILE that begin with 'WPT:', below the headings that name the"
              + " measured variants.")
  private @Nullable Path document;

  @Mixin private final HelpOption help = new HelpOption();

  VariantsMeasureCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    Set<Variant> variants = variants();
    Path file = document;
    if (file != null && !Files.isRegularFile(file)) {
      throw new CommandFailure("--write '" + file + "' does not exist: name a file to update");
    }
    try {
      Path folder = Files.createTempDirectory("weblocks-measure");
      try {
        measure(variants, file, folder);
      } finally {
        delete(folder);
      }
    } catch (IOException failed) {
      throw new CommandFailure("the reports cannot be stored: " + failed.getMessage());
    }
    return Main.AS_EXPECTED;
  }

  private Set<Variant> variants() {
    Set<Variant> variants = new LinkedHashSet<>();
    try {
      for (String name : names) {
        variants.addAll(Variant.named(name).orElseGet(() -> VariantNames.together(List.of(name))));
      }
    } catch (IllegalArgumentException unknown) {
      throw usage(String.valueOf(unknown.getMessage()));
    }
    return names.isEmpty() ? new LinkedHashSet<>(Arrays.asList(Variant.values())) : variants;
  }

  private void measure(Set<Variant> variants, @Nullable Path file, Path folder)
      throws CommandFailure, IOException {
    RunReport draft = run(folder, null);
    Map<String, String> paragraphs = new LinkedHashMap<>();
    for (Variant variant : variants) {
      String measured = text(draft, run(folder, variant));
      paragraphs.put(variant.id(), measured);
      cli.println(variant.id() + ": " + measured);
    }
    if (file != null) {
      Files.writeString(file, updated(Files.readString(file), paragraphs));
    }
  }

  /** Runs the tests under a variant; null for the Working Draft. */
  private RunReport run(Path folder, @Nullable Variant variant) throws CommandFailure {
    String label = variant == null ? "the Working Draft" : variant.id();
    if (cli.terminal()) {
      cli.note("running " + TESTS + " under " + label);
    }
    Path report = folder.resolve((variant == null ? "draft" : variant.id()) + ".json");
    List<String> arguments =
        new ArrayList<>(List.of("--deterministic", "--wptreport", report.toString()));
    if (wpt != null) {
      arguments.addAll(List.of("--wpt", wpt.toString()));
    }
    if (variant != null) {
      arguments.addAll(List.of("--spec-variant", variant.id()));
    }
    arguments.add(TESTS);
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    CliEnvironment quiet =
        new CliEnvironment(
            nowhere,
            cli.err(),
            cli.property(),
            cli.variable(),
            false,
            cli.browsers(),
            cli.stopLimit());
    WptCommand command = new WptCommand(quiet);
    CommandLine.ParseResult unused =
        new CommandLine(command).parseArgs(arguments.toArray(String[]::new));
    if (command.call() == Main.FAILED || !Files.isRegularFile(report)) {
      throw new CommandFailure(TESTS + " could not be run under " + label);
    }
    return ReportOptions.read(List.of(report)).values().iterator().next();
  }

  private static String text(RunReport draft, RunReport variant) {
    Comparison comparison =
        Comparison.ofAll(List.of(new Column("draft", draft), new Column("variant", variant)));
    List<Difference> differences = new ArrayList<>(comparison.regressions());
    differences.addAll(comparison.wins());
    Comparison.Count passed = comparison.totals().get(1);
    String total =
        passed.passed() + " of " + comparison.totals().get(0).total() + " tests and subtests pass";
    if (differences.isEmpty()) {
      return total + "; none ends differently.";
    }
    Map<String, Set<String>> subtests = new TreeMap<>();
    for (Difference each : differences) {
      subtests
          .computeIfAbsent(fileOf(each.test()), made -> new LinkedHashSet<>())
          .add(each.subtest() == null ? "the test as a whole" : each.subtest());
    }
    int listed = subtests.values().stream().mapToInt(Set::size).sum();
    String all =
        subtests.entrySet().stream()
            .map(entry ->
                entry.getKey()
                    + (listed > MAX_LISTED
                        ? " (" + entry.getValue().size() + ")"
                        : ": "
                            + entry.getValue().stream()
                                .map(name -> "\"" + name + "\"")
                                .collect(Collectors.joining(", "))))
            .collect(Collectors.joining("; "));
    return total + ". Different: " + all + ".";
  }

  /** Returns the path of a test below {@code /web-locks/}, without flags, extension and query. */
  private static String fileOf(String test) {
    return test.replaceFirst("^/web-locks/", "")
        .replaceFirst(
            "(\\.tentative)?(\\.https)?(\\.any|\\.window)?(\\.\\w+)?\\.html(\\?.*)?$", "");
  }

  /** Returns a document with new {@code WPT:} paragraphs, which are given by heading. */
  static String updated(String text, Map<String, String> paragraphs) {
    StringBuilder result = new StringBuilder();
    String heading = "";
    for (String paragraph : text.split("\n\n", -1)) {
      if (paragraph.startsWith("## ")) {
        heading = paragraph.substring(3).replace("`", "");
      }
      String measured = paragraphs.get(heading);
      boolean last = paragraph.endsWith("\n");
      result.append(result.isEmpty() ? "" : "\n\n");
      result.append(
          measured != null && paragraph.startsWith("WPT: ")
              ? "WPT: " + measured + (last ? "\n" : "")
              : paragraph);
    }
    return result.toString();
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
