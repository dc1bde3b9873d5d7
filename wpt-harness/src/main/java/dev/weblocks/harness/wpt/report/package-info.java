/**
 * Reports of runs: the results of a run as a value, that value as text in several formats, the
 * parser of stored reports, and the comparison of reports.
 *
 * <p>{@link dev.weblocks.harness.wpt.report.RunReport} is the central value: it is created by a
 * run, or by {@link dev.weblocks.harness.wpt.report.WptReportReader} from a report of any engine.
 * Each {@link dev.weblocks.harness.wpt.report.ReportFormat} turns it into text, {@link
 * dev.weblocks.harness.wpt.report.ReportFiles} writes these texts into files, and {@link
 * dev.weblocks.harness.wpt.report.Comparison} finds the differences between reports.
 */
@NullMarked
package dev.weblocks.harness.wpt.report;

import org.jspecify.annotations.NullMarked;
