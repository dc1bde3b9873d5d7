package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.report.Comparison;
import dev.weblocks.harness.wpt.report.ReportFiles;
import dev.weblocks.harness.wpt.report.RunReport;
import java.util.function.Function;

/**
 * The reports to be written by a run.
 *
 * @param comparison compares the run with the reports of {@code --compare}
 * @param comparing whether {@code --compare} is given
 */
record RequestedReports(
    ReportFiles files, Function<RunReport, Comparison> comparison, boolean comparing) {}
