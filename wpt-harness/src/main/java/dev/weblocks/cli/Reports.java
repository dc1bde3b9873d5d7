package dev.weblocks.cli;

import dev.weblocks.wpt.report.Comparison;
import dev.weblocks.wpt.report.ReportFiles;
import dev.weblocks.wpt.report.RunReport;
import java.util.function.Function;

/**
 * The reports that a run shall leave.
 *
 * @param comparison puts the run beside the other reports
 * @param comparing whether there are any
 */
record Reports(ReportFiles files, Function<RunReport, Comparison> comparison, boolean comparing) {}
