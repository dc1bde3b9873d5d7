/**
 * Reports of runs: what a run came to as a value, that value as text in several formats, stored
 * reports read again, and reports put side by side.
 *
 * <p>{@link dev.weblocks.wpt.report.RunReport} is the value in the middle: a run gives one, and so
 * does {@link dev.weblocks.wpt.report.WptReportReader} for a report of any engine. Each {@link
 * dev.weblocks.wpt.report.ReportFormat} makes a text of it, {@link
 * dev.weblocks.wpt.report.ReportFiles} brings these into files, {@link
 * dev.weblocks.wpt.report.Comparison} finds where several differ.
 */
@NullMarked
package dev.weblocks.wpt.report;

import org.jspecify.annotations.NullMarked;
