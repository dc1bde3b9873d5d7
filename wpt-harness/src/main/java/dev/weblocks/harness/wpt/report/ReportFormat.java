package dev.weblocks.harness.wpt.report;

/** A format of reports. */
@FunctionalInterface
public interface ReportFormat {

  /** Returns the run as text that ends with a line end and contains no lone surrogate. */
  String write(RunReport run);
}
