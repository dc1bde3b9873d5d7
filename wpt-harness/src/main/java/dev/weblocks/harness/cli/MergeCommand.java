package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.Explorer;
import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.explore.ReportJson;
import dev.weblocks.harness.wpt.report.HtmlPage;
import dev.weblocks.harness.wpt.report.JUnitXml;
import dev.weblocks.harness.wpt.report.JsonLines;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.ReportFormat;
import dev.weblocks.harness.wpt.report.RunReport;
import dev.weblocks.harness.wpt.report.Tap;
import dev.weblocks.harness.wpt.report.WptReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that makes one report of those of all shards of a run. */
@Command(
    name = "merge",
    description = {
      "Make one report of those that several machines wrote: chunks of 'weblocks wpt', or shards of"
          + " 'weblocks explore' or 'weblocks differ'.",
      "",
      "The report, the summary and the exit status are those of one run on one machine. The reports"
          + " of all chunks or shards are needed.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 nothing unexpected, 1 an unexpected result, a finding or a difference, 2 the"
          + " reports do not belong together, or cannot be read or written.",
      "",
      "Examples:",
      "  weblocks merge --output all.xml --output all.html part-*.jsonl",
      "  weblocks merge --output all.json part-*.json"
    })
final class MergeCommand extends CliCommand {

  @Parameters(
      paramLabel = "REPORT",
      arity = "0..*",
      description =
          "A report of one chunk or shard: of 'wpt' that of --jsonl, of 'explore' and 'differ' that"
              + " of --json.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Write the report to FILE. May be given several times. A report of 'wpt' has the format"
              + " of its name: .jsonl, .json (wptrunner's), .xml (JUnit's), .tap or .html. Default:"
              + " only the summary is printed.")
  private List<Path> outputs = new ArrayList<>();

  @Mixin private final HelpOption help = new HelpOption();

  MergeCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() throws CommandFailure {
    List<Path> files = paths("REPORT", names);
    if (files.isEmpty()) {
      throw usage("no report is given; name those of all chunks or shards");
    }
    List<StoredReport> reports = new ArrayList<>();
    for (Path file : files) {
      StoredReport report = StoredReport.of(file);
      reports.add(report);
      StoredReport first = reports.getFirst();
      if (!report.command().equals(first.command())) {
        throw new CommandFailure(
            "the reports %s and %s are of %s and %s; name reports of one command"
                .formatted(
                    HarmlessText.line(first.file().toString()),
                    HarmlessText.line(file.toString()),
                    first.command(),
                    report.command()));
      }
    }
    return switch (reports.getFirst().command()) {
      case ReportJson.COMMAND -> explorations(reports);
      case DifferResults.COMMAND -> differences(reports);
      default -> tests(reports);
    };
  }

  private int tests(List<StoredReport> reports) throws CommandFailure {
    List<RunReport> chunks = new ArrayList<>();
    List<ShardReport> shards = new ArrayList<>();
    for (StoredReport each : reports) {
      RunReport chunk = each.as(JsonLines::read);
      chunks.add(chunk);
      shards.add(each.as(unused -> MergedRun.shard(each.file(), chunk)));
    }
    ShardReport.requireWhole(shards);
    RunReport run = MergedRun.of(chunks);
    List<ReportFiles.Request> requests = new ArrayList<>();
    for (Path output : outputs) {
      requests.add(new ReportFiles.Request("--output", output, format(output)));
    }
    write(reports, requests, run);
    Duration time =
        run.start() == null || run.end() == null
            ? Duration.ZERO
            : Duration.between(run.start(), run.end());
    new Summary(cli).print(run, time);
    return run.unexpected() == 0 ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  private ReportFormat format(Path output) {
    String name = output.toString();
    return switch (name.substring(Math.max(0, name.lastIndexOf('.')))) {
      case ".jsonl" -> new JsonLines();
      case ".json" -> new WptReport();
      case ".xml" -> new JUnitXml();
      case ".tap" -> new Tap();
      case ".html" -> run -> HtmlPage.ofRun(ReportOptions.compare(run, Map.of()));
      default ->
          throw usage(
              "--output %s: a name with .jsonl, .json, .xml, .tap or .html at its end is needed"
                  .formatted(HarmlessText.line(name)));
    };
  }

  private int explorations(List<StoredReport> reports) throws CommandFailure {
    Coverage states = new Coverage();
    List<Explorer.Report> parts = new ArrayList<>();
    List<ShardReport> shards = new ArrayList<>();
    for (StoredReport each : reports) {
      // a report without a shard has no states
      boolean divided = each.settings().containsKey(Shard.SETTING);
      Object replay = each.settings().get(ExplorePrinter.REPLAY);
      if (replay != null && !ExploredScenario.isReplay(replay.toString())) {
        throw each.malformed("\"replay\" is no command that explore writes");
      }
      Explorer.@Nullable Report part =
          divided ? each.as(values -> ReportJson.read(values.getFirst(), states)) : null;
      shards.add(each.shard(part != null && ReportJson.isComplete(part)));
      if (part != null) {
        parts.add(part);
      }
    }
    ShardReport.requireWhole(shards);
    Explorer.Report report = ReportJson.merge(parts, states);
    Map<String, Object> settings = settingsOfWhole(reports);
    write(reports, ReportJson.of(report, settings, states));
    return new ExplorePrinter(cli, settings, states, false).print(report, null, false, null);
  }

  private int differences(List<StoredReport> reports) throws CommandFailure {
    DifferResults all = new DifferResults(0);
    List<ShardReport> shards = new ArrayList<>();
    Duration time = Duration.ZERO;
    for (StoredReport each : reports) {
      DifferResults part = each.as(values -> DifferResults.read(values.getFirst()));
      shards.add(each.shard(part.isComplete()));
      Duration own = each.as(values -> DifferResults.time(values.getFirst()));
      time = own.compareTo(time) > 0 ? own : time;
      all.add(part);
    }
    ShardReport.requireWhole(shards);
    write(reports, all.json(settingsOfWhole(reports), time));
    all.shown().forEach(program -> program.print(cli));
    return all.summarize(cli, time);
  }

  private static Map<String, Object> settingsOfWhole(List<StoredReport> reports) {
    Map<String, Object> settings = new LinkedHashMap<>(reports.getFirst().settings());
    settings.remove(Shard.SETTING);
    return settings;
  }

  private void write(List<StoredReport> reports, String text) throws CommandFailure {
    List<ReportFiles.Request> requests = new ArrayList<>();
    outputs.forEach(file -> requests.add(new ReportFiles.Request("--output", file, run -> text)));
    write(reports, requests, new RunReport(Map.of(), null, null, List.of(), List.of(), false));
  }

  /** Writes the files, after a check of all. */
  private static void write(
      List<StoredReport> reports, List<ReportFiles.Request> requests, RunReport run)
      throws CommandFailure {
    Map<Path, String> inputs = new LinkedHashMap<>();
    reports.forEach(each -> inputs.put(each.file(), "REPORT"));
    List<String> problems = ReportOptions.files(requests, inputs, Map.of()).write(run).problems();
    if (!problems.isEmpty()) {
      throw new CommandFailure(String.join("; ", problems));
    }
  }
}
