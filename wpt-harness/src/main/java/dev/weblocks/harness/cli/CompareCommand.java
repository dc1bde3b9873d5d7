package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.Comparison.Column;
import dev.weblocks.harness.wpt.report.HtmlPage;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.RunReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that compares stored reports. */
@Command(
    name = "compare",
    description = "Compare stored reports of web-platform-tests, without running tests.",
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 the first report passes all that the others pass, 1 it does not,",
      "2 the reports could not be compared. Only tests of the first report count,",
      "unless --require-all is given.",
      "",
      "Examples:",
      "  weblocks compare ours.json chrome.json firefox.json.gz",
      "  weblocks compare --html changes.html today.json yesterday.json"
    })
final class CompareCommand extends CliCommand {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      split = ",",
      description =
          "Reports in wptrunner's format, plain or gzipped; the first one is compared with each of"
              + " the others.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the comparison to FILE as a page.")
  private @Nullable Path html;

  @Option(
      names = "--require-all",
      description =
          "Exit with 1 also if the first report was interrupted, or lacks a test or a subtest that"
              + " another report has.")
  private boolean requireAll;

  @Mixin private final HelpOption help = new HelpOption();

  CompareCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    List<Path> files = paths("FILE", names);
    if (files.size() < 2) {
      throw usage(
          files.isEmpty()
              ? "no report is given; name at least two"
              : "only " + files.getFirst() + " is given; name another report to compare it with");
    }
    Map<Path, RunReport> reports = ReportOptions.read(files);
    Comparison comparison = Comparison.ofAll(Comparison.label(reports));
    Map<Path, String> inputs = new LinkedHashMap<>();
    files.forEach(file -> inputs.put(file, "FILE"));
    ReportFiles page =
        ReportOptions.files(
            html == null
                ? List.of()
                : List.of(
                    new ReportFiles.Request(
                        "--html", html, run -> HtmlPage.ofComparison(comparison))),
            inputs,
            Map.of());
    cli.printComparison(comparison);
    List<String> problems = page.write(comparison.columns().getFirst().report()).problems();
    if (!problems.isEmpty()) {
      throw new CommandFailure(problems.getFirst());
    }
    Column ours = comparison.columns().getFirst();
    boolean lacks =
        ours.report().interrupted()
            || comparison.absences().stream().anyMatch(each -> each.absent() == ours);
    return comparison.regressions().isEmpty() && !(requireAll && lacks)
        ? Main.AS_EXPECTED
        : Main.UNEXPECTED;
  }
}
