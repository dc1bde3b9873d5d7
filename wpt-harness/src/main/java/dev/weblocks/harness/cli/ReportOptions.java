package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.HtmlPage;
import dev.weblocks.harness.wpt.report.JUnitXml;
import dev.weblocks.harness.wpt.report.JsonLines;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.ReportFiles.Request;
import dev.weblocks.harness.wpt.report.ReportFormat;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.harness.wpt.report.Tap;
import dev.weblocks.harness.wpt.report.WptReport;
import dev.weblocks.harness.wpt.report.WptReportReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code weblocks wpt} for reports and comparisons. */
final class ReportOptions {

  @Option(
      names = "--wptreport",
      paramLabel = "FILE",
      description = "Write the results to FILE in wptrunner's report format.")
  private @Nullable Path wptReport;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the results to FILE as JUnit's XML.")
  private @Nullable Path junit;

  @Option(
      names = "--tap",
      paramLabel = "FILE",
      description = "Write the results to FILE in the Test Anything Protocol, version 13.")
  private @Nullable Path tap;

  @Option(
      names = "--jsonl",
      paramLabel = "FILE",
      description = "Write the results to FILE as lines of JSON, one for each test.")
  private @Nullable Path jsonLines;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the results to FILE as a page; --compare adds columns to it.")
  private @Nullable Path html;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      split = ",",
      description =
          "Compare the results with another report in wptrunner's format (of a browser, from"
              + " wpt.fyi, of an older run; may be gzipped). May be given several times, or as a"
              + " comma-separated list.")
  private List<Path> others = new ArrayList<>();

  @Option(
      names = "--compare-html",
      paramLabel = "FILE",
      description = "Write the comparison to FILE as a page.")
  private @Nullable Path comparisonHtml;

  /**
   * Checks all files before any test runs, and returns the reports to write.
   *
   * @param command the command, for error messages
   * @param scripts files that the run reads
   * @param trees directories that the run reads, with their descriptions for messages
   * @param trace the file of {@code --trace}; null if none
   * @throws ParameterException if the options contradict each other
   * @throws CommandFailure if a file cannot be read or written
   */
  RequestedReports prepare(
      CommandLine command, List<Path> scripts, Map<Path, String> trees, @Nullable Path trace)
      throws CommandFailure {
    if (comparisonHtml != null && others.isEmpty()) {
      throw new ParameterException(
          command,
          "--compare-html " + comparisonHtml + " needs a report to compare with: add --compare");
    }
    Map<Path, RunReport> read = read(others);
    Map<Path, String> inputs = new LinkedHashMap<>();
    others.forEach(file -> inputs.put(file, "--compare"));
    scripts.forEach(file -> inputs.put(file, "--preload"));
    List<Request> requests = new ArrayList<>();
    request(requests, "--wptreport", wptReport, new WptReport());
    request(requests, "--junit", junit, new JUnitXml());
    request(requests, "--tap", tap, new Tap());
    request(requests, "--jsonl", jsonLines, new JsonLines());
    request(requests, "--html", html, run -> HtmlPage.ofRun(compare(run, read)));
    request(
        requests,
        "--compare-html",
        comparisonHtml,
        run -> HtmlPage.ofComparison(compare(run, read)));
    if (trace != null) { // not a report, but it must not conflict with the other files either
      List<Request> all = new ArrayList<>(requests);
      all.add(new Request("--trace", trace, run -> ""));
      files(all, inputs, trees);
    }
    return new RequestedReports(
        files(requests, inputs, trees),
        run -> compare(run, read),
        /* comparing= */ !read.isEmpty());
  }

  @Nullable String first() {
    return wptReport != null
        ? "--wptreport"
        : junit != null
            ? "--junit"
            : tap != null
                ? "--tap"
                : jsonLines != null
                    ? "--jsonl"
                    : html != null
                        ? "--html"
                        : !others.isEmpty()
                            ? "--compare"
                            : comparisonHtml != null ? "--compare-html" : null;
  }

  private static void request(
      List<Request> requests, String option, @Nullable Path file, ReportFormat format) {
    if (file != null) {
      requests.add(new Request(option, file, format));
    }
  }

  static Comparison compare(RunReport run, Map<Path, RunReport> others) {
    Map<Path, RunReport> all = new LinkedHashMap<>();
    all.put(Path.of("this run"), run);
    all.putAll(others);
    return Comparison.ofSelected(Comparison.label(all));
  }

  static ReportFiles files(
      List<Request> requests, Map<Path, String> inputs, Map<Path, String> trees)
      throws CommandFailure {
    try {
      return ReportFiles.of(requests, inputs, trees);
    } catch (ReportFiles.UnusableException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    }
  }

  /** Reads stored reports. Keeps their order. */
  static Map<Path, RunReport> read(List<Path> files) throws CommandFailure {
    Map<Path, RunReport> reports = new LinkedHashMap<>();
    for (Path file : files) {
      try {
        RunReport report = WptReportReader.read(file);
        if (report.tests().isEmpty()) {
          throw new CommandFailure(
              "the report " + file + " has no test results: name another report");
        }
        if (reports.put(file, report) != null) {
          throw new CommandFailure("the report " + file + " is given twice: name it once");
        }
      } catch (WptReportReader.MalformedException e) {
        throw new CommandFailure(
            e.getMessage() + " (a report of wptrunner's --log-wptreport is needed)");
      } catch (IOException e) {
        throw new CommandFailure("no comparison: " + e.getMessage());
      }
    }
    return reports;
  }
}
